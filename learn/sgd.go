package learn

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// SGD goes against the gradient. With Momentum it goes on in the direction of
// earlier steps; Nesterov looks ahead along it. WeightDecay adds a multiple of
// the parameters to their gradients.
type SGD struct {
	Momentum    float64
	Nesterov    bool
	WeightDecay float64
}

// Step is v = momentum*v + g, w = w - rate*v, with g in place of v in the first
// step, and g + momentum*v in place of v with Nesterov.
func (o SGD) Step(ctx context.Context, at Point) (Move, error) {
	return firstOrder(ctx, at, func(grads []*nd.Array) (params, state []*nd.Array) {
		for i, w := range at.Params {
			g := decayed(grads[i], w, o.WeightDecay)
			if o.Momentum != 0 {
				v := g
				if at.State != nil {
					v = at.State[i].MulScalar(o.Momentum).Add(g)
				}
				state = append(state, v)
				if g = v; o.Nesterov {
					g = v.MulScalar(o.Momentum).Add(decayed(grads[i], w, o.WeightDecay))
				}
			}
			params = append(params, w.Sub(g.MulScalar(at.Rate)))
		}
		return params, state
	})
}

// decayed is a gradient with a multiple of its parameter.
func decayed(g, w *nd.Array, decay float64) *nd.Array {
	if decay == 0 {
		return g
	}
	return g.Add(w.MulScalar(decay))
}

// firstOrder makes a step that needs the gradients at one place, and evaluates
// loss, parameters and state together.
func firstOrder(ctx context.Context, at Point, update func(grads []*nd.Array) (params, state []*nd.Array)) (Move, error) {
	loss, grads, err := at.evaluate()
	if err != nil {
		return Move{}, err
	}
	var m Move
	m.Params, m.State = update(grads)
	value := readable(loss)
	all := append(append([]*nd.Array{value}, m.Params...), m.State...)
	if err := nd.Eval(ctx, all...); err != nil {
		return Move{}, err
	}
	m.Loss, err = read(ctx, value)
	return m, err
}

// readable is a number in a type that read takes: float64 stays, everything else is
// float32, since not every device has float64.
func readable(a *nd.Array) *nd.Array {
	if a.DType() == nd.Float64 {
		return a
	}
	return a.Cast(nd.Float32)
}

// read is a number that readable gave.
func read(ctx context.Context, a *nd.Array) (float64, error) {
	if a.DType() == nd.Float64 {
		return nd.Item[float64](ctx, a)
	}
	v, err := nd.Item[float32](ctx, a)
	return float64(v), err
}
