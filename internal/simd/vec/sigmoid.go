package vec

import "math"

// tanh(x) = t/(t+2) and sigmoid(x) = 1/(1+e^-x) share e^x, without its
// overflow and without loss near zero.

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

func tanh64(x float64) float64 {
	t := expm164(2 * clamp(math.Abs(x), 0, 20)) // tanh(20) is 1
	return math.Copysign(t/(t+2), x)
}

func sigmoid64(x float64) float64 {
	z := exp64(-math.Abs(x))
	top := 1.0
	if x < 0 {
		top = z
	}
	return top / (1 + z)
}
