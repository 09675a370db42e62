package learn

import "github.com/twiddle-go/twiddle/nd"

// Clip bounds gradients; zeros leave them as they are.
type Clip struct {
	Value float64 // the most each part of an element may be from 0
	Norm  float64 // the largest norm of all gradients together
}

// normSlack keeps the division of a zero norm harmless, as PyTorch's
// clip_grad_norm_ does.
const normSlack = 1e-6

func (c Clip) apply(grads []*nd.Array) []*nd.Array {
	out := append([]*nd.Array(nil), grads...)
	if c.Value > 0 {
		for i, g := range out {
			out[i] = eachPart(g, func(x *nd.Array) *nd.Array { return x.Clip(-c.Value, c.Value) })
		}
	}
	if c.Norm > 0 && len(out) > 0 {
		squares := out[0].AbsSquared().Sum()
		for _, g := range out[1:] {
			squares = squares.Add(g.AbsSquared().Sum())
		}
		factor := squares.Sqrt().AddScalar(normSlack).PowScalar(-1).MulScalar(c.Norm).MinimumScalar(1)
		for i, g := range out {
			out[i] = g.Mul(factor.Cast(g.DType()))
		}
	}
	return out
}

// eachPart applies a function of real arrays to one, or to both parts of a
// complex one.
func eachPart(a *nd.Array, f func(*nd.Array) *nd.Array) *nd.Array {
	if !a.DType().IsComplex() {
		return f(a)
	}
	return nd.Complex(f(a.Real()), f(a.Imag()))
}
