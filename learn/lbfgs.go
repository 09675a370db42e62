package learn

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// LBFGS estimates the curvature of the loss from the last steps and goes where
// it expects the minimum, as far as a line search finds it worth while. It
// wants a loss that does not depend on the step. The rate is the first length
// that the search tries, as a part of the way: 1 is right but for the very
// first step.
type LBFGS struct {
	Memory      int // how many steps it knows; 0 is 10
	Evaluations int // of the loss, at most, in one search; 0 is 25
}

// lbfgsState is the state as a list of arrays: all parameters as one vector of
// reals, their gradient, the loss, and for each step it knows the vector of
// what it changed and of how the gradient changed.
type lbfgsState struct {
	x, g   *nd.Array
	loss   float64
	ds, dg []*nd.Array // oldest first
}

// Step makes one step.
func (o LBFGS) Step(ctx context.Context, at Point) (Move, error) {
	v := vectorOf(at.Params)
	s, err := o.begin(ctx, at, v)
	if err != nil {
		return Move{}, err
	}
	dir := s.direction()
	slope := readable(dot(dir, s.g))
	if err := nd.Eval(ctx, dir, slope); err != nil {
		return Move{}, err
	}
	down, err := read(ctx, slope)
	if err != nil {
		return Move{}, err
	}
	if !(down < 0) {
		return Move{Loss: s.loss}, ErrConverged
	}
	first := at.Rate
	if len(s.ds) == 0 { // nothing is known of the scale yet
		first *= min(1, 1/math.Sqrt(-down))
	}
	search := &lineSearch{limit: o.Evaluations, at: func(t float64) (trial, error) {
		return o.try(ctx, at, v, s, dir, t)
	}}
	if search.limit <= 0 {
		search.limit = 25
	}
	end, err := search.run(s.loss, down, first)
	if err != nil {
		return Move{Loss: s.loss}, err
	}
	return o.move(ctx, s, end)
}

// begin reads the state, or evaluates the loss for the first step.
func (o LBFGS) begin(ctx context.Context, at Point, v vector) (*lbfgsState, error) {
	if at.State == nil {
		loss, grads, err := at.evaluate()
		if err != nil {
			return nil, err
		}
		s := &lbfgsState{x: v.join(at.Params), g: v.join(grads)}
		value := readable(loss)
		if err := nd.Eval(ctx, s.x, s.g, value); err != nil {
			return nil, err
		}
		s.loss, err = read(ctx, value)
		return s, err
	}
	known := (len(at.State) - 3) / 2
	if len(at.State) < 3 || len(at.State) != 3+2*known {
		return nil, fmt.Errorf("lbfgs: a state of %d arrays is another optimizer's", len(at.State))
	}
	s := &lbfgsState{x: at.State[0], g: at.State[1], ds: at.State[3 : 3+known], dg: at.State[3+known:]}
	var err error
	s.loss, err = nd.Item[float64](ctx, at.State[2])
	return s, err
}

// direction is minus the gradient times an estimate of the inverse of the
// second derivatives, by the two-loop recursion.
func (s *lbfgsState) direction() *nd.Array {
	q := s.g
	parts := make([]*nd.Array, len(s.ds))
	for i := len(s.ds) - 1; i >= 0; i-- {
		parts[i] = dot(s.ds[i], q).Div(dot(s.ds[i], s.dg[i]))
		q = q.Sub(s.dg[i].Mul(parts[i]))
	}
	if last := len(s.ds) - 1; last >= 0 {
		q = q.Mul(dot(s.ds[last], s.dg[last]).Div(dot(s.dg[last], s.dg[last])))
	}
	for i := range s.ds {
		back := dot(s.dg[i], q).Div(dot(s.ds[i], s.dg[i]))
		q = q.Add(s.ds[i].Mul(parts[i].Sub(back)))
	}
	return q.Neg()
}

func dot(a, b *nd.Array) *nd.Array { return a.Mul(b).Sum() }

// trial is a place on the line of a search.
type trial struct {
	t, loss, slope float64
	x, g           *nd.Array
	params         []*nd.Array
}

func (o LBFGS) try(ctx context.Context, at Point, v vector, s *lbfgsState, dir *nd.Array, t float64) (trial, error) {
	x := s.x.Add(dir.MulScalar(t))
	// The loss sees parameters that are arrays of their own, as it does in
	// every other step.
	params := v.split(x)
	loss, grads := at.Loss(params)
	g := v.join(grads)
	slope := readable(dot(g, dir))
	value := readable(loss)
	p := trial{t: t, x: x, g: g, params: params}
	if err := nd.Eval(ctx, append([]*nd.Array{x, g, slope, value}, params...)...); err != nil {
		return p, err
	}
	var err error
	if p.loss, err = read(ctx, value); err == nil {
		p.slope, err = read(ctx, slope)
	}
	return p, err
}

// move takes the end of a search as the next place, and notes what changed on
// the way if that says something of the curvature.
func (o LBFGS) move(ctx context.Context, s *lbfgsState, end trial) (Move, error) {
	memory := o.Memory
	if memory <= 0 {
		memory = 10
	}
	ds, dg := end.x.Sub(s.x), end.g.Sub(s.g)
	curved := readable(dot(ds, dg))
	if err := nd.Eval(ctx, ds, dg, curved); err != nil {
		return Move{}, err
	}
	c, err := read(ctx, curved)
	if err != nil {
		return Move{}, err
	}
	oldDS, oldDG := s.ds, s.dg
	if c > 0 {
		if len(oldDS) == memory {
			oldDS[0].Release()
			oldDG[0].Release()
			oldDS, oldDG = oldDS[1:], oldDG[1:]
		}
		oldDS = append(append([]*nd.Array(nil), oldDS...), ds)
		oldDG = append(append([]*nd.Array(nil), oldDG...), dg)
	}
	state := append([]*nd.Array{end.x, end.g, nd.Scalar(end.loss)}, oldDS...)
	return Move{Loss: s.loss, Params: end.params, State: append(state, oldDG...)}, nil
}
