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
}

// LeastSquares finds the x for which a x is closest to b. a is (..., m, n), b
// and x as in Solve. Where m is less than n there are many; it gives the
// shortest. A matrix of less than full rank is a *RankError unless MinNorm is
// set.
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
	c := s.calculation()
	c.finite("a", s.a)
	c.finite("b", s.b)
	rank := RankOptions{Tolerance: o.Tolerance}
	if err := rank.check(); err != nil {
		return nil, nd.Fail("linalg", "least_squares", err, a, b).Err()
	}
	if o.MinNorm {
		return c.one(ctx, func(in []*nd.Array) *nd.Array {
			return s.solution(c.pinv(in[0], rank).MatMul(in[1].Cast(widest(a.DType()))).Cast(a.DType()))
		}, s.a, s.b)
	}
	return c.one(ctx, func(in []*nd.Array) *nd.Array { return s.solution(c.closest(in[0], in[1])) }, s.a, s.b)
}

// closest solves by QR, and asks that a has full rank.
func (c *calculation) closest(a, b *nd.Array) *nd.Array {
	m, n := a.Dim(1), a.Dim(2)
	tall := a
	if m < n {
		tall = adjoint(a)
	}
	q, r := thinQR(tall, QROptions{})
	d := diagonal(r).Abs()
	// What follows a dependent column is not known to be independent, but this
	// many columns before it are.
	least := d.Max(1).ExpandDims(1).MulScalar(rankTolerance(a))
	c.require(firstTrue(d.LessEqual(least)), func(matrix []int, place int) error {
		return &RankError{Matrix: matrix, Rank: place, Want: min(m, n)}
	})
	if m < n {
		return q.MatMul(solveTriangle(adjoint(r), b, false, false))
	}
	return solveTriangle(r, adjoint(q).MatMul(b), true, false)
}
