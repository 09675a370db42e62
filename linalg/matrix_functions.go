package linalg

import (
	"context"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// Expm is the exponential of square matrices, the sum of a^k / k!, by a rational approximation of matrices scaled to
// powers of about 5, which are squared again (scaling and squaring of Al-Mohy and Higham). It computes in float64 or complex128,
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
	squarings, err := squaringsOf(ctx, newCalculation(op, x.lead, a), x.Cast(widest(a.DType())))
	if err != nil {
		return nil, err
	}
	scales := make([]float64, len(squarings))
	for i, k := range squarings {
		scales[i] = math.Ldexp(1, -int(k))
	}
	most := slices.Max(squarings)
	c := newCalculation(op, x.lead, a)
	times := nd.From(squarings, len(squarings), 1, 1).Beside(a)
	by := nd.From(scales, len(scales), 1, 1).Beside(a)
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

// squaringsOf is how often to halve each matrix before its exponential is approximated. Powers of a matrix may be far smaller
// than the powers of its norm, as of triangles and of badly scaled matrices: what counts are roots of norms of powers (Al-Mohy
// and Higham 2009), since every squaring costs digits.
func squaringsOf(ctx context.Context, c *calculation, a *nd.Array) ([]int64, error) {
	c.finite("a", a)
	a, size := inRange(a, false)
	norm := func(a *nd.Array) *nd.Array { return a.Abs().Sum(1).Max(1) }
	norms := nd.Stack(0, norm(a), size.Flatten())
	if err := c.compute(ctx, norms); err != nil {
		return nil, err
	}
	logs, err := logarithms(ctx, norms)
	if err != nil {
		return nil, err
	}
	whole := logs[0]
	squarings, far := make([]int64, len(whole)), false
	for i := range whole {
		whole[i] += logs[1][i]
		far = far || whole[i] > math.Log2(padeNorm)
	}
	if !far {
		return squarings, nil
	}
	own := norm(a).Reshape(a.Dim(0), 1, 1)
	unit := a.Div(like(nd.Where(own.EqualScalar(0), nd.FullLike(own, 1), own), a)) // of norm 1
	a2 := unit.MatMul(unit)
	a4 := a2.MatMul(a2)
	a6 := a4.MatMul(a2)
	// The first term that the approximation leaves out has 27 = 1 + 2 + 8 + 16 factors, of which rounding sees the moduli.
	last := unit.Abs()
	sums := last.Sum(1).ExpandDims(1)
	for _, takes := range []bool{true, false, true, true} {
		if last = last.MatMul(last); takes {
			sums = sums.MatMul(last)
		}
	}
	logs, err = logarithms(ctx, nd.Stack(0, norm(a6), norm(a4.MatMul(a4)), norm(a4.MatMul(a6)), sums.Max(1, 2)))
	if err != nil {
		return nil, err
	}
	for i, size := range whole {
		d6, d8, d10 := size+logs[0][i]/6, size+logs[1][i]/8, size+logs[2][i]/10
		halvings := math.Ceil(max(min(max(d6, d8), max(d8, d10))-math.Log2(padeNorm), 0))
		left := 2*padeTerms*(size-halvings) + logs[3][i] - math.Log2(padeRest) + 53
		halvings += math.Ceil(max(left/(2*padeTerms), 0))
		squarings[i] = int64(min(halvings, 1074)) // beyond there are no numbers
	}
	return squarings, nil
}

// logarithms is the binary ones of the rows of an array.
func logarithms(ctx context.Context, a *nd.Array) ([][]float64, error) {
	list, err := nd.Slice[float64](ctx, a)
	if err != nil {
		return nil, err
	}
	rows := make([][]float64, a.Dim(0))
	for i := range rows {
		n := a.Dim(1)
		for _, v := range list[i*n:][:n] {
			rows[i] = append(rows[i], math.Log2(v))
		}
	}
	return rows, nil
}

// padeNorm is the norm up to which the approximation of padeTerms terms is exact to the rounding of float64 (Higham 2005).
const (
	padeNorm  = 5.371920351148152
	padeTerms = 13
	padeRest  = 113250775606021113483283660800000000 // 26! 27! / 13!^2, under the first term that it leaves out
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
	c.finite("a", x.Array)
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
