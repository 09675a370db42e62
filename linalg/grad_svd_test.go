package linalg_test

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// differences compares a gradient with central differences, at some elements.
func differences(t *testing.T, a mat, loss func(a *nd.Array) *nd.Array, tolerance float64) {
	t.Helper()
	value := func(a mat) float64 { return read(t, loss(a.array(nd.Float64)))[0] }
	x := a.array(nd.Float64)
	g := matOf(t, nd.Grad(loss(x), x)[0])
	const h = 1e-5
	worst, scale := 0.0, 1.0
	for i := 0; i < len(a.v); i += max(1, len(a.v)/6) {
		up, down := a.with(func(mat, int) {}), a.with(func(mat, int) {})
		up.v[i] += h
		down.v[i] -= h
		want := (value(up) - value(down)) / (2 * h)
		worst, scale = max(worst, math.Abs(g.v[i]-want)), max(scale, math.Abs(want))
	}
	if !(worst <= tolerance*scale) {
		t.Errorf("off by %.2g of %.2g", worst, scale)
	}
}

// Vectors are known up to a sign, so that losses are of products of two.
func TestSVDGradients(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	must := must(t)
	weigh := weighted(77)
	factors := func(a *nd.Array) *nd.Array {
		u, s, v, err := linalg.SVD(ctx, a)
		must(u, err)
		turned := u.Mul(s.Exp().ExpandDims(-2)).MatMul(v.SwapAxes(-1, -2)) // not a itself
		return weigh(turned).Add(weigh(u.AbsSquared())).Add(weigh(v.AbsSquared())).Add(weigh(s))
	}
	top := func(k int) func(a *nd.Array) *nd.Array {
		return func(a *nd.Array) *nd.Array {
			s, err := linalg.TopSVD(ctx, a, k, linalg.TopSVDOptions{Tolerance: 1e-14, Iterations: 400})
			if err != nil {
				t.Fatal(err)
			}
			return weigh(s.U.Mul(s.S.Exp().ExpandDims(-2)).MatMul(s.V.SwapAxes(-1, -2))).Add(weigh(s.U.AbsSquared())).Add(weigh(s.V.AbsSquared()))
		}
	}
	norm := func(kind linalg.NormKind) func(a *nd.Array) *nd.Array {
		return func(a *nd.Array) *nd.Array { return must(linalg.Norm(ctx, a, kind)) }
	}
	pinv := func(a *nd.Array) *nd.Array { return weigh(must(linalg.Pinv(ctx, a))) }
	values := func(n int) []float64 { return fill(n, func(i int) float64 { return 3 * math.Pow(0.6, float64(i)) }) }
	for name, c := range map[string]struct {
		a    mat
		loss func(a *nd.Array) *nd.Array
	}{
		"svd, tall":     {normal(1, 5, 3), factors},
		"svd, square":   {normal(2, 4, 4), factors},
		"svd, wide":     {normal(3, 3, 6), factors},
		"svd, one":      {normal(4, 1, 1), factors},
		"top, tall":     {composed(5, 9, 6, values(6)), top(2)},
		"top, wide":     {composed(6, 5, 8, values(5)), top(3)},
		"top, all":      {composed(7, 6, 4, values(4)), top(4)},
		"top values":    {composed(8, 9, 6, values(6)), func(a *nd.Array) *nd.Array { s, err := linalg.TopSVD(ctx, a, 3); must(s.S, err); return weigh(s.S) }},
		"pinv, tall":    {normal(9, 5, 3), pinv},
		"pinv, wide":    {normal(10, 2, 4), pinv},
		"pinv, square":  {normal(11, 4, 4), pinv},
		"spectral norm": {normal(12, 4, 3), norm(linalg.Spectral)},
		"nuclear norm":  {normal(13, 4, 3), norm(linalg.Nuclear)},
		"one norm":      {normal(14, 4, 3), norm(linalg.One)},
		"inf norm":      {normal(15, 4, 3), norm(linalg.Inf)},
		"max norm":      {normal(16, 4, 3), norm(linalg.Max)},
		"condition":     {normal(19, 4, 3), func(a *nd.Array) *nd.Array { return must(linalg.Cond(ctx, a)) }},
		"shortest solution": {normal(17, 3, 5), func(a *nd.Array) *nd.Array {
			return weigh(must(linalg.LeastSquares(ctx, a, a.Sin(), linalg.LeastSquaresOptions{MinNorm: true})))
		}},
		"second derivative": {normal(18, 4, 3), func(a *nd.Array) *nd.Array {
			_, s, _, err := linalg.SVD(ctx, a)
			must(s, err)
			return weigh(nd.Grad(s.Exp().Sum(), a)[0])
		}},
	} {
		t.Run(name, func(t *testing.T) { differences(t, c.a, c.loss, 1e-6) })
	}
}

// Where values are equal, losses that do not depend on the choice of vectors are
// differentiated: sums over values, and the nearest orthogonal matrix. Other
// gradients are finite.
func TestSVDGradientsOfEqualValues(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	weights := nd.Normal(5, nd.Float64, 6, 4)
	for name, s := range map[string][]float64{"equal": {2, 2, 2, 1}, "zero": {2, 1, 0, 0}, "all zero": {0, 0, 0, 0}} {
		a := composed(3, 6, 4, s)
		if name == "equal" {
			differences(t, a, func(x *nd.Array) *nd.Array {
				u, values, v, err := linalg.SVD(ctx, x)
				if err != nil {
					t.Fatal(err)
				}
				return u.MatMul(v.Transpose()).Mul(weights).Sum().Add(values.Exp().Sum())
			}, 1e-6)
		}
		x := a.array(nd.Float64)
		u, values, v, err := linalg.SVD(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		losses := []*nd.Array{u.Sin().Sum().Add(v.Cos().Sum()).Add(values.Sum())}
		if name == "equal" {
			top, err := linalg.TopSVD(ctx, x, 3)
			if err != nil {
				t.Fatal(err)
			}
			losses = append(losses, top.U.Sin().Sum().Add(top.V.Cos().Sum()).Add(top.S.Sum()))
		}
		for _, l := range losses {
			for i, g := range read(t, nd.Grad(l, x)[0]) {
				if math.IsNaN(g) || math.Abs(g) > 1e3 {
					t.Fatalf("%s: element %d of a gradient is %g", name, i, g)
				}
			}
		}
	}
}

// Batches are differentiated matrix by matrix, whatever axes they have.
func TestSVDGradientsOfBatches(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	x := nd.Normal(6, nd.Float64, 2, 1, 5, 3)
	_, s, _, err := linalg.SVD(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	p, err := linalg.Pinv(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	whole := nd.Grad(s.Exp().Sum().Add(p.Sin().Sum()), x)[0]
	for i := range 2 {
		one := x.Slice(nd.Range{Start: i, Stop: i + 1}).Reshape(5, 3)
		_, s, _, err := linalg.SVD(ctx, one)
		if err != nil {
			t.Fatal(err)
		}
		p, err := linalg.Pinv(ctx, one)
		if err != nil {
			t.Fatal(err)
		}
		want := matOf(t, nd.Grad(s.Exp().Sum().Add(p.Sin().Sum()), one)[0])
		if e := matOf(t, whole.Slice(nd.Range{Start: i, Stop: i + 1}).Reshape(5, 3)).sub(want).frobenius(); !(e <= 1e-12) {
			t.Errorf("matrix %d is off by %.2g", i, e)
		}
	}
}
