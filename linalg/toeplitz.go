package linalg

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

// spectrumOf transforms lines, followed by zeros up to n, and backFrom undoes it.
func spectrumOf(a *nd.Array, n int) *nd.Array {
	if a.DType().IsComplex() {
		return a.FFT(nd.FFT{N: n})
	}
	return a.RFFT(nd.FFT{N: n})
}

func backFrom(spectrum *nd.Array, t nd.DType, n int) *nd.Array {
	if t.IsComplex() {
		return spectrum.IFFT(nd.FFT{N: n})
	}
	return spectrum.IRFFT(nd.FFT{N: n})
}

// CirculantMul multiplies the circulant matrices with first columns c (..., n)
// by vectors x (..., n), which broadcast with each other, by FFT.
func CirculantMul(c, x *nd.Array) *nd.Array {
	const op = "circulant_mul"
	if bad := vectors(op, []string{"c", "x"}, c, x); bad != nil {
		return bad
	}
	n := c.Dim(-1)
	if x.Dim(-1) != n {
		return nd.Fail("linalg", op, fmt.Errorf("x has %d elements, c has %d", x.Dim(-1), n), c, x)
	}
	return backFrom(spectrumOf(c, n).Mul(spectrumOf(x, n)), c.DType(), n)
}

// ToeplitzMul multiplies the matrices Toeplitz(c, r) by vectors x (..., n),
// which broadcast with them, by FFT.
func ToeplitzMul(c, r, x *nd.Array) *nd.Array {
	const op = "toeplitz_mul"
	if c != nil && r == nil {
		r = c.Conj()
	}
	if bad := vectors(op, []string{"c", "r", "x"}, c, r, x); bad != nil {
		return bad
	}
	if x.Dim(-1) != r.Dim(-1) {
		return nd.Fail("linalg", op, fmt.Errorf("x has %d elements, r has %d", x.Dim(-1), r.Dim(-1)), c, r, x)
	}
	return toeplitzMul(c, r, x)
}

// toeplitzMul continues the matrix to a circulant one: the column, then zeros,
// then what is above the diagonal.
func toeplitzMul(c, r, x *nd.Array) *nd.Array {
	m, n := c.Dim(-1), r.Dim(-1)
	size := fastLen(m + n - 1)
	t := c.DType()
	column := spectrumOf(c, size)
	if n > 1 {
		above := r.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End}).Flip(-1)
		column = column.Add(spectrumOf(above.PadAxis(-1, nd.Margin{Before: size - n + 1}, nd.Pad{}), size))
	}
	return backFrom(column.Mul(spectrumOf(x, size)), t, size).SliceAxis(-1, nd.Range{Stop: m})
}

// HankelMul multiplies the matrices Hankel(c, r) by vectors x (..., n), which
// broadcast with them, by FFT: a Hankel matrix is a Toeplitz one from right to
// left.
func HankelMul(c, r, x *nd.Array) *nd.Array {
	const op = "hankel_mul"
	if c != nil && r == nil {
		r = nd.FullLike(c, 0)
	}
	if bad := vectors(op, []string{"c", "r", "x"}, c, r, x); bad != nil {
		return bad
	}
	if x.Dim(-1) != r.Dim(-1) {
		return nd.Fail("linalg", op, fmt.Errorf("x has %d elements, r has %d", x.Dim(-1), r.Dim(-1)), c, r, x)
	}
	if bad := edges(op, &c, &r); bad != nil {
		return bad
	}
	v := nd.Concat(-1, c, r.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End}))
	n := r.Dim(-1)
	return toeplitzMul(v.SliceAxis(-1, nd.Range{Start: n - 1, Stop: nd.End}), v.SliceAxis(-1, nd.Range{Stop: n}).Flip(-1), x.Flip(-1))
}

// CirculantSolve solves for the x that CirculantMul takes to b. An eigenvalue,
// that is a bin of the transform of c, which is zero to rounding is a
// *SingularError, whose pivot is the bin.
func CirculantSolve(ctx context.Context, c, b *nd.Array) (*nd.Array, error) {
	const op = "circulant_solve"
	if bad := vectors(op, []string{"c", "b"}, c, b); bad != nil {
		return nil, bad.Err()
	}
	n := c.Dim(-1)
	if b.Dim(-1) != n {
		return nil, nd.Fail("linalg", op, fmt.Errorf("b has %d elements, c has %d", b.Dim(-1), n), c, b).Err()
	}
	lead := c.Shape()[:c.NDim()-1]
	k := newCalculation(op, lead, c, b)
	k.finite("c", c.Reshape(count(lead), 1, n))
	k.finite("b", b.Reshape(b.Len()/n, 1, n))
	bins := spectrumOf(c, n)
	size := bins.Abs().Reshape(count(lead), bins.Dim(-1))
	least := size.Max(1).ExpandDims(1).MulScalar(rounding(c.DType()) * float64(n))
	k.never(size.LessEqual(least), func(matrix []int, place int) error {
		return &SingularError{Matrix: matrix, Pivot: place}
	})
	return k.one(ctx, func(in []*nd.Array) *nd.Array {
		return backFrom(spectrumOf(in[1], n).Div(spectrumOf(in[0], n)), c.DType(), n)
	}, c, b)
}

// rounding is the spacing of numbers at 1.
func rounding(t nd.DType) float64 {
	if t == nd.Float64 || t == nd.Complex128 {
		return 0x1p-52
	}
	return 0x1p-23
}

// ToeplitzSolve solves for the x that ToeplitzMul takes to b, for square
// matrices with first column c and first row r (nil: c, conjugated). Complex ones
// are solved as any matrix is. Of real ones Levinson's recursion finds two columns of the inverse; with them every right side (..., n) takes
// only transforms, and a step of refinement.
//
// The recursion needs all leading parts of the matrix to be regular, which
// positive definite ones are: a singular one is a *SingularError, and results
// lose digits where one is nearly so. Solve with Toeplitz(c, r) has no such
// condition.
func ToeplitzSolve(ctx context.Context, c, r, b *nd.Array) (*nd.Array, error) {
	const op = "toeplitz_solve"
	if c != nil && r == nil {
		r = c.Conj()
	}
	if bad := vectors(op, []string{"c", "r", "b"}, c, r, b); bad != nil {
		return nil, bad.Err()
	}
	n := c.Dim(-1)
	switch {
	case r.Dim(-1) != n || b.Dim(-1) != n:
		return nil, nd.Fail("linalg", op, fmt.Errorf("c, r and b have %d, %d and %d elements: want the same", n, r.Dim(-1), b.Dim(-1)), c, r, b).Err()
	}
	if bad := edges(op, &c, &r); bad != nil {
		return nil, bad.Err()
	}
	lead := c.Shape()[:c.NDim()-1]
	if count(lead) == 0 || b.Len() == 0 {
		return known(toeplitzMul(c, r, b)) // nothing, in the shape of a solution
	}
	if c.DType().IsComplex() {
		x, err := Solve(ctx, Toeplitz(c, r), b.ExpandDims(-1))
		if err != nil {
			return nil, err
		}
		return known(x.Squeeze(-1))
	}
	k := newCalculation(op, lead, c, r, b)
	k.finite("c", c.Reshape(count(lead), 1, n))
	k.finite("r", r.Reshape(count(lead), 1, n))
	k.finite("b", b.Reshape(b.Len()/n, 1, n))
	return k.one(ctx, func(in []*nd.Array) *nd.Array {
		wide := func(a *nd.Array) *nd.Array { return a.Cast(nd.Float64) }
		return k.toeplitzSolved(wide(in[0]), wide(in[1]), wide(in[2])).Cast(c.DType())
	}, c, r, b)
}

// toeplitzInverse is a function that multiplies by the inverse.
func (k *calculation) toeplitzInverse(c, r *nd.Array) func(*nd.Array) *nd.Array {
	lead := c.Shape()[:c.NDim()-1]
	batch, n := count(lead), c.Dim(-1)
	groups := min(max(n, 32)/32, 32)
	padded := roundUp(n, 32*groups)
	v := nd.Concat(-1, r.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End}).Flip(-1), c).Reshape(batch, 2*n-1)
	v = v.PadAxis(1, nd.Margin{Before: padded, After: padded}, nd.Pad{})
	out := toeplitz.Call(nd.Launch{Inputs: []*nd.Array{v}, Shapes: [][]int{{batch, padded + 1}, {batch, padded + 1}, {batch}},
		DTypes: []nd.DType{nd.Float64, nd.Float64, nd.Int32}, Grid: [3]int{32, groups, batch}, Threadgroup: [3]int{32, groups, 1},
		Template: map[string]any{"SIDE": n, "PADDED": padded, "GROUPS": groups}})
	line := func(a *nd.Array) *nd.Array {
		return a.SliceAxis(1, nd.Range{Start: 1, Stop: n + 1}).Reshape(append(lead[:len(lead):len(lead)], n)...)
	}
	f, last := line(out[0]), line(out[1])
	corner := f.SliceAxis(-1, nd.Range{Stop: 1})
	k.require(out[2].Cast(nd.Int64), func(matrix []int, place int) error { return &SingularError{Matrix: matrix, Pivot: place} })
	k.never(corner.Reshape(batch, 1).EqualScalar(0), func(matrix []int, _ int) error {
		return &SingularError{Matrix: matrix, Pivot: max(n-2, 0)}
	})
	zero := nd.FullLike(corner, 0)
	down := func(a *nd.Array) *nd.Array { // moved by one, a zero in front
		return nd.Concat(-1, zero, a.SliceAxis(-1, nd.Range{Stop: n - 1}))
	}
	triangle := func(column, x *nd.Array) *nd.Array { return toeplitzMul(column, nd.FullLike(column, 0), x) }
	upper := func(row, x *nd.Array) *nd.Array { return triangle(row, x.Flip(-1)).Flip(-1) }
	// The formula of Gohberg and Semencul.
	return func(x *nd.Array) *nd.Array {
		first := triangle(f, upper(last.Flip(-1), x))
		second := triangle(down(last), upper(down(f.Flip(-1)), x))
		return first.Sub(second).Div(corner)
	}
}

// Prediction is what Levinson finds.
type Prediction struct {
	A          *nd.Array // (..., order+1): the whitening filter, 1 first
	Reflection *nd.Array // (..., order)
	Power      *nd.Array // (...): what is left of the correlation at lag 0
}

// Levinson finds linear predictors, lazily, from correlations r (..., lags) at
// lags 0 to order, by the recursion of Levinson and Durbin: the sum of A[i]
// x[t-i] is what order earlier samples do not tell of x[t].
func Levinson(r *nd.Array, order int) Prediction {
	const op = "levinson"
	bad := vectors(op, []string{"r"}, r)
	switch {
	case bad != nil:
	case r.DType().IsComplex():
		bad = nd.Fail("linalg", op, fmt.Errorf("r is %s: want float32 or float64", r.DType()), r)
	case order < 1 || order >= r.Dim(-1) || order > mostOrder:
		bad = nd.Fail("linalg", op, fmt.Errorf("order %d with %d lags: want 1 to %d", order, r.Dim(-1), min(r.Dim(-1)-1, mostOrder)), r)
	}
	if bad != nil {
		return Prediction{bad, bad, bad}
	}
	lead := r.Shape()[:r.NDim()-1]
	lines := count(lead)
	shaped := func(a *nd.Array) *nd.Array {
		return a.Reshape(append(lead[:len(lead):len(lead)], a.Shape()[1:]...)...)
	}
	if lines == 0 {
		part := func(n int) *nd.Array { return r.SliceAxis(-1, nd.Range{Stop: n}) }
		return Prediction{part(order + 1), part(order), r.Sum(-1)}
	}
	out := differentiable(func(in []*nd.Array) []*nd.Array {
		return levinson.Call(nd.Launch{Inputs: in,
			Shapes: [][]int{{lines, order + 1}, {lines, order}, {lines}}, DTypes: []nd.DType{r.DType()},
			Grid: [3]int{lines}, Template: map[string]any{"T": r.DType(), "ORDER": order}})
	}, pullLevinson(order), r.SliceAxis(-1, nd.Range{Stop: order + 1}).Reshape(lines, order+1))
	return Prediction{shaped(out[0]), shaped(out[1]), shaped(out[2])}
}

// mostOrder bounds what each thread of the kernel keeps.
const mostOrder = 256

// fastLen is a length from n on that transforms quickly.
func fastLen(n int) int {
	if fast, err := fft.NextFastLen(n); err == nil {
		return fast
	}
	return n // only lengths past what an int can hold have no fast one
}
