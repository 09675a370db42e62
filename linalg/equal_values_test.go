package linalg_test

import (
	"context"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// Sums of functions of eigenvalues have gradients where some are equal: that of the sum of f(w) is f'(a)'.
func TestGradientOfEqualEigenvalues(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	q := linalg.OrthonormalColumns(nd.Normal(2, nd.Float64, 4, 4))
	a := q.Mul(nd.From([]float64{1, 1, 3, 3}, 4)).MatMul(q.SwapAxes(0, 1))
	values := map[string]func(a *nd.Array) (*nd.Array, error){
		"eigh values": func(a *nd.Array) (*nd.Array, error) { return linalg.EighValues(ctx, a) },
		"eigh":        func(a *nd.Array) (*nd.Array, error) { w, _, err := linalg.Eigh(ctx, a); return w, err },
		"eigh, complex": func(a *nd.Array) (*nd.Array, error) {
			w, _, err := linalg.Eigh(ctx, a.Cast(nd.Complex128))
			return w, err
		},
	}
	if testdevice.Name() == "" { // these need the CPU
		values["eig values"] = func(a *nd.Array) (*nd.Array, error) {
			w, err := linalg.EigValues(ctx, a)
			if err != nil {
				return nil, err
			}
			return w.Real(), nil
		}
		values["eig"] = func(a *nd.Array) (*nd.Array, error) {
			w, _, err := linalg.Eig(ctx, a)
			if err != nil {
				return nil, err
			}
			return w.Real(), nil
		}
	}
	for name, of := range values {
		for kind, x := range map[string]*nd.Array{"identity": nd.Eye(nd.Float64, 4), "two pairs": a} {
			w, err := of(x)
			if err != nil {
				t.Fatalf("%s of %s: %v", name, kind, err)
			}
			g := nd.Grad(w.Mul(w).Sum(), x)[0]
			g = g.Add(g.SwapAxes(0, 1)).MulScalar(0.5) // that of a lower half counts for both
			if off := read(t, g.Sub(x.MulScalar(2)).Abs().Max())[0]; !(off <= 1e-13) {
				t.Errorf("%s of %s: gradient is off by %.2g", name, kind, off)
			}
		}
	}
}
