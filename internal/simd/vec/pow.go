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

func powOf[T Float](x, y T) T {
	if a, ok := any(x).(float32); ok {
		return T(pow32(a, float32(y)))
	}
	return T(math.Pow(float64(x), float64(y)))
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
