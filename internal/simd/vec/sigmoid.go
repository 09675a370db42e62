package vec

import "math"

// tanh(x) = t/(t+2) with t = e^2x - 1. sigmoid(x) = 1/(1+e^-x) or, for negative
// x, e^x/(1+e^x), which does not overflow.

func tanh32(x float32) float32 {
	p, scale := expParts(clamp(2*float64(x), -20, 20)) // tanh(10) is 1 in float32
	t := math.FMA(scale, p, scale-1)
	return float32(math.Copysign(t/(t+2), float64(x)))
}

func sigmoid32(x float32) float32 {
	v := float64(x)
	p, scale := expParts(-clamp(math.Abs(v), 0, -expLeast))
	z := math.FMA(scale, p, scale)
	top := 1.0
	if v < 0 {
		top = z
	}
	return float32(top / (1 + z))
}

// tanh64 divides t by t+2, then corrects the quotient by what it leaves.
func tanh64(x float64) float64 {
	a := math.Abs(x)
	if a < tinyDouble {
		return x
	}
	high, low := expm1Half(2 * clamp(a, 0, 20)) // t/2; tanh(20) is 1
	d := 1 + high
	q := high / d
	left := math.FMA(-q, d, high) + math.FMA(-q, high-(d-1)+low, low)
	return math.Copysign(q+left/d, x)
}

func sigmoid64(x float64) float64 {
	z := exp64(-math.Abs(x))
	top := 1.0
	if x < 0 {
		top = z
	}
	return top / (1 + z)
}
