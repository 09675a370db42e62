package nd

import (
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// Transforms of short lines have the same bits by themselves and inside of a
// line program, and however many lines there are.
func TestShortLines(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := soon(t)
	evaluated := func(a *Array) *Array {
		if err := Eval(ctx, a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	get := func(a *Array) []float64 {
		out, err := Slice[float64](ctx, a.Cast(Float64))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	asIs := func(a *Array) *Array { return a }
	lengths := []int{1, 2, 3, 4, 6, 7, 8, 10, 12, 15, 16, 20, 22, 24, 30, 32, 48, 60, 62, 64, 65, 66, 96, 100, 120, 126, 128, 192, 256, 500, 512}
	if testing.Short() {
		lengths = []int{1, 3, 8, 15, 22, 32, 62, 64, 66, 512} // a GPU has kernels to compile for each
	}
	for _, dtype := range []DType{Float32, Float64} {
		for _, n := range lengths {
			x := evaluated(Normal(Key(n), dtype, 37, n))
			spectrum := func(x *Array, cut func(*Array) *Array) *Array {
				return cut(cut(x.Tanh()).RFFT()).AbsSquared()
			}
			back := func(x *Array, cut func(*Array) *Array) *Array {
				return cut(cut(cut(x.RFFT()).MulScalar(0.7)).IRFFT(FFT{N: n})).AddScalar(1)
			}
			frames := func(x *Array, cut func(*Array) *Array) *Array {
				y := x.Slice(Range{Stop: 3}).Reshape(-1) // enough for frames at every sample
				return cut(cut(y.Frames(n, 1).Mul(x.At(0))).RFFT()).AbsSquared().Sum(-1)
			}
			added := func(hop int) func(*Array, func(*Array) *Array) *Array {
				return func(x *Array, cut func(*Array) *Array) *Array {
					y, w := x.Slice(Range{Stop: 3}).Reshape(-1), x.At(1)
					bins := cut(cut(y.Frames(n, hop).Mul(w)).RFFT())
					bins = cut(Complex(bins.Real().MulScalar(0.7), bins.Imag()))
					return cut(w.Mul(cut(bins.IRFFT(FFT{N: n, Norm: Ortho})))).OverlapAdd(Overlap{Hop: hop})
				}
			}
			for name, build := range map[string]func(*Array, func(*Array) *Array) *Array{
				"spectrum": spectrum, "back": back, "frames": frames, "added": added(1), "added by 3": added(3),
			} {
				fused, steps := get(build(x, asIs)), get(build(x, evaluated))
				if name == "frames" && testdevice.Name() != "" && dtype == Float32 && slices.Contains([]int{8, 16, 32, 64}, n) {
					// A GPU's thread has such a frame to itself and transforms it as real numbers: see CUDA.md.
					for i, v := range fused {
						if math.Abs(v-steps[i]) > 1e-6*steps[i] { // both are energies of all bins
							t.Errorf("%s of %v %d: %g, step by step %g", name, dtype, n, v, steps[i])
						}
					}
				} else if !slices.Equal(elem.Bytes(steps), elem.Bytes(fused)) {
					t.Errorf("%s of %v %d: other bits step by step", name, dtype, n)
				}
				if name != "spectrum" && name != "back" {
					continue // the lines are not those of x
				}
				part := get(build(evaluated(x.Slice(Range{Start: 30, Stop: 33}).MulScalar(1)), asIs))
				if !slices.Equal(part, fused[30*len(fused)/37:33*len(fused)/37]) {
					t.Errorf("%s of %v %d: other bits when there are three lines", name, dtype, n)
				}
			}
		}
	}
}

// Short lines have the same bits however they lie in memory.
func TestShortLinesInAnyLayout(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := soon(t)
	const lines = 37
	for _, dtype := range []DType{Float32, Complex64, Float64, Complex128} {
		for _, n := range []int{2, 3, 9, 24, 33} {
			x := Normal(Key(n), dtype, lines, n)
			if dtype.IsComplex() {
				r := Float32
				if dtype == Complex128 {
					r = Float64
				}
				x = Complex(Normal(Key(n), r, lines, n), Normal(Key(n+1), r, lines, n))
			}
			across := x.Transpose().Add(Zeros(dtype, n, lines))
			if err := Eval(ctx, x, across); err != nil {
				t.Fatal(err)
			}
			transformed := func(a *Array) []float64 {
				y := a.Neg().Mul(a)
				if dtype.IsComplex() {
					y = Concat(-1, y.IRFFT(FFT{N: 2*n - 2}), a.HFFT())
				} else {
					y = y.RFFT().AbsSquared()
				}
				out, err := Slice[float64](ctx, y.Cast(Float64))
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			want := transformed(x)
			for name, view := range map[string]*Array{
				"transposed":              across.Transpose(),
				"every other, transposed": Stack(1, across, across).Reshape(2*n, lines).SliceAxis(0, Range{Stop: End, Step: 2}).Transpose(),
				"flipped twice":           x.Flip(-1).Flip(-1),
			} {
				if !slices.Equal(elem.Bytes(transformed(view)), elem.Bytes(want)) {
					t.Errorf("%v %d: other bits of lines that are %s", dtype, n, name)
				}
			}
		}
	}
}

// What two spectra have to do with each other has the same bits in one line
// program, whose maps become one, and step by step: values, and what is added up
// where frames overlap.
func TestTwoSpectra(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := soon(t)
	evaluated := func(a *Array) *Array {
		if err := Eval(ctx, a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, dtype := range []DType{Float32, Float64} {
		for _, n := range []int{6, 8, 16, 32, 64, 128} {
			for _, hop := range []int{1, 5} {
				x, y := evaluated(Normal(1, dtype, 9*n)), evaluated(Normal(2, dtype, 9*n))
				w := evaluated(Normal(3, dtype, n))
				build := func(cut func(*Array) *Array) []*Array {
					bins := func(a *Array) (z, size *Array) {
						z = cut(cut(a.Frames(n, hop).Mul(w)).RFFT())
						return z, cut(z.AbsSquared().Sqrt())
					}
					p, px := bins(x)
					_, qx := bins(y)
					d := cut(px.Sub(qx))
					slope := cut(d.Div(px.Clip(0.5, nil)))
					back := cut(cut(Complex(p.Real().Mul(slope), p.Imag().Mul(slope))).IRFFT(FFT{N: n, Norm: Forward}))
					return []*Array{
						cut(px.Sub(qx)).AbsSquared().Sum(-1),
						cut(back.Mul(w)).OverlapAdd(Overlap{Hop: hop}),
					}
				}
				one, steps := build(func(a *Array) *Array { return a }), build(evaluated)
				if err := Eval(ctx, one...); err != nil {
					t.Fatal(err)
				}
				for i, name := range []string{"value", "gradient"} {
					a, err := Slice[float64](ctx, one[i].Cast(Float64))
					if err != nil {
						t.Fatal(err)
					}
					b, err := Slice[float64](ctx, steps[i].Cast(Float64))
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(elem.Bytes(a), elem.Bytes(b)) {
						t.Errorf("%s of %v %d hop %d: other bits step by step", name, dtype, n, hop)
					}
				}
			}
		}
	}
}
