package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// Solve solves a x = b for square matrices a, shaped (..., n, n), by elimination
// with exchanges. b is (..., n, k), or (..., n) for one right side, which gives
// x of the same shape; its leading axes broadcast to those of a. A pivot that is
// zero is a *SingularError.
func Solve(ctx context.Context, a, b *nd.Array) (*nd.Array, error) {
	s, bad := systemOf("solve", a, b)
	if bad != nil {
		return nil, bad.Err()
	}
	if s.empty() {
		return known(s.solution(s.b))
	}
	c := s.calculation()
	c.finite("a", s.a)
	c.finite("b", s.b)
	f := luOf(s.a)
	c.nonzero(diagonal(f.packed))
	return c.result(ctx, s.solution(f.solve(s.b)))
}

// Inverse inverts square matrices. A pivot that is zero is a *SingularError. To
// solve with a matrix, Solve is faster and more exact.
func Inverse(ctx context.Context, a *nd.Array) (*nd.Array, error) {
	const op = "inverse"
	x, bad := argument{op: op, name: "a", square: true}.matrices(a)
	if bad != nil {
		return nil, bad.Err()
	}
	if x.empty() {
		return a, nil
	}
	c := newCalculation(op, x.lead, a)
	c.finite("a", x.Array)
	f := luOf(x.Array)
	c.nonzero(diagonal(f.packed))
	n := x.Dim(1)
	return c.result(ctx, x.back(f.solve(eye(x.Array, n, n).BroadcastTo(x.Shape()...))))
}

// Det is the determinant of square matrices, lazily; 1 of matrices without
// rows. For large matrices it easily overflows: see LogDet.
func Det(a *nd.Array) *nd.Array {
	x, bad := argument{op: "det", name: "a", square: true}.matrices(a)
	if bad != nil {
		return bad
	}
	if x.Dim(1) == 0 {
		return nd.Ones(a.DType(), x.lead...)
	}
	f := luOf(x.Array)
	return diagonal(f.packed).Prod(1).Mul(f.sign()).Reshape(x.lead...)
}

// LogDet is the determinant of square matrices as its sign, which is -1, 0 or
// 1, and the logarithm of its modulus, lazily.
func LogDet(a *nd.Array) (sign, log *nd.Array) {
	x, bad := argument{op: "log_det", name: "a", square: true}.matrices(a)
	if bad != nil {
		return bad, bad
	}
	if x.Dim(1) == 0 {
		return nd.Ones(a.DType(), x.lead...), nd.Zeros(a.DType(), x.lead...)
	}
	f := luOf(x.Array)
	d := diagonal(f.packed)
	return d.Sign().Prod(1).Mul(f.sign()).Reshape(x.lead...), d.Abs().Log().Sum(1).Reshape(x.lead...)
}
