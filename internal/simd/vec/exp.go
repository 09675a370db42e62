package vec

import "math"

// (e^r - 1)/r for |r| <= ln(2)/2, relative error 2^-32.0.
var expSingle = []float64{
	0x1.0000000022518p+0, 0x1.0000002818fa6p-1, 0x1.555554c5e764fp-3, 0x1.5554ada5fb22fp-5,
	0x1.1111a6a0572c4p-7, 0x1.6d74918364408p-10, 0x1.a019bbf874d00p-13,
}

// (e^r - 1 - r)/r^2 for |r| <= ln(2)/2: with r and r^2 in front, (e^r - 1)/r is
// off by 2^-55.6.
var expDouble = []float64{
	0x1.0000000000005p-1, 0x1.5555555555530p-3, 0x1.5555555552114p-5, 0x1.111111111a2a1p-7,
	0x1.6c16c17f2cab1p-10, 0x1.a01a0170ed46ep-13, 0x1.a019a6a8ce539p-16, 0x1.71de8e9485f16p-19,
	0x1.28a2883bb7575p-22, 0x1.ae640c7439e52p-26,
}

// expParts is e^x = scale*(1 + p) to float32 precision; |x| < 700.
func expParts(x float64) (p, scale float64) {
	t := math.FMA(x, log2e, shifter)
	r := math.FMA(t-shifter, -ln2High, x)
	return float64(r * horner(r, expSingle)), power(t)
}

// Past these bounds e^x is 0 and infinite in float32.
const (
	expLeast = -105
	expMost  = 89
)

func exp32(x float32) float32 {
	p, scale := expParts(clamp(float64(x), expLeast, expMost))
	return float32(math.FMA(scale, p, scale))
}

func expm132(x float32) float32 {
	p, scale := expParts(clamp(float64(x), -18, expMost)) // e^-18 is less than half an ulp of 1
	return float32(math.Copysign(math.FMA(scale, p, scale-1), float64(x)))
}

// clamp keeps NaN.
func clamp(x, least, most float64) float64 {
	if x < least {
		x = least
	}
	if x > most {
		x = most
	}
	return x
}

// reduce is x = k*ln(2) + r with |r| <= ln(2)/2, and p + low = e^r - 1.
func reduce(x float64) (k, p, low float64) {
	k = math.FMA(x, log2e, shifter) - shifter
	r := math.FMA(k, -ln2Low, math.FMA(k, -ln2High, x))
	square, q := float64(r*r), horner(r, expDouble)
	p = math.FMA(square, q, r)
	return k, p, math.FMA(square, q, r-p)
}

func exp64(x float64) float64 {
	k, p, _ := reduce(clamp(x, -746, 710))
	// 2^k itself may be out of range: multiply by its two halves.
	half := math.FMA(k, 0.5, shifter)
	rest := k - (half - shifter) + shifter
	return (1 + p) * power(half) * power(rest)
}

// expm1Half is half of e^x - 1, in two parts; half, since 2^1024 is out of
// range. x is at least -45 and at most 710.
func expm1Half(x float64) (high, low float64) {
	k, p, rest := reduce(x)
	s := power(k - 1 + shifter)
	c := s - 0.5
	high = math.FMA(s, p, c)
	return high, math.FMA(s, rest, math.FMA(s, p, c-high))
}

func expm164(x float64) float64 {
	if math.Abs(x) < 0x1p-54 {
		return x
	}
	high, low := expm1Half(clamp(x, -45, 710)) // e^-45 is less than half an ulp of 1
	return 2 * (high + low)
}
