package vec

import "math"

// (2*atanh(s) - 2*s)/s^3 in s^2, for |s| <= (sqrt(2)-1)/(sqrt(2)+1), times s^2
// off by 2^-51.2: powers magnify the error of the logarithm 128 times.
var logPower = []float64{
	0x1.5555555553961p-1, 0x1.999999a294972p-2, 0x1.24924176ec7b3p-2, 0x1.c722788e860d3p-3,
	0x1.732c1534e2d18p-3, 0x1.5878512a7ba00p-3,
}

// (2^f - 1)/f for |f| <= 1/2; 2^f is then off by 2^-32.0.
var exp2Single = []float64{
	0x1.62e4300ba6a0ap-1, 0x1.ebfbe045877ddp-3, 0x1.c6b0551191a41p-5, 0x1.3b2a1bd553593p-7,
	0x1.5dc056ec71848p-10, 0x1.443fb6995ebd5p-13, 0x1.c0489b24f162bp-17,
}

// pow32 leaves infinities and NaN, of which there are many cases, to package
// math.
func pow32(x, y float32) float32 {
	u, v := float64(x), float64(y)
	if !(math.Abs(u) <= math.MaxFloat32 && math.Abs(v) <= math.MaxFloat32) {
		return float32(math.Pow(u, v))
	}
	m, e := mantissa(math.Abs(u))
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	l := math.FMA(math.FMA(s, 2, float64(float64(s*z)*horner(z, logPower))), log2e, e)
	if u == 0 {
		l = math.Inf(-1)
	}
	w := clamp(float64(v*l), -160, 130) // past what float32 holds either way
	if v == 0 {
		w = 0
	}
	t := w + shifter
	r := w - (t - shifter)
	scale := power(t)
	p := math.FMA(scale, float64(r*horner(r, exp2Single)), scale)
	whole := math.RoundToEven(v) == v
	if half := 0.5 * v; whole && math.RoundToEven(half) != half && math.Signbit(u) {
		p = -p
	}
	if u < 0 && !whole {
		p = math.NaN()
	}
	return float32(p)
}

// (2*atanh(s) - 2*s - 2/3*s^3)/s^5 in s^2: its Taylor series, off by 2^-55 at
// the end of the range of logPower.
var logTail = []float64{2. / 5, 2. / 7, 2. / 9, 2. / 11, 2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21, 2. / 23, 2. / 25}

// logPair is log(x) in two parts, to about 64 bits, for finite x > 0: a power
// magnifies the error of the logarithm up to 745 times.
func logPair(x float64) (high, low float64) {
	shift := 0.0
	if x < 0x1p-1022 {
		x, shift = x*0x1p54, 54
	}
	m, e := mantissa(x)
	e -= shift
	f := m - 1
	// s = f/(2+f), and its powers up to the third, each in two parts.
	d := 2 + f
	s := f / d
	sl := (math.FMA(-s, d, f) - float64(s*(f-(d-2)))) / d
	z := float64(s * s)
	zl := math.FMA(s, s, -z) + float64(2*s*sl)
	c := float64(s * z)
	cl := math.FMA(s, z, -c) + float64(s*zl) + float64(sl*z)
	const twoThirds, rest = 0x1.5555555555555p-1, 0x1.5555555555555p-55
	t := float64(c * twoThirds)
	tl := math.FMA(c, twoThirds, -t) + float64(cl*twoThirds) + float64(c*rest)
	tl += float64(float64(c*z)*horner(z, logTail)) + 2*sl
	// e*ln(2) + 2*s + t, the largest first; each sum keeps what it loses.
	high = float64(e * ln2High)
	low = math.FMA(e, ln2High, -high) + float64(e*ln2Low)
	for _, part := range [...]float64{2 * s, t} {
		sum := high + part
		if math.Abs(high) >= math.Abs(part) {
			low += part - (sum - high)
		} else {
			low += high - (sum - part)
		}
		high = sum
	}
	low += tl
	sum := high + low
	return sum, low - (sum - high)
}

// pow64 is within 1 ulp. Package math's is off by dozens of them for large
// exponents and wrong for subnormal x; zeros, infinities and NaN are left to
// it.
func pow64(x, y float64) float64 {
	if x == 0 || y == 0 || !(math.Abs(x) <= math.MaxFloat64 && math.Abs(y) <= math.MaxFloat64) {
		return math.Pow(x, y)
	}
	whole := math.Trunc(y) == y
	if x < 0 && !whole {
		return math.NaN()
	}
	l, ll := logPair(math.Abs(x))
	w := float64(y * l)
	wl := 0.0
	if math.Abs(w) < 800 { // past what float64 holds either way
		wl = math.FMA(y, l, -w) + float64(y*ll)
	}
	k, p, low := reduce(clamp(w, -746, 710))
	p += low + float64(wl*(1+p))
	half := math.FMA(k, 0.5, shifter)
	r := (1 + p) * power(half) * power(k-(half-shifter)+shifter)
	if x < 0 && math.Abs(y) < 0x1p53 && int64(y)&1 == 1 {
		return -r
	}
	return r
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
