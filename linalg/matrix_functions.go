package linalg

import (
	"context"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Expm is the exponential of square matrices, the sum of a^k / k!, by a rational approximation of matrices scaled to a
// norm of about 5, which are squared again (Higham's scaling and squaring). It computes in float64 or complex128,
// and has gradients.
func Expm(ctx context.Context, a *nd.Array) (*nd.Array, error) {
	const op = "expm"
	x, bad := argument{op: op, name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return nil, bad.Err()
	}
	if x.empty() {
		return known(a)
	}
	look := newCalculation(op, x.lead, a)
	look.finite("a", x.Array)
	norms := x.Cast(widest(a.DType())).Abs().Sum(1).Max(1)
	if err := look.compute(ctx, norms); err != nil {
		return nil, err
	}
	sizes, err := nd.Slice[float64](ctx, norms)
	if err != nil {
		return nil, err
	}
	squarings, most := make([]int64, len(sizes)), int64(0)
	scales := make([]float64, len(sizes))
	for i, size := range sizes {
		// A matrix so large has an exponential that overflows, or is zero, or has no digits.
		squarings[i] = int64(min(max(math.Ceil(math.Log2(size/padeNorm)), 0), 1100))
		most = max(most, squarings[i])
		scales[i] = math.Ldexp(1, -int(squarings[i]))
	}
	c := newCalculation(op, x.lead, a)
	times := nd.From(squarings, len(sizes), 1, 1).Beside(a)
	by := nd.From(scales, len(sizes), 1, 1).Beside(a)
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		wide := in[0].Cast(widest(a.DType()))
		e := c.pade(wide.Mul(like(by, wide)))
		for k := range most {
			// Matrices that need fewer squarings than others are done.
			e = nd.Where(times.GreaterScalar(float64(k)), e.MatMul(e), e)
		}
		return x.back(e.Cast(a.DType()))
	}, x.Array)
}

// padeNorm is the norm up to which the approximation of padeTerms terms is exact to the rounding of float64 (Higham 2005).
const (
	padeNorm  = 5.371920351148152
	padeTerms = 13
)

// pade approximates exponentials by a quotient of polynomials, q(-a)^-1 q(a).
func (c *calculation) pade(a *nd.Array) *nd.Array {
	n := a.Dim(1)
	b := [padeTerms + 1]float64{1}
	for k := 1; k <= padeTerms; k++ {
		b[k] = b[k-1] * float64(padeTerms-k+1) / float64((2*padeTerms-k+1)*k)
	}
	one := eye(a, n, n).BroadcastTo(a.Shape()...)
	a2 := a.MatMul(a)
	a4 := a2.MatMul(a2)
	a6 := a4.MatMul(a2)
	// Terms of the powers 6, 4, 2 and 0 of a, from one on.
	terms := func(from int) *nd.Array {
		return a6.MulScalar(b[from+6]).Add(a4.MulScalar(b[from+4])).Add(a2.MulScalar(b[from+2])).Add(one.MulScalar(b[from]))
	}
	high := func(from int) *nd.Array {
		return a6.MatMul(a6.MulScalar(b[from+6]).Add(a4.MulScalar(b[from+4])).Add(a2.MulScalar(b[from+2])))
	}
	odd := a.MatMul(high(7).Add(terms(1)))
	even := high(6).Add(terms(0))
	return c.solved(even.Sub(odd), even.Add(odd), nd.Pairwise)
}

// MatrixPower is square matrices multiplied by themselves: k factors, the identity for 0, and for negative k factors of
// the inverse. It has gradients.
func MatrixPower(ctx context.Context, a *nd.Array, k int) (*nd.Array, error) {
	const op = "matrix_power"
	x, bad := argument{op: op, name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return nil, bad.Err()
	}
	if x.empty() {
		return known(a)
	}
	c := newCalculation(op, x.lead, a)
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		base := in[0]
		power := eye(base, x.Dim(1), x.Dim(2)).BroadcastTo(x.Shape()...)
		if k < 0 {
			base = c.solved(base, power, nd.Pairwise)
		}
		first := true
		for left := uint(max(k, -k)); left != 0; left >>= 1 {
			switch {
			case left&1 == 0:
			case first:
				power, first = base, false
			default:
				power = power.MatMul(base)
			}
			if left > 1 {
				base = base.MatMul(base)
			}
		}
		return x.back(power)
	}, x.Array)
}
