package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// LeastSquaresOptions is the options of LeastSquares.
type LeastSquaresOptions struct {
	// MinNorm accepts matrices of any rank and gives the shortest solution. It
	// takes a full SVD.
	MinNorm bool
	// Tolerance is what singular values count as zero for MinNorm: see
	// RankOptions.
	Tolerance float64
	// Accumulation of nd.Compensated or nd.Exact improves the solution by what a x and
	// the rest b - a x lack when they are added up in that way, a few times. Solutions
	// are then exact to the rounding of their type, as long as the condition of a is
	// below its inverse; without it the square of the condition counts where b does not
	// fit. With MinNorm that holds for matrices of full rank.
	Accumulation nd.Accumulation
}

// LeastSquares finds the x for which a x is closest to b. a is (..., m, n), b and x as in
// Solve. If m is less than n there are many solutions, and it returns the shortest. A
// matrix of less than full rank is a *RankError unless MinNorm is set.
func LeastSquares(ctx context.Context, a, b *nd.Array, opt ...LeastSquaresOptions) (*nd.Array, error) {
	var o LeastSquaresOptions
	if len(opt) > 0 {
		o = opt[0]
	}
	s, bad := systemFor(argument{op: "least_squares", name: "a", complex: true}, a, b)
	if bad != nil {
		return nil, bad.Err()
	}
	if s.empty() {
		return known(s.solution(nd.Zeros(a.DType(), s.a.Dim(0), s.a.Dim(2), s.b.Dim(2)).Beside(a)))
	}
	if err := checkAccumulation("least_squares", o.Accumulation, a, b); err != nil {
		return nil, err
	}
	c := s.calculation()
	c.finite("a", s.a)
	c.finite("b", s.b)
	if err := o.rank().check(); err != nil {
		return nil, nd.Fail("linalg", "least_squares", err, a, b).Err()
	}
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		if !precise(o.Accumulation) {
			return s.solution(c.leastSquares(in[0], in[1], o))
		}
		// The gradient is that of the solution without refinement, which is the same one.
		return s.solution(differentiable(func(in []*nd.Array) []*nd.Array {
			return []*nd.Array{c.refinedLeastSquares(in[0], in[1], o)}
		}, func(in, _, grads []*nd.Array) []*nd.Array {
			return nd.Gradient{Seed: grads[0]}.Of(c.leastSquares(in[0], in[1], o), in...)
		}, in...)[0])
	}, s.a, s.b)
}

func (o LeastSquaresOptions) rank() RankOptions { return RankOptions{Tolerance: o.Tolerance} }

// leastSquares solves once.
func (c *calculation) leastSquares(a, b *nd.Array, o LeastSquaresOptions) *nd.Array {
	if o.MinNorm {
		return c.pinv(a, o.rank()).MatMul(b.Cast(widest(a.DType()))).Cast(a.DType())
	}
	q, r := c.fullRank(a)
	if a.Dim(1) < a.Dim(2) {
		return q.MatMul(solveTriangle(adjoint(r), b, false, false))
	}
	return solveTriangle(r, adjoint(q).MatMul(b), true, false)
}

// refinedLeastSquares solves, and improves what it has.
func (c *calculation) refinedLeastSquares(a, b *nd.Array, o LeastSquaresOptions) *nd.Array {
	zeros := func(rows int) *nd.Array {
		return nd.FullLike(columns(a, 0, 1), 0).Sum(1).ExpandDims(1).BroadcastTo(a.Dim(0), rows, b.Dim(2))
	}
	if o.MinNorm {
		wide := widest(a.DType())
		u, v, over := c.pinvParts(a, o.rank())
		g := augmented{a.Cast(wide), u,
			func(x *nd.Array) *nd.Array { return v.MatMul(x.Mul(over)) },
			func(x *nd.Array) *nd.Array { return adjoint(v).MatMul(x).Mul(over) }}
		_, x := g.solve(b.Cast(wide), zeros(a.Dim(2)).Cast(wide), o.Accumulation)
		return x.Cast(a.DType())
	}
	q, r := c.fullRank(a)
	if a.Dim(1) < a.Dim(2) {
		x, _ := factors(adjoint(a), q, r).solve(zeros(a.Dim(2)), b, o.Accumulation)
		return x
	}
	_, x := factors(a, q, r).solve(b, zeros(a.Dim(2)), o.Accumulation)
	return x
}

// fullRank factors a, or its adjoint if that is the tall one, and asks that it has
// full rank.
func (c *calculation) fullRank(a *nd.Array) (q, r *nd.Array) {
	m, n := a.Dim(1), a.Dim(2)
	tall := a
	if m < n {
		tall = adjoint(a)
	}
	q, r = thinQR(tall, QROptions{})
	d := diagonal(r).Abs()
	// What follows a dependent column is not known to be independent, but this
	// many columns before it are.
	least := d.Max(1).ExpandDims(1).MulScalar(rankTolerance(a))
	c.never(d.LessEqual(least), func(matrix []int, place int) error {
		return &RankError{Matrix: matrix, Rank: place, Want: min(m, n)}
	})
	return q, r
}
