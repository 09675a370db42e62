package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// calculation is an operation that can fail because of its numbers: the
// conditions are arrays like its results, and are computed with them.
type calculation struct {
	op       string
	lead     []int
	operands []*nd.Array
	checks   []condition
}

// condition is what must hold for each matrix of a batch. wrong, int64, is -1 where it
// does; where it does not, it is the place that the error names, or at least not negative
// if locate finds the place.
type condition struct {
	wrong  *nd.Array
	locate func() *nd.Array // int64, the first place that is wrong; nil if wrong says it
	err    func(matrix []int, place int) error
	seen   *nd.Array // float64, one for each matrix: what finish puts into the error; may be nil
	finish func(err error, seen float64)
}

func newCalculation(op string, lead []int, operands ...*nd.Array) *calculation {
	return &calculation{op: op, lead: lead, operands: operands}
}

// require adds a condition. Earlier ones are reported first.
func (c *calculation) require(places *nd.Array, err func(matrix []int, place int) error) {
	c.checks = append(c.checks, condition{wrong: places, err: err})
}

// never asks that no flag, (batch, n), is set. Which one was is looked for only when one is:
// that takes more launches than many a result.
func (c *calculation) never(flags *nd.Array, err func(matrix []int, place int) error) {
	if flags.Dim(1) == 0 {
		return
	}
	c.checks = append(c.checks, condition{wrong: without(flags.Any(1)), locate: func() *nd.Array { return firstTrue(flags) }, err: err})
}

// without is -1 where a flag is not set, else 0.
func without(flags *nd.Array) *nd.Array { return flags.Cast(nd.Int64).SubScalar(1) }

// finite asks that an argument, a batch of matrices, has no NaN or infinity.
func (c *calculation) finite(name string, a *nd.Array) {
	m, n := a.Dim(1), a.Dim(2)
	if m == 0 || n == 0 {
		return
	}
	// NaN is not equal to anything, and what is finite gives zeros.
	c.checks = append(c.checks, condition{
		wrong:  without(a.Sub(a).Sum(1, 2).NotEqualScalar(0)),
		locate: func() *nd.Array { return firstTrue(a.Sub(a).NotEqualScalar(0).Reshape(a.Dim(0), m*n)) },
		err: func(matrix []int, place int) error {
			return &NotFiniteError{Name: name, Matrix: matrix, Row: place / n, Column: place % n}
		},
	})
}

// nonzero asks that pivots, (batch, n), are not zero.
func (c *calculation) nonzero(pivots *nd.Array) {
	c.never(pivots.EqualScalar(0), func(matrix []int, place int) error {
		return &SingularError{Matrix: matrix, Pivot: place}
	})
}

// firstTrue is where each row of flags is first true, or -1.
func firstTrue(flags *nd.Array) *nd.Array {
	at := flags.Cast(nd.Int32).ArgMax(1)
	found := flags.Gather(at.ExpandDims(1), 1).Squeeze(1) // one look, where another pass could be
	return nd.Where(found, at, nd.FullLike(at, -1))
}

// compute evaluates results and conditions together.
func (c *calculation) compute(ctx context.Context, results ...*nd.Array) error {
	if len(c.checks) == 0 {
		return nd.Eval(ctx, results...)
	}
	// Together, so that one copy from the device brings them all.
	var each []*nd.Array
	for _, k := range c.checks {
		each = append(each, k.wrong.Flatten())
	}
	joined := nd.Concat(0, each...)
	if err := nd.Eval(ctx, append(results[:len(results):len(results)], joined)...); err != nil {
		return err
	}
	places, err := nd.Slice[int64](ctx, joined)
	if err != nil {
		return err
	}
	for _, k := range c.checks {
		own := places[:k.wrong.Len()]
		places = places[len(own):]
		for i, p := range own {
			if p < 0 {
				continue
			}
			if k.locate != nil {
				exact, err := nd.Slice[int64](ctx, k.locate())
				if err != nil {
					return err
				}
				p = exact[i]
			}
			fault := k.err(position(i, c.lead), int(p))
			if k.seen != nil {
				seen, err := nd.Slice[float64](ctx, k.seen)
				if err != nil {
					return err
				}
				k.finish(fault, seen[i])
			}
			return nd.Fail("linalg", c.op, fault, c.operands...).Err()
		}
	}
	return nil
}

// result is compute for one result without a gradient.
func (c *calculation) result(ctx context.Context, a *nd.Array) (*nd.Array, error) {
	if err := c.compute(ctx, a); err != nil {
		return nil, err
	}
	return a, nil
}

// built computes what build makes of arrays, and leaves it differentiable by
// them. Arrays that were evaluated have no history, so the gradient is that of
// a second, lazy, copy.
func (c *calculation) built(ctx context.Context, build func(in []*nd.Array) []*nd.Array, in ...*nd.Array) ([]*nd.Array, error) {
	in = apart(in)
	done := build(in)
	if err := c.compute(ctx, done...); err != nil {
		return nil, err
	}
	again := func(in, _, grads []*nd.Array) []*nd.Array {
		var sum []*nd.Array
		for i, y := range build(in) {
			g := nd.Gradient{Seed: grads[i]}.Of(y, in...)
			for k := range sum {
				g[k] = g[k].Add(sum[k])
			}
			sum = g
		}
		return sum
	}
	return differentiable(func([]*nd.Array) []*nd.Array { return done }, again, in...), nil
}

// apart makes views of arrays, which may be the same one twice, as in
// Solve(ctx, a, a): each gets the gradient of its own place, and no more.
func apart(in []*nd.Array) []*nd.Array {
	out := make([]*nd.Array, len(in))
	for i, a := range in {
		out[i] = a.ExpandDims(0).Squeeze(0)
	}
	return out
}

// one is built for one result.
func (c *calculation) one(ctx context.Context, build func(in []*nd.Array) *nd.Array, in ...*nd.Array) (*nd.Array, error) {
	out, err := c.built(ctx, func(in []*nd.Array) []*nd.Array { return []*nd.Array{build(in)} }, in...)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// known is a result that needs no checks.
func known(a *nd.Array) (*nd.Array, error) { return a, a.Err() }

// position is the place of element i among dims.
func position(i int, dims []int) []int {
	at := make([]int, len(dims))
	for k := len(dims) - 1; k >= 0; k-- {
		at[k] = i % dims[k]
		i /= dims[k]
	}
	return at
}
