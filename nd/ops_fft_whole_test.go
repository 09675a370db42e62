package nd_test

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// All bins of real lines are those of a transform with more digits. On the CPU the upper half of
// long lines mirrors the lower one exactly, since it is made of it.
func TestFFTOfReals(t *testing.T) {
	testdevice.NotOnGPU(t, "compares with compensated transforms, which GPUs do not have")
	for _, c := range []struct {
		have, n int
	}{{2, 2}, {64, 64}, {128, 128}, {100, 130}, {1000, 360}, {1000, 1000}, {1025, 1025}, {4099, 4099}, {40000, 40000}, {1 << 16, 1 << 16}, {1 << 17, 1 << 18}} {
		for _, kind := range []nd.DType{nd.Float16, nd.Float32, nd.Float64} {
			for _, axis := range []int{0, 1} {
				shape := []int{3, c.have}
				if axis == 0 {
					shape = []int{c.have, 3}
				}
				x := nd.Normal(nd.Key(c.n), kind, shape...)
				got := x.FFT(nd.FFT{N: c.n, Axis: nd.Axis(axis), Norm: nd.Ortho}).SwapAxes(axis, 1)
				want := x.Cast(nd.Float64).FFT(nd.FFT{N: c.n, Axis: nd.Axis(axis), Norm: nd.Ortho, Mode: nd.Compensated}).SwapAxes(axis, 1)
				checkMirrored(t, fmt.Sprintf("%v %v to %d, axis %d", kind, shape, c.n, axis), c.n, kind, got, want)
			}
		}
	}
}

func checkMirrored(t *testing.T, name string, n int, kind nd.DType, got, want *nd.Array) {
	t.Helper()
	g, err := nd.Slice[complex128](context.Background(), got.Cast(nd.Complex128))
	if err != nil {
		t.Fatal(err)
	}
	w, err := nd.Slice[complex128](context.Background(), want)
	if err != nil {
		t.Fatal(err)
	}
	unit := 0x1p-24
	if kind == nd.Float64 {
		unit = 0x1p-53
	}
	allowed := 16 * unit * math.Sqrt(1+math.Log2(float64(n)))
	for i := range g {
		if d := cmplx.Abs(g[i] - w[i]); !(d <= allowed) {
			t.Errorf("%s: element %d is off by %g, %.1f units", name, i, d, d/unit)
			return
		}
		if k := i % n; g[i] != cmplx.Conj(g[i-k+(n-k)%n]) && kind != nd.Float16 && n >= 2048 && testdevice.Name() == "" {
			t.Errorf("%s: element %d does not mirror element %d", name, i, (n-k)%n)
			return
		}
	}
}

// A gradient through all bins of real numbers is that through the bins of the same numbers as
// complex ones that were evaluated before.
func TestFFTOfRealsGradient(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, n := range []int{32, 500, 2048} {
		x, w := nd.Normal(nd.Key(1), nd.Float64, 2, n), nd.Normal(nd.Key(2), nd.Float64, 2, n)
		z := x.Cast(nd.Complex128)
		if err := nd.Eval(ctx, x, z); err != nil {
			t.Fatal(err)
		}
		loss := func(bins *nd.Array) *nd.Array { return bins.AbsSquared().Mul(w).Sum() }
		got, want := nd.Grad(loss(x.FFT()), x)[0], nd.Grad(loss(z.FFT()), z)[0].Real()
		if err := (nd.Close{Rel: 1e-10, Abs: 1e-8}).Check(ctx, got, want); err != nil {
			t.Errorf("%d: %v", n, err)
		}
	}
}
