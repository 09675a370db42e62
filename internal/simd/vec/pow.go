package vec

import "math"

// 2*log2(e)*atanh(s)/s in s^2, for -1/7 <= s <= 1/5, relative error 2^-42.4: powers magnify
// the error of the logarithm 128 times.
var log2Single = []float64{
	0x1.71547652b7e8ap+1, 0x1.ec709dcb68287p-1, 0x1.2776bc423b742p-1, 0x1.a61ea63fe3285p-2,
	0x1.46f1a50e5909dp-2, 0x1.29daf0ef7f1b6p-2,
}

// 2^f for |f| <= 1/2, relative error 2^-32.0.
var exp2Single = []float64{
	1, 0x1.62e4300ba6a0ap-1, 0x1.ebfbe045877ddp-3, 0x1.c6b0551191a41p-5, 0x1.3b2a1bd553593p-7,
	0x1.5dc056ec71848p-10, 0x1.443fb6995ebd5p-13, 0x1.c0489b24f162bp-17,
}

// pow32 leaves infinities and NaN, of which there are many cases, to package
// math.
func pow32(x, y float32) float32 {
	u, v := float64(x), float64(y)
	if !(math.Abs(u) <= math.MaxFloat32 && math.Abs(v) <= math.MaxFloat32) {
		return float32(math.Pow(u, v))
	}
	m, e := mantissa(math.Abs(u), threeQuarters)
	s := (m - 1) / (m + 1)
	l := math.FMA(s, horner(float64(s*s), log2Single), e)
	if u == 0 {
		l = math.Inf(-1)
	}
	w := clamp(float64(v*l), -160, 160) // past what float32 holds either way
	if v == 0 {
		w = 0
	}
	t := w + shifter
	p := horner(w-(t-shifter), exp2Single)
	p = math.Float64frombits(math.Float64bits(p) + math.Float64bits(t)<<52)
	whole := math.RoundToEven(v) == v
	if half := 0.5 * v; whole && math.RoundToEven(half) != half && math.Signbit(u) {
		p = -p
	}
	if u < 0 && !whole {
		p = math.NaN()
	}
	return float32(p)
}

// (2*atanh(s) - 2*s - 2/3*s^3)/s^5 in s^2, over the range of logPower; the
// logarithm is then off by 2^-65.8 of it.
var logTail = []float64{
	0x1.9999999999b30p-2, 0x1.2492492457dc3p-2, 0x1.c71c722d5cdf7p-3, 0x1.745ce9e6ba556p-3,
	0x1.3b1eeb6bcd48fp-3, 0x1.0f7ff859ad19ap-3, 0x1.0e422184c3199p-3,
}

// ln2Top has 42 bits, so that its product with an exponent is exact.
// ln2Top + ln2Bottom is ln 2.
const (
	ln2Top    = 0x1.62e42fefa38p-1
	ln2Bottom = 0x1.ef35793c76730p-45
)

// logPair is log(x) in two parts, to about 64 bits, for finite x > 0: a power
// magnifies the error of the logarithm up to 745 times.
func logPair(x float64) (high, low float64) {
	shift := 0.0
	if x < 0x1p-1022 {
		x, shift = x*0x1p54, 54
	}
	m, e := mantissa(x, halfRoot)
	e -= shift
	f := m - 1
	// s = f/(2+f), its square and all that follows 2*s, each in two parts.
	d := f + 2
	by := 1 / d
	s := float64(f * by)
	sl := float64(math.FMA(-s, f-(d-2), math.FMA(-s, d, f)) * by)
	s2 := s + s
	z := float64(s * s)
	zl := math.FMA(s2, sl, math.FMA(s, s, -z))
	const twoThirds, rest = 0x1.5555555555555p-1, 0x1.5555555555555p-55
	p := horner(z, logTail)
	q := math.FMA(z, p, twoThirds)
	ql := math.FMA(z, p, twoThirds-q) + rest
	u := float64(z * q)
	ul := math.FMA(z, ql, math.FMA(zl, q, math.FMA(z, q, -u)))
	t := float64(s * u)
	tl := math.FMA(s, ul, math.FMA(sl, u, math.FMA(s, u, -t)))
	// e*ln(2) + 2*s + t, the largest first, or zero; each sum keeps what it loses.
	first := float64(e * ln2Top)
	second := first + s2
	high = second + t
	low = math.FMA(e, ln2Bottom, math.FMA(sl, 2, tl))
	return high, low + (s2 - (second - first)) + (t - (high - second))
}

// pow64 leaves infinities and NaN to package math, whose results for other
// arguments are off by dozens of ulp for large exponents, and wrong for subnormal x.
func pow64(x, y float64) float64 {
	v := math.Abs(x)
	if !(v <= math.MaxFloat64 && math.Abs(y) <= math.MaxFloat64) {
		return math.Pow(x, y)
	}
	l, ll := logPair(v)
	if v == 0 {
		l = math.Inf(-1)
	}
	w := float64(y * l)
	wl := math.FMA(y, ll, math.FMA(y, l, -w))
	if !(math.Abs(w) <= 800) { // past what float64 holds either way
		wl = 0
	}
	w = clamp(w, -746, 710)
	if y == 0 {
		w = 0
	}
	k := math.FMA(w, log2e, shifter) - shifter
	r := math.FMA(k, -ln2High, w) // exact
	wl = math.FMA(k, -ln2Low, wl)
	one := 1 + r
	tail := math.FMA(float64(r*r), horner(r, expDouble), r-(one-1))
	p := one + math.FMA(wl, one+tail, tail)
	half := math.FMA(k, 0.5, shifter)
	p = p * power(half) * power(k-(half-shifter)+shifter)
	whole := math.RoundToEven(y) == y
	if h := 0.5 * y; whole && math.RoundToEven(h) != h && math.Signbit(x) {
		p = -p
	}
	if x < 0 && !whole {
		p = math.NaN()
	}
	return p
}

func powOf[T Float](x, y T) T {
	if a, ok := any(x).(float32); ok {
		return T(pow32(a, float32(y)))
	}
	return T(pow64(float64(x), float64(y)))
}

func powVV[T Float](dst, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = powOf(x[i], y[i])
	}
}

func powVS[T Float](dst, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = powOf(x[i], y)
	}
}

func powSV[T Float](dst []T, x T, y []T, _ bool) {
	n := min(len(dst), len(y))
	dst, y = dst[:n], y[:n]
	for i := range dst {
		dst[i] = powOf(x, y[i])
	}
}
