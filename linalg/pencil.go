package linalg

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// GeneralizedEigh solves a v = b v diag(w) for symmetric or Hermitian a and positive definite b, both (..., n, n), of which the lower
// halves are read: w (..., n), least first, and the columns of v, for which v' b v is the identity. b that is not
// positive definite is a *NotPositiveDefiniteError. It has the gradients of Eigh and Cholesky; the more digits the
// condition of b takes, the fewer are left.
func GeneralizedEigh(ctx context.Context, a, b *nd.Array) (w, v *nd.Array, err error) {
	const op = "generalized_eigh"
	x, bad := argument{op: op, name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return nil, nil, bad.Err()
	}
	y, bad := argument{op: op, name: "b", square: true, complex: true}.matrices(b)
	switch {
	case bad != nil:
		return nil, nil, bad.Err()
	case a.DType() != b.DType():
		return nil, nil, nd.Fail("linalg", op, fmt.Errorf("b is %s, a is %s", b.DType(), a.DType()), a, b).Err()
	case fmt.Sprint(a.Shape()) != fmt.Sprint(b.Shape()):
		return nil, nil, nd.Fail("linalg", op, &ShapeError{Name: "b", Shape: b.Shape(), Want: fmt.Sprintf("that of a, %v", a.Shape())}, a, b).Err()
	}
	if x.empty() {
		return Eigh(ctx, a)
	}
	c := newCalculation(op, x.lead, a, b)
	c.finite("a", keep(x.Array, onOrBelow))
	c.finite("b", keep(y.Array, onOrBelow))
	t := a.DType()
	out, err := c.built(ctx, func(in []*nd.Array) []*nd.Array {
		l, lost := cholesky(keep(in[1].Cast(widest(t)), onOrBelow))
		c.never(lost, func(matrix []int, place int) error {
			return &NotPositiveDefiniteError{Matrix: matrix, Pivot: place}
		})
		left := func(m *nd.Array) *nd.Array { return solveLower(l, m, false) }
		middle := left(adjoint(left(hermitian(in[0].Cast(widest(t)))))) // l^-1 a l'^-1 is Hermitian
		eigh := differentiable(func(in []*nd.Array) []*nd.Array { return c.eigh(in[0]) }, pullEigh, hermitian(middle))
		v := solveTriangle(adjoint(l), eigh[1], true, false)
		return []*nd.Array{x.back(eigh[0].Cast(t.Real())), x.back(v.Cast(t))}
	}, x.Array, y.Array)
	if err != nil {
		return nil, nil, err
	}
	return out[0], out[1], nil
}
