package vec

import "math"

// log(1+f)/f for sqrt(1/2) <= 1+f <= sqrt(2), relative error 2^-33.2.
var logSingle = []float64{
	0x1.0000000026707p+0, -0x1.0000001c62bfcp-1, 0x1.5555541cad0f8p-2, -0x1.ffffa6b9fdf05p-3,
	0x1.999a31e62b7e1p-3, -0x1.5569521e83bf5p-3, 0x1.24912ad46b5f8p-3, -0x1.fc566f987f007p-4,
	0x1.c36d61cbc2276p-4, -0x1.bdb1dda1314b3p-4, 0x1.b7a813271ecfbp-4, -0x1.ea47e62dee87ap-5,
}

// (2*atanh(s) - 2*s)/s^3 in s^2, for |s| <= (sqrt(2)-1)/(sqrt(2)+1), times s^2
// off by 2^-58.5.
var logDouble = []float64{
	0x1.5555555555592p-1, 0x1.999999997fdbcp-2, 0x1.24924941f0fb3p-2, 0x1.c71c520974956p-3,
	0x1.74663ee58004cp-3, 0x1.39a1bad676fe0p-3, 0x1.2f0563e28e748p-3,
}

const (
	halfRoot      = 0x3fe6a09e667f3bcd // the bits of sqrt(1/2)
	threeQuarters = 0x3fe8000000000000
	oneBits       = 0x3ff0000000000000
	fraction      = 1<<52 - 1

	// ln2Short has 32 bits, so that its product with an exponent is exact.
	// ln2Short + ln2Rest is ln 2.
	ln2Short = 0x1.62e42feep-1
	ln2Rest  = 0x1.a39ef35793c76p-33
)

// mantissa is x = m * 2^e with least <= m < 2*least, for normal x > 0. Least is given as bits.
func mantissa(x float64, least uint64) (m, e float64) {
	b := math.Float64bits(x) + (oneBits - least)
	// The exponent, still biased, as the low bits of 2^52.
	e = math.Float64frombits(b>>52|0x433<<52) - (0x1p52 + 1023)
	return math.Float64frombits(b&fraction + least), e
}

// logFinish corrects y = log(x) where x is no positive number.
func logFinish(y, x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x == math.Inf(1):
		return x
	case !(x >= 0):
		return math.NaN()
	}
	return y
}

func logShort(x float64) float64 {
	m, e := mantissa(x, halfRoot)
	f := m - 1
	return math.FMA(e, ln2High, float64(f*horner(f, logSingle)))
}

// Every float32 but zero is a normal float64.
func log32(x float32) float32 {
	v := float64(x)
	return float32(logFinish(logShort(v), v))
}

func log1p32(x float32) float32 {
	v := float64(x)
	u := 1 + v // exact from 2^-29 up
	y := logFinish(logShort(u), u)
	if math.Abs(v) < 0x1p-20 {
		y = math.FMA(float64(-0.5*v), v, v)
	}
	return float32(y)
}

// logSum is e*ln(2) + log(1+f) + low.
func logSum(e, f, low float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	r := float64(z * horner(z, logDouble))
	square := float64(float64(0.5*f) * f)
	t := math.FMA(s, square+r, math.FMA(e, ln2Rest, low))
	return math.FMA(e, ln2Short, f-(square-t))
}

func log64(x float64) float64 {
	v, shift := x, 0.0
	if v < 0x1p-1022 {
		v, shift = v*0x1p54, 54
	}
	m, e := mantissa(v, halfRoot)
	return logFinish(logSum(e-shift, m-1, 0), x)
}

func log1p64(x float64) float64 {
	u := 1 + x
	m, e := mantissa(u, halfRoot)
	f, low := m-1, 0.0
	if e == 0 {
		f = x
	} else {
		// What the rounding of 1 + x lost: exact either way.
		lost := x - (u - 1)
		if x >= 1 {
			lost = 1 - (u - x)
		}
		low = lost / u
	}
	return math.Copysign(logFinish(logSum(e, f, low), u), x)
}
