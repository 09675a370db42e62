package vec

import "math"

// (atan(t) - t)/t^3 in t^2 for |t| <= tan(pi/8). Times t^2 they are off by
// 2^-35.4 and 2^-59.5.
var atanSingle = []float64{
	-0x1.555554c883a34p-2, 0x1.99991a3a08579p-3, -0x1.247f04de498e6p-3,
	0x1.c467d7d16dc84p-4, -0x1.5b447196d4f8bp-4, 0x1.84f1868af1961p-5,
}

var atanDouble = []float64{
	-0x1.555555555553dp-2, 0x1.99999999958dbp-3, -0x1.24924922b0b86p-3,
	0x1.c71c70e7787ddp-4, -0x1.745cf906462d4p-4, 0x1.3b111c0c28bc7p-4,
	-0x1.10ebd995f8bd7p-4, 0x1.df112b459d47bp-5, -0x1.9cdb10cf2e2e6p-5,
	0x1.37ea6d83061d4p-5, -0x1.2596f8119af22p-6,
}

const tanEighth = 0x1.a827999fcef32p-2 // tan(pi/8)

// octant is the angle of (x, y) as k*pi/4 + sign*atan(num/den), where the
// quotient is at most tan(pi/8).
func octant(y, x float64) (num, den, k float64, flip bool) {
	small, large := math.Abs(y), math.Abs(x)
	steep := small > large
	if steep {
		small, large = large, small
	}
	if large == 0 || small == math.Inf(1) && large == small {
		// 0/0 counts as 0/1, and two infinities make a diagonal.
		if large != 0 {
			small = 1
		}
		large = 1
	}
	num, den = small, large
	if small > float64(large*tanEighth) {
		num, den, k = small-large, small+large, 1
	}
	if steep {
		k, flip = 2-k, true
	}
	if math.Signbit(x) {
		k, flip = 4-k, !flip
	}
	return num, den, k, flip
}

func atan232(y, x float32) float32 {
	num, den, k, flip := octant(float64(y), float64(x))
	t := num / den
	z := float64(t * t)
	a := math.FMA(float64(t*z), horner(z, atanSingle), t)
	if flip {
		a = -a
	}
	return float32(math.Copysign(math.FMA(k, 0.5*piHigh, a), float64(y)))
}

func atan264(y, x float64) float64 {
	// Sums must not overflow, nor the octant be chosen among subnormals.
	u, v := y, x
	switch large := max(math.Abs(y), math.Abs(x)); {
	case large > 0x1p1000:
		u, v = y*0x1p-10, x*0x1p-10
	case large < 0x1p-900:
		u, v = y*0x1p100, x*0x1p100
	}
	num, den, k, flip := octant(u, v)
	t := num / den
	z := float64(t * t)
	a := math.FMA(float64(t*z), horner(z, atanDouble), t)
	if flip {
		a = -a
	}
	high := float64(k * (0.5 * piHigh))
	low := math.FMA(k, 0.5*piMid, math.FMA(k, 0.5*piHigh, -high))
	return math.Copysign(high+(low+a), y)
}

func atan2Of[T Float](y, x T) T {
	if a, ok := any(y).(float32); ok {
		return T(atan232(a, float32(x)))
	}
	return T(atan264(float64(y), float64(x)))
}

func atan2VV[T Float](dst, y, x []T, _ bool) {
	n := min(len(dst), len(y), len(x))
	dst, y, x = dst[:n], y[:n], x[:n]
	for i := range dst {
		dst[i] = atan2Of(y[i], x[i])
	}
}

func atan2VS[T Float](dst, y []T, x T, _ bool) {
	n := min(len(dst), len(y))
	dst, y = dst[:n], y[:n]
	for i := range dst {
		dst[i] = atan2Of(y[i], x)
	}
}

func atan2SV[T Float](dst []T, y T, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = atan2Of(y, x[i])
	}
}
