package linalg_test

import (
	"context"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// small fails unless an array has only elements that are nearly 0.
func small(t *testing.T, what string, a *nd.Array) {
	t.Helper()
	v, err := nd.Slice[float64](context.Background(), a.Abs().Max().Cast(nd.Float64))
	if err != nil {
		t.Fatal(what, err)
	}
	if !(v[0] < 1e-12) {
		t.Errorf("%s: off by %g", what, v[0])
	}
}

func adjoint(a *nd.Array) *nd.Array { return a.SwapAxes(-1, -2).Conj() }

func drawn(complex bool, shape ...int) *nd.Array {
	a := nd.Normal(1, nd.Float64, shape...)
	if complex {
		return nd.Complex(a, nd.Normal(2, nd.Float64, shape...))
	}
	return a
}

// Complete factors are square, unitary, and begin with the thin ones.
func TestCompleteFactors(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, complex := range []bool{false, true} {
		for _, s := range [][2]int{{5, 3}, {3, 5}, {4, 4}, {70, 20}} {
			m, n := s[0], s[1]
			a := drawn(complex, 2, m, n)
			eye := func(n int) *nd.Array { return nd.Eye(a.DType(), n) }
			q, r := linalg.QR(a, linalg.QROptions{Complete: true})
			small(t, "q", adjoint(q).MatMul(q).Sub(eye(m)))
			small(t, "qr", q.MatMul(r).Sub(a))
			u, w, v, err := linalg.SVD(ctx, a, linalg.SVDOptions{Full: true})
			if err != nil {
				t.Fatal(err)
			}
			small(t, "u", adjoint(u).MatMul(u).Sub(eye(m)))
			small(t, "v", adjoint(v).MatMul(v).Sub(eye(n)))
			k := min(m, n)
			thin := func(a *nd.Array) *nd.Array { return a.SliceAxis(-1, nd.Range{Stop: k}) }
			small(t, "svd", thin(u).Mul(w.Cast(a.DType()).ExpandDims(-2)).MatMul(adjoint(thin(v))).Sub(a))
		}
	}
	if q, r := linalg.QR(nd.Zeros(nd.Float64, 3, 0), linalg.QROptions{Complete: true}); q.Err() != nil || q.Dim(-1) != 3 || r.Dim(-2) != 3 {
		t.Errorf("no columns: q %v, r %v", q.Shape(), r.Shape())
	}
}

// The upper half says as much as the lower one, and what is in the other half says
// nothing.
func TestUpperHalves(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, complex := range []bool{false, true} {
		for _, n := range []int{1, 5, 70} {
			b := drawn(complex, n, n)
			a := b.MatMul(adjoint(b)).Add(nd.Eye(b.DType(), n))
			line := nd.Arange(0, float64(n), 1)
			above := line.ExpandDims(1).LessEqual(line.ExpandDims(0))
			spoiled := nd.Where(above, a, nd.FullLike(a, 7))
			upper := linalg.HermitianOptions{Upper: true}
			u, err := linalg.Cholesky(ctx, spoiled, upper)
			if err != nil {
				t.Fatal(err)
			}
			size := a.Abs().Max().Cast(a.DType())
			small(t, "cholesky", adjoint(u).MatMul(u).Sub(a).Div(size))
			small(t, "triangle", nd.Where(above, nd.FullLike(u, 0), u))
			w, v, err := linalg.Eigh(ctx, spoiled, upper)
			if err != nil {
				t.Fatal(err)
			}
			small(t, "eigh", a.MatMul(v).Sub(v.Mul(w.Cast(a.DType()).ExpandDims(-2))).Div(size))
		}
	}
}

func TestRankOptions(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, complex := range []bool{false, true} {
		q, _ := linalg.QR(drawn(complex, 5, 5))
		a := q.Mul(nd.From([]float64{4, -2, 1e-3, 1e-9, 0}).Cast(q.DType())).MatMul(adjoint(q))
		for _, c := range []struct {
			o    linalg.RankOptions
			want int64
		}{{linalg.RankOptions{}, 4}, {linalg.RankOptions{Tolerance: 1e-6}, 3}, {linalg.RankOptions{Tolerance: 0.1}, 2},
			{linalg.RankOptions{Hermitian: true}, 4}, {linalg.RankOptions{Tolerance: 0.1, Hermitian: true}, 2}} {
			r, err := linalg.Rank(ctx, a, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := nd.Slice[int64](ctx, r); err != nil || v[0] != c.want {
				t.Errorf("%+v: rank %v, %v, want %d", c.o, v, err, c.want)
			}
		}
		for _, hermitian := range []bool{false, true} {
			p, err := linalg.Pinv(ctx, a, linalg.RankOptions{Tolerance: 0.1, Hermitian: hermitian})
			if err != nil {
				t.Fatal(err)
			}
			want := q.Mul(nd.From([]float64{0.25, -0.5, 0, 0, 0}).Cast(q.DType())).MatMul(adjoint(q))
			small(t, "pinv", p.Sub(want))
		}
		x, err := linalg.LeastSquares(ctx, a, drawn(complex, 5), linalg.LeastSquaresOptions{MinNorm: true, Tolerance: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		small(t, "least squares", adjoint(q).MatMul(x.ExpandDims(-1)).SliceAxis(0, nd.Range{Start: 2, Stop: 5}))
		if _, err := linalg.Rank(ctx, a, linalg.RankOptions{Tolerance: -1}); err == nil {
			t.Error("a negative tolerance was accepted")
		}
	}
}

func TestComplexToeplitzSolve(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	c, r := drawn(true, 3, 6), nd.Complex(nd.Normal(5, nd.Float64, 3, 6), nd.Normal(6, nd.Float64, 3, 6))
	r = nd.Concat(-1, c.SliceAxis(-1, nd.Range{Stop: 1}), r.SliceAxis(-1, nd.Range{Start: 1, Stop: 6}))
	b := nd.Complex(nd.Normal(7, nd.Float64, 3, 6), nd.Normal(8, nd.Float64, 3, 6))
	x, err := linalg.ToeplitzSolve(ctx, c, r, b)
	if err != nil {
		t.Fatal(err)
	}
	small(t, "toeplitz", linalg.ToeplitzMul(c, r, x).Sub(b))
	// Without a row the matrix is Hermitian.
	x, err = linalg.ToeplitzSolve(ctx, c, nil, b)
	if err != nil {
		t.Fatal(err)
	}
	small(t, "hermitian toeplitz", linalg.ToeplitzMul(c, nil, x).Sub(b))
}
