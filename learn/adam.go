package learn

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// Adam divides averages of the gradient by the root of averages of its square,
// element by element; of complex elements, part by part. WeightDecay adds a
// multiple of the parameters to their gradients. Zeros stand for the usual
// choice: 0.9, 0.999 and 1e-8.
type Adam struct {
	Beta1, Beta2, Eps float64
	WeightDecay       float64
}

// AdamW is Adam whose WeightDecay shrinks the parameters themselves, by the
// rate times it, and not by way of the averages.
type AdamW struct {
	Beta1, Beta2, Eps float64
	WeightDecay       float64
}

// Step makes one step.
func (o Adam) Step(ctx context.Context, at Point) (Move, error) {
	return adam(ctx, at, o, o.WeightDecay, 0)
}

// Step makes one step.
func (o AdamW) Step(ctx context.Context, at Point) (Move, error) {
	return adam(ctx, at, Adam{Beta1: o.Beta1, Beta2: o.Beta2, Eps: o.Eps}, 0, o.WeightDecay)
}

func or(v, usual float64) float64 {
	if v == 0 {
		return usual
	}
	return v
}

// adam keeps, as state, the averages of all gradients, then those of their
// squares. Bias correction makes up for their start from 0.
func adam(ctx context.Context, at Point, o Adam, decay, shrink float64) (Move, error) {
	beta1, beta2, eps := or(o.Beta1, 0.9), or(o.Beta2, 0.999), or(o.Eps, 1e-8)
	n := len(at.Params)
	if at.State != nil && len(at.State) != 2*n {
		return Move{}, fmt.Errorf("learn: adam: a state of %s for %s: want two for each", counted.Of(len(at.State), "array"), counted.Of(n, "parameter"))
	}
	bias1 := 1 - math.Pow(beta1, float64(at.Step+1))
	bias2 := 1 - math.Pow(beta2, float64(at.Step+1))
	return firstOrder(ctx, at, func(grads []*nd.Array) (params, state []*nd.Array) {
		means, squares := make([]*nd.Array, n), make([]*nd.Array, n)
		for i, w := range at.Params {
			g := decayed(grads[i], w, decay)
			square := eachPart(g, func(x *nd.Array) *nd.Array { return x.AbsSquared() })
			means[i], squares[i] = g.MulScalar(1-beta1), square.MulScalar(1-beta2)
			if at.State != nil {
				means[i] = at.State[i].MulScalar(beta1).Add(means[i])
				squares[i] = at.State[n+i].MulScalar(beta2).Add(squares[i])
			}
			step := quotient(means[i], squares[i], math.Sqrt(bias2), eps).MulScalar(at.Rate / bias1)
			if shrink != 0 {
				w = w.MulScalar(1 - at.Rate*shrink)
			}
			params = append(params, w.Sub(step))
		}
		return params, append(means, squares...)
	})
}

// quotient is mean / (sqrt(square)/root + eps), part by part.
func quotient(mean, square *nd.Array, root, eps float64) *nd.Array {
	of := func(m, s *nd.Array) *nd.Array { return m.Div(s.Sqrt().DivScalar(root).AddScalar(eps)) }
	if !mean.DType().IsComplex() {
		return of(mean, square)
	}
	return nd.Complex(of(mean.Real(), square.Real()), of(mean.Imag(), square.Imag()))
}
