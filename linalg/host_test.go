package linalg_test

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// A few matrices on a GPU go to the CPU and results come back: they are what the CPU gives, on the GPU.
func TestSpectrumOfGPUArrays(t *testing.T) {
	testdevice.NotOnGPU(t, "a GPU has the CPU's place")
	dev, err := nd.Open("cuda:0")
	if err != nil {
		t.Skip(err)
	}
	ctx := context.Background()
	a := nd.Normal(1, nd.Float32, 2, 40, 40)
	a = a.Add(a.SwapAxes(-1, -2))
	there := a.On(dev.Stream())
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string, got, want *nd.Array) {
		t.Helper()
		if d, err := got.Device(); err != nil || d != dev {
			t.Errorf("%s is on %v, %v", name, d, err)
		}
		g, err := nd.Slice[float64](ctx, got.Cast(nd.Float64))
		must(err)
		w, err := nd.Slice[float64](ctx, want.Cast(nd.Float64))
		must(err)
		for i := range w {
			if !(math.Abs(g[i]-w[i]) <= 1e-5) {
				t.Fatalf("%s: %g at %d, want %g", name, g[i], i, w[i])
			}
		}
	}
	w, v, err := linalg.Eigh(ctx, a)
	must(err)
	gw, gv, err := linalg.Eigh(ctx, there)
	must(err)
	check("eigenvalues", gw, w)
	check("eigenvectors", gv, v)
	gw, err = linalg.EighValues(ctx, there)
	must(err)
	check("eigenvalues alone", gw, w)
	_, s, _, err := linalg.SVD(ctx, a)
	must(err)
	gu, gs, gvt, err := linalg.SVD(ctx, there)
	must(err)
	check("singular values", gs, s)
	check("the product", gu.Mul(gs.ExpandDims(1)).MatMul(gvt.SwapAxes(-1, -2)), a)
	gs, err = linalg.SingularValues(ctx, there)
	must(err)
	check("singular values alone", gs, s)
	check("gradient", nd.Grad(gs.Sum(), there)[0], nd.Grad(s.Sum(), a)[0])
}
