package nd

import (
	"encoding/json"
	"math"
	"math/cmplx"
	"os"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// goldens is testdata/goldens.json, written by testdata/make_goldens.py.
type goldens struct {
	NumPy         string
	Inputs, Cases map[string]golden
}

type golden struct {
	DType  string
	Shape  []int
	Values []number
}

// number is a JSON number, or NaN or an infinity as a string.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"nan"`:
		*n = number(math.NaN())
	case `"inf"`:
		*n = number(math.Inf(1))
	case `"-inf"`:
		*n = number(math.Inf(-1))
	default:
		return json.Unmarshal(b, (*float64)(n))
	}
	return nil
}

// complexes is the elements, two values each where they are complex.
func (g golden) complexes() []complex128 {
	if g.DType != "complex128" {
		out := make([]complex128, len(g.Values))
		for i, v := range g.Values {
			out[i] = complex(float64(v), 0)
		}
		return out
	}
	out := make([]complex128, len(g.Values)/2)
	for i := range out {
		out[i] = complex(float64(g.Values[2*i]), float64(g.Values[2*i+1]))
	}
	return out
}

// array is the golden as an Array.
func (g golden) array(t *testing.T, l leaves) *Array {
	z := g.complexes()
	dims := append([]int{}, g.Shape...)
	switch g.DType {
	case "float64":
		return input(l, each(z, func(z complex128) float64 { return real(z) }), dims...)
	case "float32":
		return input(l, each(z, func(z complex128) float32 { return float32(real(z)) }), dims...)
	case "int64":
		return input(l, each(z, func(z complex128) int64 { return int64(real(z)) }), dims...)
	case "bool":
		return input(l, each(z, func(z complex128) bool { return z != 0 }), dims...)
	case "complex128":
		return input(l, z, dims...)
	}
	t.Fatalf("golden of dtype %s", g.DType)
	return nil
}

func each[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

func readGoldens(t *testing.T) goldens {
	text, err := os.ReadFile("testdata/goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var g goldens
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// goldenRows gives each golden case as the Arrays that have to reproduce it.
func goldenRows(in func(string) *Array) map[string]*Array {
	x, v, nan, halves, big, cube := in("x"), in("v"), in("nan"), in("halves"), in("big"), in("cube")
	i, j, rows, grid, along := in("i"), in("j"), in("rows"), in("grid"), in("along")
	z, flags, small, empty := in("z"), in("flags"), in("small"), in("empty")
	signal, spectrum := in("signal"), in("spectrum")
	wide := small.Cast(Float64)
	back := Range{Start: -1, Stop: End, Step: -1}
	topValues, topPositions := x.TopK(2, 1)
	var parts []*Array
	for _, p := range Split(v, 3, 0) {
		parts = append(parts, p.Sum().Reshape(1))
	}
	return map[string]*Array{
		"add row":        x.Add(x.At(0)),
		"add column":     x.Add(x.Slice(All, Range{Stop: 1})),
		"outer":          x.ExpandDims(1).Mul(x.ExpandDims(0)),
		"scalar first":   FullLike(x, 1).Sub(x),
		"empty plus row": empty.Add(wide),

		"round half even":   halves.Round(),
		"floor":             halves.Floor(),
		"ceil":              halves.Ceil(),
		"int div truncates": i.Div(j),
		"int rem":           i.Rem(j),
		"float rem":         x.RemScalar(-0.75),
		"maximum nan":       nan.MaximumScalar(1),
		"clip":              nan.Clip(-1, 2),
		"clip low":          x.Clip(0, nil),
		"sign":              nan.Sign(),
		"sign complex":      z.Sign(),
		"angle":             z.Angle(),
		"equal nan":         nan.Equal(nan),
		"not equal nan":     nan.NotEqual(nan),
		"cast truncates":    x.Cast(Int32),
		"where":             Where(flags, Arange(0.0, 3, 1), Full(-1, Float64)),

		"slice negative step":  x.Slice(back, Range{Start: -1, Stop: End, Step: -2}),
		"slice bounds":         v.Slice(Range{-5, -1, 2}),
		"slice clipped":        v.Slice(Range{Start: -100, Stop: 100}),
		"slice backwards from": v.Slice(Range{4, 1, -1}),
		"slice empty":          v.Slice(Range{Start: 5, Stop: 2}),
		"slice of slice":       x.Slice(Range{Start: 1, Stop: End}, back).Slice(All, Range{1, 4, 2}),
		"flip all":             cube.Flip(),
		"flip one":             cube.Flip(1),
		"at":                   cube.At(1, -1),
		"transpose":            cube.Transpose(2, 0, 1),
		"reshape of transpose": cube.Transpose(2, 0, 1).Reshape(4, -1),
		"swap":                 cube.SwapAxes(0, -1),
		"frames":               v.Frames(3, 2),
		"frames of flipped":    x.Flip(1).Frames(2, 1, 1),

		"pad constant":          x.Pad(Pad{Value: -1}, Margin{1, 2}, Margin{0, 3}),
		"pad reflect":           x.Pad(Pad{Mode: PadReflect}, Margin{2, 1}, Margin{3, 3}),
		"pad edge":              x.Pad(Pad{Mode: PadEdge}, Margin{2, 1}, Margin{0, 4}),
		"pad wrap":              x.Pad(Pad{Mode: PadWrap}, Margin{3, 1}, Margin{2, 4}),
		"pad wrap twice around": v.PadAxis(0, Margin{17, 23}, Pad{Mode: PadWrap}),
		"pad empty":             empty.Pad(Pad{}, Margin{1, 1}, Margin{0, 1}),

		"roll":         v.Roll(3, 0),
		"roll back":    x.Roll(-5, 1),
		"tile":         x.Tile(2, 1, 3),
		"tile fewer":   cube.Tile(2),
		"repeat":       x.Repeat(3, 0),
		"concat":       Concat(1, x, x.Flip(1), x.Slice(All, Range{})),
		"stack":        Stack(1, x, x.Neg()),
		"split uneven": Concat(0, parts...),
		"take":         x.Take(rows, 0),
		"take grid":    cube.Take(grid, 1),
		"gather":       x.Gather(along, 1),
		"scatter add":  x.ScatterAdd(along, wide, 1),

		"sum all":           cube.Sum(),
		"sum axes":          cube.Sum(0, -1),
		"sum keepdims":      cube.Sum(1).ExpandDims(1),
		"sum int":           i.Sum(0),
		"sum empty":         empty.Sum(0),
		"prod empty":        empty.Prod(0),
		"prod":              x.Prod(1),
		"max":               cube.Max(0, 1),
		"max nan":           nan.Max(1),
		"min nan":           nan.Min(0),
		"argmax ties":       x.ArgMax(0),
		"argmax flat":       x.ArgMax(),
		"argmax nan":        nan.ArgMax(1),
		"argmin nan":        nan.ArgMin(0),
		"argmin int":        i.ArgMin(-1),
		"mean":              cube.Mean(1, 2),
		"mean complex":      z.Mean(0),
		"var":               cube.Var(1),
		"var ddof":          cube.VarDDof(1, 2, 0),
		"var complex":       z.Var(1),
		"var far from zero": x.AddScalar(1e9).Var(1),
		"std":               x.Std(),
		"logsumexp":         big.LogSumExp(1),
		"norm":              z.Norm(1),
		"all":               flags.All(1),
		"any":               flags.Not().Any(0),
		"all empty":         Zeros(Bool, 2, 0).All(1),

		"cumsum":          cube.CumSum(1),
		"cumsum last":     i.CumSum(-1),
		"cumprod":         x.CumProd(0),
		"sort":            x.Sort(0),
		"sort nan":        nan.Sort(1),
		"argsort":         x.ArgSort(1),
		"sort descending": v.SortDescending(0),
		"topk":            topValues,
		"topk positions":  topPositions,

		"matmul":         x.MatMul(x.Transpose()),
		"matmul batch":   cube.MatMul(cube.SwapAxes(1, 2)),
		"matmul vector":  x.MatMul(v.Slice(Range{Stop: 4})),
		"vector matmul":  v.Slice(Range{Stop: 3}).MatMul(x),
		"dot":            v.MatMul(v),
		"vector batch":   v.Slice(Range{Stop: 3}).MatMul(cube),
		"matmul empty":   Zeros(Float64, 2, 0).MatMul(Ones(Float64, 0, 3)),
		"matmul complex": z.MatMul(z.Transpose()),

		"arange":       Arange(0.5, 3, 0.3),
		"arange down":  Arange[int64](5, -6, -3),
		"arange empty": Arange[int64](3, 3, 1),
		"linspace":     Linspace(-1.0, 2, 7),
		"linspace one": Linspace(5.0, 9, 1),
		"eye":          Eye(Float64, 3),

		"fft":           spectrum.FFT(),
		"fft real":      signal.FFT(FFT{Axis: Axis(0)}),
		"fft padded":    spectrum.FFT(FFT{N: 9, Axis: Axis(0), Norm: Ortho}),
		"fft cut":       spectrum.FFT(FFT{N: 5, Norm: Forward}),
		"ifft":          spectrum.IFFT(),
		"ifft forward":  spectrum.IFFT(FFT{Norm: Forward}),
		"rfft":          signal.RFFT(),
		"rfft odd":      signal.RFFT(FFT{N: 7}),
		"rfft padded":   signal.RFFT(FFT{N: 13, Axis: Axis(0), Norm: Forward}),
		"irfft":         spectrum.IRFFT(),
		"irfft odd":     spectrum.IRFFT(FFT{N: 9}),
		"irfft cut":     spectrum.IRFFT(FFT{N: 4, Norm: Ortho}),
		"irfft padded":  spectrum.IRFFT(FFT{N: 16, Axis: Axis(-2)}),
		"hfft":          spectrum.HFFT(),
		"hfft odd":      spectrum.HFFT(FFT{N: 7, Norm: Ortho}),
		"ihfft":         signal.IHFFT(),
		"ihfft odd":     signal.IHFFT(FFT{N: 9, Norm: Forward}),
		"fftn":          spectrum.FFTN(),
		"fftn shape":    spectrum.FFTN(FFTN{Shape: []int{5, 4}, Norm: Ortho}),
		"ifftn":         spectrum.IFFTN(FFTN{Axes: []int{0}}),
		"rfftn":         cube.RFFTN(),
		"rfftn axes":    cube.RFFTN(FFTN{Shape: []int{5, 4}, Axes: []int{2, 0}}),
		"irfftn":        spectrum.IRFFTN(),
		"irfftn odd":    spectrum.IRFFTN(FFTN{Shape: []int{3, 9}, Norm: Forward}),
		"hfftn":         spectrum.HFFTN(),
		"hfftn odd":     spectrum.HFFTN(FFTN{Shape: []int{5, 7}, Norm: Ortho}),
		"ihfftn":        cube.IHFFTN(),
		"ihfftn axes":   cube.IHFFTN(FFTN{Axes: []int{1, 0}, Norm: Forward}),
		"fftfreq even":  FFTFreq(8, 0.1),
		"fftfreq odd":   FFTFreq(7, 0.5),
		"rfftfreq":      RFFTFreq(9, 2.0),
		"fftshift":      v.FFTShift(),
		"ifftshift":     v.IFFTShift(),
		"fftshift axes": cube.FFTShift(1, -1),
	}
}

// TestGoldens compares every operation with NumPy: what its graph means, as
// the reference evaluates it, and what the engine makes of it.
func TestGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	g := readGoldens(t)
	for how, eval := range evaluators {
		// An evaluated node forgets its inputs, so each has Arrays of its own.
		l := leaves{}
		made := map[string]*Array{}
		for name, in := range g.Inputs {
			made[name] = in.array(t, l)
		}
		rows := goldenRows(func(name string) *Array { return made[name] })
		for name := range g.Cases {
			if rows[name] == nil {
				t.Errorf("golden %q has no row", name)
			}
		}
		for name, a := range rows {
			t.Run(how+"/"+name, func(t *testing.T) {
				want, ok := g.Cases[name]
				if !ok {
					t.Fatal("no such golden")
				}
				if a.Err() != nil {
					t.Fatal(a.Err())
				}
				if err := graph.Verify(a.node); err != nil {
					t.Fatal(err)
				}
				got, err := eval(l, a)
				if err != nil {
					t.Fatal(err)
				}
				checkGolden(t, want, a, got)
			})
		}
	}
}

// checkGolden compares an Array and its elements with a golden.
func checkGolden(t *testing.T, want golden, a *Array, got []complex128) {
	if got := a.DType().String(); got != want.DType {
		t.Errorf("dtype %s, want %s", got, want.DType)
	}
	if !slices.Equal(a.Shape(), want.Shape) {
		t.Fatalf("shape %v, want %v", a.Shape(), want.Shape)
	}
	exact := !a.DType().IsFloat() && !a.DType().IsComplex()
	for i, w := range want.complexes() {
		if !approx(got[i], w, exact) {
			t.Errorf("element %d: got %v, want %v", i, got[i], w)
		}
	}
}

// approx allows a few roundings between NumPy's order of operations and ours.
func approx(got, want complex128, exact bool) bool {
	if got == want {
		return true
	}
	for _, p := range [2][2]float64{{real(got), real(want)}, {imag(got), imag(want)}} {
		if math.IsNaN(p[0]) != math.IsNaN(p[1]) || math.IsInf(p[0], 0) != math.IsInf(p[1], 0) {
			return false
		}
	}
	if cmplx.IsNaN(want) {
		return true
	}
	return !exact && cmplx.Abs(got-want) <= 1e-13*max(1, cmplx.Abs(want))
}
