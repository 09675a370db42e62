package nd_test

import (
	"context"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Transforms of halves have the bits of those of the same numbers as float32, are
// differentiable, and give halves back where that is asked for.
func TestTransformsOfHalves(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	parts := func(a *nd.Array) []float32 {
		t.Helper()
		if a.DType().IsComplex() {
			a = nd.Stack(0, a.Real(), a.Imag())
		}
		v, err := nd.Slice[float32](ctx, a.Cast(nd.Float32))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, half := range []nd.DType{nd.Float16, nd.BFloat16} {
		x := nd.Normal(nd.Key(5), nd.Float32, 3, 4, 60).Cast(half)
		wide := x.Cast(nd.Float32)
		for name, f := range map[string]func(*nd.Array) *nd.Array{
			"rfft":  func(a *nd.Array) *nd.Array { return a.RFFT() },
			"fft":   func(a *nd.Array) *nd.Array { return a.FFT(nd.FFT{N: 64, Norm: nd.Ortho}) },
			"ifft":  func(a *nd.Array) *nd.Array { return a.IFFT(nd.FFT{Axis: nd.Axis(1)}) },
			"ihfft": func(a *nd.Array) *nd.Array { return a.IHFFT() },
			"rfftn": func(a *nd.Array) *nd.Array { return a.RFFTN() },
			"exact": func(a *nd.Array) *nd.Array { return a.RFFT(nd.FFT{Mode: nd.Compensated}) },
		} {
			got := f(x)
			if got.DType() != nd.Complex64 || !slices.Equal(parts(got), parts(f(wide))) {
				t.Errorf("%s of %s: %s, other bits than of float32", name, half, got.DType())
			}
		}
		for name, pair := range map[string][2]*nd.Array{
			"irfft":  {wide.RFFT().IRFFT(nd.FFT{Store: half}), wide.RFFT().IRFFT()}, //twiddle:ignore TW007 the inverse is what it tests
			"hfft":   {wide.RFFT().HFFT(nd.FFT{Store: half}), wide.RFFT().HFFT()},
			"irfftn": {wide.RFFTN().IRFFTN(nd.FFTN{Store: half}), wide.RFFTN().IRFFTN()}, //twiddle:ignore TW007 the inverse is what it tests
		} {
			if pair[0].DType() != half || !slices.Equal(parts(pair[0]), parts(pair[1].Cast(half))) {
				t.Errorf("%s stored as %s: %s, other bits than float32 rounded", name, half, pair[0].DType())
			}
		}
		g, want := nd.Grad(x.RFFT().AbsSquared().Sum(), x)[0], nd.Grad(wide.RFFT().AbsSquared().Sum(), wide)[0]
		if g.DType() != half || !slices.Equal(parts(g), parts(want.Cast(half))) {
			t.Errorf("gradient of the power of %s: %s, other bits than float32 rounded", half, g.DType())
		}
	}
}

// Halves become float32 on their way into a transform, and back on their way out:
// nothing is stored in between.
func TestHalvesAreCastInTransforms(t *testing.T) {
	x := nd.Normal(nd.Key(6), nd.Float32, 8, 256).Cast(nd.BFloat16)
	if err := nd.Eval(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	p, err := nd.Explain(x.RFFT().MulScalar(2).IRFFT(nd.FFT{Store: nd.BFloat16}))
	if err != nil || len(p.Steps) != 1 {
		t.Errorf("%d steps, want 1: %v\n%s", len(p.Steps), err, p)
	}
}
