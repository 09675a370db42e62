package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// SingularValues is the singular values (..., k) of matrices (..., m, n), greatest first, where k is the lesser of m and n: those of
// SVD, in less time. It has gradients.
func SingularValues(ctx context.Context, a *nd.Array) (*nd.Array, error) {
	const op = "singular_values"
	x, bad := argument{op: op, name: "a", complex: true}.matrices(a)
	if bad != nil {
		return nil, bad.Err()
	}
	if x.empty() {
		k := min(x.Dim(1), x.Dim(2))
		return known(nd.Zeros(a.DType().Real(), append(x.lead[:len(x.lead):len(x.lead)], k)...))
	}
	c := newCalculation(op, x.lead, a)
	c.finite("a", x.Array)
	return c.one(ctx, func(in []*nd.Array) *nd.Array { return x.back(c.singularValues(in[0]).Cast(a.DType().Real())) }, x.Array)
}

// EighValues is the eigenvalues (..., n) of Eigh, least first: of real matrices that the CPU computes, in less time. It has gradients.
func EighValues(ctx context.Context, a *nd.Array, opt ...HermitianOptions) (*nd.Array, error) {
	const op = "eigh_values"
	x, bad := argument{op: op, name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return nil, bad.Err()
	}
	if x.empty() || !takesEigh(x.Array) {
		w, _, err := eighFor(ctx, op, a, opt)
		return w, err
	}
	if len(opt) > 0 {
		x.Array = opt[0].half(x.Array)
	}
	c := newCalculation(op, x.lead, a)
	w, _, fault := eighOf(x.Array, false)
	c.sound(fault, x.Dim(1), mostTurns)
	out, err := c.kept(ctx, x, func(in, _, grads []*nd.Array) []*nd.Array {
		w, v, _ := eighOf(in[0], true)
		return pullLowerEigh(in, []*nd.Array{w, v}, []*nd.Array{grads[0], nd.FullLike(v, 0)})
	}, w)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}
