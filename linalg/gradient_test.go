package linalg_test

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// Gradients are central differences, in float64.
func TestGradients(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	must := must(t)
	weigh := weighted(77)
	for name, c := range map[string]struct {
		loss func(a *nd.Array) *nd.Array
		a    mat
	}{
		"q and r": {func(a *nd.Array) *nd.Array { q, r := linalg.QR(a); return weigh(q).Add(weigh(r)) }, normal(1, 5, 3)},
		"r of a square": {func(a *nd.Array) *nd.Array {
			_, r := linalg.QR(a, linalg.QROptions{NonNegative: true})
			return weigh(r)
		}, normal(2, 4, 4)},
		"r of a wide one":    {func(a *nd.Array) *nd.Array { _, r := linalg.QR(a); return weigh(r) }, normal(3, 2, 4)},
		"cholesky":           {func(a *nd.Array) *nd.Array { return weigh(must(linalg.Cholesky(ctx, a))) }, positive(4, 4)},
		"cholesky in blocks": {func(a *nd.Array) *nd.Array { return weigh(must(linalg.Cholesky(ctx, a))) }, positive(4, 35)},
		"cholesky solve": {func(a *nd.Array) *nd.Array {
			return weigh(must(linalg.CholeskySolve(ctx, must(linalg.Cholesky(ctx, a)), nd.Normal(3, nd.Float64, 4))))
		}, positive(5, 4)},
		"solve": {func(a *nd.Array) *nd.Array { return weigh(must(linalg.Solve(ctx, a, a.Exp()))) }, normal(6, 3, 3)},
		"solve with itself": {func(a *nd.Array) *nd.Array {
			batch := a.Reshape(2, 2, 2) // the solver has no need to reshape it
			return weigh(must(linalg.Solve(ctx, batch.Exp(), batch))).Add(weigh(must(linalg.TriangularSolve(ctx, batch, batch))))
		}, normal(6, 2, 4)},
		"triangle": {func(a *nd.Array) *nd.Array {
			return weigh(must(linalg.TriangularSolve(ctx, a.Exp(), a, linalg.TriangularSolveOptions{Upper: true})))
		}, normal(7, 3, 3)},
		"unit triangle": {func(a *nd.Array) *nd.Array {
			return weigh(must(linalg.TriangularSolve(ctx, a, a, linalg.TriangularSolveOptions{Unit: true})))
		}, normal(7, 3, 3)},
		"inverse":       {func(a *nd.Array) *nd.Array { return weigh(must(linalg.Inverse(ctx, a))) }, normal(8, 3, 3)},
		"det":           {func(a *nd.Array) *nd.Array { return linalg.Det(a) }, normal(9, 4, 4)},
		"log det":       {func(a *nd.Array) *nd.Array { _, log := linalg.LogDet(a); return log }, normal(10, 4, 4)},
		"least squares": {func(a *nd.Array) *nd.Array { return weigh(must(linalg.LeastSquares(ctx, a, a.Sin()))) }, normal(11, 6, 3)},
		"shortest":      {func(a *nd.Array) *nd.Array { return weigh(must(linalg.LeastSquares(ctx, a, a.Sin()))) }, normal(12, 2, 4)},
		"eigh": {func(a *nd.Array) *nd.Array {
			w, v, err := linalg.Eigh(ctx, a)
			return weigh(must(w, err)).Add(weigh(v.AbsSquared()))
		}, positive(13, 4)},
		"circulant solve": {func(a *nd.Array) *nd.Array {
			return weigh(must(linalg.CirculantSolve(ctx, a.At(0), a.At(1))))
		}, normal(16, 2, 5)},
		"toeplitz solve": {func(a *nd.Array) *nd.Array {
			strong := a.At(0).Add(nd.From([]float64{9, 0, 0, 0, 0}))
			return weigh(must(linalg.ToeplitzSolve(ctx, strong, a.At(1), a.At(2))))
		}, normal(17, 3, 5)},
		"toeplitz solve, symmetric": {func(a *nd.Array) *nd.Array {
			strong := a.At(0).Add(nd.From([]float64{9, 0, 0, 0, 0}))
			return weigh(must(linalg.ToeplitzSolve(ctx, strong, nil, a)))
		}, normal(18, 3, 5)},
		"levinson": {func(a *nd.Array) *nd.Array {
			p := linalg.Levinson(a.Add(nd.From([]float64{9, 0, 0, 0, 0})), 3)
			return weigh(p.A).Add(weigh(p.Reflection)).Add(weigh(p.Power))
		}, normal(19, 2, 5)},
		"toeplitz": {func(a *nd.Array) *nd.Array { return weigh(linalg.ToeplitzMul(a.At(0), a.At(1), a.At(0))) }, normal(14, 2, 5)},
		"norm":     {func(a *nd.Array) *nd.Array { return must(linalg.Norm(ctx, a, linalg.Frobenius)) }, normal(15, 3, 4)},
	} {
		t.Run(name, func(t *testing.T) {
			value := func(a mat) float64 { return read(t, c.loss(a.array(nd.Float64)))[0] }
			x := c.a.array(nd.Float64)
			g := matOf(t, nd.Grad(c.loss(x), x)[0])
			const h = 1e-5
			worst, scale := 0.0, 1.0
			for i := 0; i < len(c.a.v); i += max(1, len(c.a.v)/6) {
				up, down := c.a.with(func(mat, int) {}), c.a.with(func(mat, int) {})
				up.v[i] += h
				down.v[i] -= h
				want := (value(up) - value(down)) / (2 * h)
				worst, scale = max(worst, math.Abs(g.v[i]-want)), max(scale, math.Abs(want))
			}
			if !(worst <= 2e-7*scale) {
				t.Errorf("off by %.2g of %.2g", worst, scale)
			}
		})
	}
}

// Gradients of gradients are central differences of gradients.
func TestSecondGradients(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	must := must(t)
	weigh := weighted(78)
	for name, c := range map[string]struct {
		loss func(a *nd.Array) *nd.Array
		a    mat
	}{
		"solve":   {func(a *nd.Array) *nd.Array { return weigh(must(linalg.Solve(ctx, a, a.Exp()))) }, normal(6, 3, 3)},
		"inverse": {func(a *nd.Array) *nd.Array { return weigh(must(linalg.Inverse(ctx, a))) }, normal(8, 3, 3)},
		"in steps": {func(a *nd.Array) *nd.Array {
			return weigh(must(linalg.Solve(ctx, a, a.Sin(), linalg.SolveOptions{Accumulation: nd.Compensated})))
		}, normal(6, 3, 3)},
		"det":      {func(a *nd.Array) *nd.Array { return linalg.Det(a) }, normal(9, 4, 4)},
		"log det":  {func(a *nd.Array) *nd.Array { _, log := linalg.LogDet(a); return log }, normal(10, 4, 4)},
		"triangle": {func(a *nd.Array) *nd.Array { return weigh(must(linalg.TriangularSolve(ctx, a, a.Exp()))) }, positive(7, 3)},
		"cholesky": {func(a *nd.Array) *nd.Array { return weigh(must(linalg.Cholesky(ctx, a))) }, positive(4, 4)},
	} {
		t.Run(name, func(t *testing.T) {
			slope := func(x *nd.Array) *nd.Array { return weigh(nd.Grad(c.loss(x), x)[0]) }
			value := func(a mat) float64 { return read(t, slope(a.array(nd.Float64)))[0] }
			x := c.a.array(nd.Float64)
			g := matOf(t, nd.Grad(slope(x), x)[0])
			const h = 1e-5
			worst, scale := 0.0, 1.0
			for i := range c.a.v {
				up, down := c.a.with(func(mat, int) {}), c.a.with(func(mat, int) {})
				up.v[i] += h
				down.v[i] -= h
				want := (value(up) - value(down)) / (2 * h)
				worst, scale = max(worst, math.Abs(g.v[i]-want)), max(scale, math.Abs(want))
			}
			if !(worst <= 2e-6*scale) {
				t.Errorf("off by %.2g of %.2g", worst, scale)
			}
		})
	}
}
