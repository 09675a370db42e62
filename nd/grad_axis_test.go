package nd

import (
	"context"
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// gradCase is a function of one array whose gradient is checked.
type gradCase struct {
	name string
	f    func(*Array) *Array
	in   *Array
}

func checkGradCases(t *testing.T, tests []gradCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkGrad(t, func(in []*Array) *Array { return tt.f(in[0]) }, tt.in)
		})
	}
}

func TestGradViews(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(2)
	x := d.reals(-1, 1, 3, 4)
	line := d.reals(-1, 1, 11)
	// Sin makes the second derivative count: a gradient that only looks right
	// because everything is linear would not pass.
	tests := []gradCase{
		{"transpose", func(a *Array) *Array { return a.Transpose().Sin() }, x},
		{"transpose of three axes", func(a *Array) *Array { return a.Transpose(2, 0, 1).Sin() }, d.reals(-1, 1, 2, 3, 4)},
		{"broadcast", func(a *Array) *Array { return a.BroadcastTo(2, 3, 4).Sin() }, x},
		{"broadcast of ones", func(a *Array) *Array { return a.BroadcastTo(5, 3, 4).Sin() }, d.reals(-1, 1, 3, 1)},
		{"broadcast to nothing", func(a *Array) *Array { return a.BroadcastTo(0, 3, 4) }, x},
		{"broadcast of a scalar", func(a *Array) *Array { return a.BroadcastTo(2, 3).Sin() }, Scalar(0.4)},
		{"reshape", func(a *Array) *Array { return a.Reshape(2, 6).Sin() }, x},
		{"reshape of a transpose", func(a *Array) *Array { return a.Transpose().Reshape(2, 6).Sin() }, x},
		{"expand and squeeze", func(a *Array) *Array { return a.ExpandDims(1, 2).Squeeze(1).Sin() }, x},
		{"slice", func(a *Array) *Array { return a.Slice(Range{1, End, 1}, Range{0, 3, 1}).Sin() }, x},
		{"strided slice", func(a *Array) *Array { return a.SliceAxis(0, Range{1, End, 3}).Sin() }, line},
		{"strided slices of two axes", func(a *Array) *Array { return a.Slice(Range{0, End, 2}, Range{1, End, 2}).Sin() }, x},
		{"reversed slice", func(a *Array) *Array { return a.SliceAxis(0, Range{-2, End, -3}).Sin() }, line},
		{"empty slice", func(a *Array) *Array { return a.SliceAxis(0, Range{4, 4, 1}) }, line},
		{"one element", func(a *Array) *Array { return a.At(1, -1).Sin() }, x},
		{"flip", func(a *Array) *Array { return a.Flip(1).Sin() }, x},
		{"roll", func(a *Array) *Array { return a.Roll(2, 0).Sin() }, line},
		{"tile", func(a *Array) *Array { return a.Tile(2, 3).Sin() }, x},
		{"repeat", func(a *Array) *Array { return a.Repeat(3, 1).Sin() }, x},
		{"slices that overlap", func(a *Array) *Array {
			return a.SliceAxis(0, Range{0, 7, 1}).Mul(a.SliceAxis(0, Range{3, 10, 1}))
		}, line},
		{"bitcast", func(a *Array) *Array { return a.BitCast(Int64).BitCast(Float64).MulScalar(0) }, x},
		{"fftshift", func(a *Array) *Array { return a.FFTShift().Sin() }, line},
	}
	for _, f := range [][2]int{{4, 1}, {4, 2}, {4, 3}, {5, 2}, {3, 3}, {2, 4}, {11, 1}, {1, 1}, {6, 5}} {
		tests = append(tests, gradCase{fmt.Sprintf("frames of %d, hop %d", f[0], f[1]),
			func(a *Array) *Array { return a.Frames(f[0], f[1]).Sin() }, line})
	}
	for _, o := range []Overlap{{}, {Hop: 2}, {Hop: 5}, {Hop: 2, Skip: 3, Length: 4}, {Skip: 1, Length: 20, Count: 5}, {Hop: 3, Turns: true, Count: 5}} {
		tests = append(tests, gradCase{fmt.Sprintf("overlapping frames %+v", o), func(a *Array) *Array {
			if o.Turns {
				a = a.Reshape(2, 3, 4)
			}
			return a.OverlapAdd(o).Sin()
		}, d.reals(-1, 1, 6, 4)})
	}
	tests = append(tests, gradCase{"frames of an inner axis", func(a *Array) *Array { return a.Frames(3, 2, 1).Sin() }, d.reals(-1, 1, 2, 8, 3)})
	checkGradCases(t, tests)
}

func TestGradMoves(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(3)
	x := d.reals(-1, 1, 3, 4)
	line := d.reals(-1, 1, 7)
	index := From([]int64{2, 0, 2, -1, 1, 2}, 2, 3)
	var tests []gradCase
	for _, m := range []PadMode{PadConstant, PadReflect, PadEdge, PadWrap} {
		tests = append(tests,
			gradCase{"pad " + m.String(), func(a *Array) *Array { return a.Pad(Pad{Mode: m}, Margin{2, 1}, Margin{1, 3}).Sin() }, x},
			gradCase{"pad before " + m.String(), func(a *Array) *Array { return a.PadAxis(0, Margin{3, 0}, Pad{Mode: m}).Sin() }, line})
	}
	tests = append(tests,
		gradCase{"pad of nothing", func(a *Array) *Array { return a.PadAxis(0, Margin{1, 2}, Pad{Value: 3}).Sin() }, d.reals(0, 1, 0)},
		gradCase{"wrap around twice", func(a *Array) *Array { return a.PadAxis(0, Margin{9, 20}, Pad{Mode: PadWrap}).Sin() }, line},
		gradCase{"concat with itself", func(a *Array) *Array { return Concat(1, a, a.Sin(), Zeros(Float64, 3, 2)) }, x},
		gradCase{"stack", func(a *Array) *Array { return Stack(0, a, a.Sin()) }, x},
		gradCase{"split", func(a *Array) *Array { p := Split(a, 3, 0); return p[0].Mul(p[0]).Sum().Add(p[2].Sin().Sum()) }, line},
		gradCase{"take", func(a *Array) *Array { return a.Take(index, 0).Sin() }, x},
		gradCase{"take inner", func(a *Array) *Array { return a.Take(index, 1).Sin() }, x},
		gradCase{"take none", func(a *Array) *Array { return a.Take(Zeros(Int64, 0), 1) }, x},
		gradCase{"gather", func(a *Array) *Array { return a.Gather(index, 0).Sin() }, d.reals(-1, 1, 3, 3)},
		gradCase{"gather from a broadcast", func(a *Array) *Array { return a.Gather(index, 0).Sin() }, d.reals(-1, 1, 3, 1)},
		gradCase{"gather and exp", func(a *Array) *Array { return Concat(0, a.Gather(index, 0).Sin().Flatten(), a.Exp().Flatten()) }, d.reals(-1, 1, 3, 3)},
		gradCase{"exp and take", func(a *Array) *Array { return Concat(0, a.Exp().Flatten(), a.Take(index, 0).Sin().Flatten()) }, x},
		gradCase{"gather and take", func(a *Array) *Array {
			return Concat(0, a.Gather(index, 0).Sin().Flatten(), a.Take(index, 0).Exp().Flatten())
		}, d.reals(-1, 1, 3, 3)},
		gradCase{"sort", func(a *Array) *Array { return a.Sort(1).Sin() }, x},
		gradCase{"sort descending", func(a *Array) *Array { return a.SortDescending(0).Sin() }, x},
		gradCase{"topk", func(a *Array) *Array { v, _ := a.TopK(2, 1); return v.Sin() }, x},
		gradCase{"cumsum", func(a *Array) *Array { return a.CumSum(1).Sin() }, x},
		gradCase{"cumsum of an outer axis", func(a *Array) *Array { return a.CumSum(0).Sin() }, x},
		gradCase{"cumprod", func(a *Array) *Array { return a.CumProd(1).Sin() }, x},
		gradCase{"cumprod with a zero", func(a *Array) *Array { return a.CumProd(0).Sin() }, From([]float64{2, 3, 0, 0.5, 4})},
		gradCase{"cumprod with zeros", func(a *Array) *Array { return a.CumProd(0).Sin() }, From([]float64{2, 0, 3, 0, 4})},
		gradCase{"complex cumprod", func(a *Array) *Array { return a.CumProd(0) }, d.complexes(5)},
	)
	checkGradCases(t, tests)
	t.Run("scatter_add", func(t *testing.T) {
		checkGrad(t, func(in []*Array) *Array { return in[0].ScatterAdd(index, in[1], 0).Sin() },
			d.reals(-1, 1, 3, 3), d.reals(-1, 1, 2, 1))
	})
}

func TestGradReductions(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(4)
	x := d.reals(-1, 1, 3, 4, 2)
	tests := []gradCase{
		{"sum", func(a *Array) *Array { return a.Sin().Sum(1) }, x},
		{"sum of all", func(a *Array) *Array { return a.Sin().Sum() }, x},
		{"sum of nothing", func(a *Array) *Array { return a.Sum(1) }, d.reals(0, 1, 3, 0)},
		{"prod", func(a *Array) *Array { return a.Prod(0, 2) }, x},
		{"prod of one", func(a *Array) *Array { return a.Prod(1) }, d.reals(-1, 1, 3, 1)},
		{"prod with a zero", func(a *Array) *Array { return a.Prod() }, From([]float64{2, 0, 3})},
		{"prod with zeros", func(a *Array) *Array { return a.Prod() }, From([]float64{2, 0, 3, 0})},
		{"complex prod", func(a *Array) *Array { return a.Prod(1) }, d.complexes(2, 4)},
		{"max", func(a *Array) *Array { return a.Max(1).Sin() }, x},
		{"min", func(a *Array) *Array { return a.Min(0, 2).Sin() }, x},
		{"max of nothing", func(a *Array) *Array { return a.Max(1).MulScalar(0) }, d.reals(0, 1, 0, 3)},
		{"mean", func(a *Array) *Array { return a.Sin().Mean(0) }, x},
		{"var", func(a *Array) *Array { return a.Var(1) }, x},
		{"unbiased var", func(a *Array) *Array { return a.VarDDof(1, 1) }, x},
		{"std", func(a *Array) *Array { return a.Std(1) }, x},
		{"complex var", func(a *Array) *Array { return a.Var(0) }, d.complexes(4, 2)},
		{"norm", func(a *Array) *Array { return a.Norm(0, 1) }, x},
		{"complex norm", func(a *Array) *Array { return a.Norm() }, d.complexes(4, 2)},
		{"log_sum_exp", func(a *Array) *Array { return a.LogSumExp(1) }, x},
		{"reduction of a strided view", func(a *Array) *Array { return a.Transpose().SliceAxis(1, Range{0, End, 2}).Sin().Sum(0) }, x},
	}
	checkGradCases(t, tests)
}

func TestGradMatMul(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(5)
	mul := func(in []*Array) *Array { return in[0].MatMul(in[1]) }
	tests := []struct {
		name string
		a, b *Array
	}{
		{"matrices", d.reals(-1, 1, 3, 4), d.reals(-1, 1, 4, 2)},
		{"batch", d.reals(-1, 1, 2, 3, 4), d.reals(-1, 1, 2, 4, 5)},
		{"one matrix for a batch", d.reals(-1, 1, 2, 3, 4), d.reals(-1, 1, 4, 5)},
		{"one matrix, with axes of its own", d.reals(-1, 1, 2, 2, 3, 4), d.reals(-1, 1, 1, 1, 4, 5)},
		{"one left for a batch", d.reals(-1, 1, 3, 4), d.reals(-1, 1, 2, 4, 5)},
		{"both broadcast", d.reals(-1, 1, 2, 1, 3, 4), d.reals(-1, 1, 3, 4, 2)},
		{"row", d.reals(-1, 1, 4), d.reals(-1, 1, 4, 3)},
		{"column", d.reals(-1, 1, 3, 4), d.reals(-1, 1, 4)},
		{"dot", d.reals(-1, 1, 4), d.reals(-1, 1, 4)},
		{"complex", d.complexes(3, 4), d.complexes(4, 2)},
		{"inner length 0", d.reals(-1, 1, 3, 0), d.reals(-1, 1, 0, 2)},
		{"no rows", d.reals(-1, 1, 0, 3), d.reals(-1, 1, 3, 2)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkGrad(t, mul, tt.a, tt.b) })
	}
	t.Run("transposed and strided", func(t *testing.T) {
		checkGrad(t, func(in []*Array) *Array {
			return in[0].Transpose().SliceAxis(0, Range{0, End, 2}).MatMul(in[1].Transpose()).Sin()
		}, d.reals(-1, 1, 3, 5), d.reals(-1, 1, 2, 3))
	})
}

func TestGradFFT(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(6)
	var tests []gradCase
	for _, n := range []int{1, 2, 5, 6} {
		real, complex := d.reals(-1, 1, 2, n), d.complexes(2, n)
		for _, length := range []int{0, 1, 3, 4, 9} {
			for _, norm := range []Norm{Backward, Ortho, Forward} {
				o := FFT{N: length, Norm: norm}
				name := fmt.Sprintf(" %d of %d norm %d", length, n, norm)
				tests = append(tests,
					gradCase{"fft" + name, func(a *Array) *Array { return a.FFT(o) }, complex},
					gradCase{"ifft" + name, func(a *Array) *Array { return a.IFFT(o) }, complex},
					gradCase{"fft of real" + name, func(a *Array) *Array { return a.FFT(o) }, real},
					gradCase{"rfft" + name, func(a *Array) *Array { return a.RFFT(o) }, real},
					gradCase{"ihfft" + name, func(a *Array) *Array { return a.IHFFT(o) }, real})
				if length == 0 && n == 1 {
					continue // no length to go back to
				}
				tests = append(tests,
					gradCase{"irfft" + name, func(a *Array) *Array { return a.IRFFT(o) }, complex},
					gradCase{"hfft" + name, func(a *Array) *Array { return a.HFFT(o) }, complex})
			}
		}
	}
	axis := FFT{Axis: Axis(0), N: 4}
	tests = append(tests,
		gradCase{"rfft of the first axis", func(a *Array) *Array { return a.RFFT(axis) }, d.reals(-1, 1, 5, 3)},
		gradCase{"irfft of the first axis", func(a *Array) *Array { return a.IRFFT(axis) }, d.complexes(5, 3)},
		gradCase{"fftn", func(a *Array) *Array { return a.FFTN() }, d.complexes(3, 4)},
		gradCase{"ifftn", func(a *Array) *Array { return a.IFFTN(FFTN{Shape: []int{2, 5}}) }, d.complexes(3, 4)},
		gradCase{"rfftn", func(a *Array) *Array { return a.RFFTN() }, d.reals(-1, 1, 3, 5)},
		gradCase{"irfftn", func(a *Array) *Array { return a.IRFFTN(FFTN{Shape: []int{3, 5}}) }, d.complexes(3, 3)},
		gradCase{"rfft of a strided view", func(a *Array) *Array { return a.Transpose().SliceAxis(1, Range{0, End, 2}).RFFT() }, d.reals(-1, 1, 6, 2)},
		gradCase{"power spectrum", func(a *Array) *Array { return a.RFFT().AbsSquared() }, d.reals(-1, 1, 2, 9)},
		gradCase{"stft", func(a *Array) *Array { return a.Frames(6, 2).RFFT().Abs() }, d.reals(-1, 1, 15)},
	)
	checkGradCases(t, tests)
	t.Run("convolution", func(t *testing.T) {
		checkGrad(t, func(in []*Array) *Array {
			n := FFT{N: 11}
			return in[0].RFFT(n).Mul(in[1].RFFT(n)).IRFFT(n).SliceAxis(-1, Range{0, 6, 1}).Sin()
		}, d.reals(-1, 1, 2, 3, 6), d.reals(-1, 1, 3, 5))
	})
}

// TestGradOfEvaluatedViews differentiates by arrays whose elements do not lie in
// a row: evaluated views of other arrays.
func TestGradOfEvaluatedViews(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(10)
	x := d.reals(-1, 1, 6, 8)
	views := map[string]*Array{
		"transposed":  x.Transpose(),
		"every other": x.SliceAxis(1, Range{0, End, 2}),
		"reversed":    x.Flip(0),
		"repeated":    d.reals(-1, 1, 8).BroadcastTo(3, 8),
		"frames":      d.reals(-1, 1, 12).Frames(6, 2),
	}
	for name, v := range views {
		t.Run(name, func(t *testing.T) {
			if err := Eval(context.Background(), v); err != nil {
				t.Fatal(err)
			}
			checkGrad(t, func(in []*Array) *Array { return in[0].Sin().RFFT().AbsSquared() }, v)
			checkGrad(t, func(in []*Array) *Array { return in[0].MatMul(in[0].Transpose()).Tanh() }, v)
			checkGrad(t, func(in []*Array) *Array { return in[0].Mul(in[0]).CumSum(0).Frames(2, 1, 0) }, v)
		})
	}
}
