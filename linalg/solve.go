package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// SolveOptions is the options of Solve. The zero value is the default.
type SolveOptions struct {
	// Accumulation of nd.Compensated or nd.Exact refines the solution a few times, with
	// the residual b - a x computed in that mode. Solutions are then exact to the
	// rounding of their type, as long as the condition number of a is below the inverse
	// of the unit roundoff. Elimination alone loses digits in proportion to the
	// condition number.
	Accumulation nd.Accumulation
}

// Solve solves a x = b for square matrices a of shape (..., n, n), by elimination with row
// exchanges. b has shape (..., n, k), or (..., n) for one right-hand side, and x has the
// same shape; the leading axes of b broadcast to those of a. A zero pivot is a
// *SingularError.
func Solve(ctx context.Context, a, b *nd.Array, opt ...SolveOptions) (*nd.Array, error) {
	var o SolveOptions
	if len(opt) > 0 {
		o = opt[0]
	}
	s, bad := systemFor(argument{op: "solve", name: "a", square: true, complex: true}, a, b)
	if bad != nil {
		return nil, bad.Err()
	}
	if s.empty() {
		return known(s.solution(s.b))
	}
	if err := checkAccumulation(s.op, o.Accumulation, a, b); err != nil {
		return nil, err
	}
	c := s.calculation()
	if takesWhole(s.a) && !precise(o.Accumulation) {
		return c.solvedWhole(ctx, s.a, s.b, s.solution)
	}
	c.finite("a", s.a)
	c.finite("b", s.b)
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		return s.solution(c.solved(in[0], in[1], o.Accumulation))
	}, s.a, s.b)
}

// solved solves a x = b, and asks that a is regular.
func (c *calculation) solved(a, b *nd.Array, mode nd.Accumulation) *nd.Array {
	if takesWhole(a) && !precise(mode) {
		x, fault := solveOf(a, b)
		c.solvable(fault, b.Dim(1), b.Dim(2))
		return differentiable(func([]*nd.Array) []*nd.Array { return []*nd.Array{x} }, pullSolve, a, b)[0]
	}
	if takesSmall(a, b) && !precise(mode) {
		x, pivots := solvedSmall(a, b)
		c.nonzero(pivots)
		return differentiable(func([]*nd.Array) []*nd.Array { return []*nd.Array{x} }, pullSolve, a, b)[0]
	}
	f := luOf(a)
	c.nonzero(diagonal(f.packed))
	return differentiable(func(in []*nd.Array) []*nd.Array {
		x := f.solve(in[1])
		if precise(mode) {
			for range refinements {
				x = x.Add(f.solve(residual(in[0], in[1], x, mode)))
			}
		}
		return []*nd.Array{x}
	}, pullSolve, a, b)[0]
}

// solvedWhole solves a x = b by one kernel, and gives x a shape.
func (c *calculation) solvedWhole(ctx context.Context, a, b *nd.Array, shaped func(*nd.Array) *nd.Array) (*nd.Array, error) {
	x, fault := solveOf(a, b)
	c.solvable(fault, b.Dim(1), b.Dim(2))
	if err := c.compute(ctx, x); err != nil {
		return nil, err
	}
	in := apart([]*nd.Array{a, b})
	return shaped(differentiable(func([]*nd.Array) []*nd.Array { return []*nd.Array{x} }, pullSolve, in...)[0]), nil
}

// Inverse inverts square matrices. A pivot that is zero is a *SingularError. To
// solve with a matrix, Solve is faster and more exact.
func Inverse(ctx context.Context, a *nd.Array) (*nd.Array, error) {
	const op = "inverse"
	x, bad := argument{op: op, name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return nil, bad.Err()
	}
	if x.empty() {
		return a, nil
	}
	c := newCalculation(op, x.lead, a)
	n := x.Dim(1)
	if takesWhole(x.Array) {
		return c.solvedWhole(ctx, x.Array, eye(x.Array, n, n).BroadcastTo(x.Shape()...), x.back)
	}
	c.finite("a", x.Array)
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		return x.back(c.solved(in[0], eye(in[0], n, n).BroadcastTo(x.Shape()...), nd.Pairwise))
	}, x.Array)
}

// Det is the determinant of square matrices, lazily; 1 of matrices without
// rows. For large matrices it easily overflows: see LogDet.
func Det(a *nd.Array) *nd.Array {
	x, bad := argument{op: "det", name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return bad
	}
	if x.empty() {
		return nd.Ones(a.DType(), x.lead...)
	}
	det := differentiable(func(in []*nd.Array) []*nd.Array {
		if takesWhole(in[0]) {
			det, _, _ := detOf(in[0])
			return []*nd.Array{det}
		}
		f := luOf(in[0])
		return []*nd.Array{diagonal(f.packed).Prod(1).Mul(f.sign())}
	}, pullDet, x.Array)[0]
	return det.Reshape(x.lead...)
}

// LogDet is the determinant of square matrices as its sign, which is -1, 0 or
// 1, or a complex number of modulus 1 or 0, and the logarithm of its modulus,
// lazily.
func LogDet(a *nd.Array) (sign, log *nd.Array) {
	x, bad := argument{op: "log_det", name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return bad, bad
	}
	if x.empty() {
		return nd.Ones(a.DType(), x.lead...), nd.Zeros(a.DType().Real(), x.lead...)
	}
	out := differentiable(func(in []*nd.Array) []*nd.Array {
		if takesWhole(in[0]) {
			_, sign, log := detOf(in[0])
			return []*nd.Array{sign, log}
		}
		f := luOf(in[0])
		d := diagonal(f.packed)
		return []*nd.Array{direction(d).Prod(1).Mul(f.sign()), d.Abs().Log().Sum(1)}
	}, pullLogDet, x.Array)
	return out[0].Reshape(x.lead...), out[1].Reshape(x.lead...)
}
