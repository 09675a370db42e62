package reference

import (
	"errors"
	"math"
	"math/cmplx"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

var inf, nan = math.Inf(1), math.NaN()

func same(v, w Value) bool {
	eq := func(a, b float64) bool { return a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b }
	return v.Type == w.Type && v.Int == w.Int && eq(real(v.Num), real(w.Num)) && eq(imag(v.Num), imag(w.Num))
}

func TestApply(t *testing.T) {
	i := func(t elem.Type, v int64) Value { return Value{Type: t, Int: v} }
	f := func(t elem.Type, x float64) Value { return Value{Type: t, Num: complex(x, 0)} }
	for _, c := range []struct {
		op   scalar.Op
		in   []Value
		want Value
	}{
		{scalar.Add, []Value{i(elem.Uint8, 250), i(elem.Uint8, 10)}, i(elem.Uint8, 4)},
		{scalar.Neg, []Value{i(elem.Uint32, 1)}, i(elem.Uint32, math.MaxUint32)},
		{scalar.Abs, []Value{i(elem.Int32, math.MinInt32)}, i(elem.Int32, math.MinInt32)},
		{scalar.Mul, []Value{i(elem.Int32, 1<<20), i(elem.Int32, 1<<12+1)}, i(elem.Int32, 1<<20)},
		{scalar.Div, []Value{i(elem.Int32, -7), i(elem.Int32, 2)}, i(elem.Int32, -3)},
		{scalar.Div, []Value{i(elem.Int32, -7), i(elem.Int32, 0)}, i(elem.Int32, 0)},
		{scalar.Div, []Value{i(elem.Int64, math.MinInt64), i(elem.Int64, -1)}, i(elem.Int64, math.MinInt64)},
		{scalar.Rem, []Value{i(elem.Int32, -7), i(elem.Int32, 2)}, i(elem.Int32, -1)},
		{scalar.Pow, []Value{i(elem.Uint8, 3), i(elem.Uint8, 6)}, i(elem.Uint8, 729%256)},
		{scalar.Pow, []Value{i(elem.Int32, -1), i(elem.Int32, -3)}, i(elem.Int32, -1)},
		{scalar.Pow, []Value{i(elem.Int32, 2), i(elem.Int32, -1)}, i(elem.Int32, 0)},
		{scalar.Add, []Value{f(elem.Float32, 1), f(elem.Float32, 0x1p-24)}, f(elem.Float32, 1)},
		{scalar.Add, []Value{f(elem.Float16, 2048), f(elem.Float16, 1)}, f(elem.Float16, 2048)},
		{scalar.Mul, []Value{f(elem.Float16, 60000), f(elem.Float16, 2)}, f(elem.Float16, inf)},
		{scalar.Add, []Value{f(elem.BFloat16, 256), f(elem.BFloat16, 1)}, f(elem.BFloat16, 256)},
		{scalar.Maximum, []Value{f(elem.Float32, nan), f(elem.Float32, 1)}, f(elem.Float32, nan)},
		{scalar.Minimum, []Value{f(elem.Float64, 3), f(elem.Float64, -inf)}, f(elem.Float64, -inf)},
		{scalar.Round, []Value{f(elem.Float64, 2.5)}, f(elem.Float64, 2)},
		{scalar.Rem, []Value{f(elem.Float64, -5.5), f(elem.Float64, 2)}, f(elem.Float64, -1.5)},
		{scalar.Sign, []Value{f(elem.Float32, -3)}, f(elem.Float32, -1)},
		{scalar.Sigmoid, []Value{f(elem.Float64, 0)}, f(elem.Float64, 0.5)},
		{scalar.Less, []Value{f(elem.Float64, nan), f(elem.Float64, 1)}, i(elem.Bool, 0)},
		{scalar.NotEqual, []Value{f(elem.Float64, nan), f(elem.Float64, nan)}, i(elem.Bool, 1)},
		{scalar.Abs, []Value{{Type: elem.Complex64, Num: 3e30 + 4e30i}}, f(elem.Float32, float64(float32(5e30)))},
		{scalar.AbsSquared, []Value{{Type: elem.Complex128, Num: 3 - 4i}}, f(elem.Float64, 25)},
		{scalar.Angle, []Value{{Type: elem.Complex128, Num: -1}}, f(elem.Float64, math.Pi)},
		{scalar.Mul, []Value{{Type: elem.Complex64, Num: 1 + 2i}, {Type: elem.Complex64, Num: 3 - 1i}}, Value{Type: elem.Complex64, Num: 5 + 5i}},
		{scalar.Where, []Value{i(elem.Bool, 0), f(elem.Float32, 1), f(elem.Float32, 2)}, f(elem.Float32, 2)},
	} {
		types := make([]elem.Type, len(c.in))
		for k := range types {
			types[k] = c.in[k].Type
		}
		r, err := c.op.Result(types...)
		if err != nil {
			t.Fatal(err)
		}
		if got := Apply(c.op, r, c.in...); !same(got, c.want) {
			t.Errorf("%s%v = %v %v, want %v %v", c.op, c.in, got.Type, got, c.want.Type, c.want)
		}
	}
}

func TestCast(t *testing.T) {
	f := func(x float64) Value { return Value{Type: elem.Float64, Num: complex(x, 0)} }
	for _, c := range []struct {
		in   Value
		want Value
	}{
		{f(-1.9), Value{Type: elem.Int32, Int: -1}},
		{f(1e20), Value{Type: elem.Int64, Int: math.MaxInt64}},
		{f(-inf), Value{Type: elem.Int32, Int: math.MinInt32}},
		{f(-3), Value{Type: elem.Uint8}},
		{f(300), Value{Type: elem.Uint8, Int: 255}},
		{f(nan), Value{Type: elem.Uint32}},
		{f(nan), Value{Type: elem.Bool, Int: 1}},
		{f(0.1), Value{Type: elem.Float32, Num: complex(float64(float32(0.1)), 0)}},
		{Value{Type: elem.Int64, Int: 300}, Value{Type: elem.Uint8, Int: 44}},
		{Value{Type: elem.Int64, Int: 1<<24 + 1}, Value{Type: elem.Float32, Num: 1 << 24}},
		{Value{Type: elem.Complex128, Num: 2.5 + 7i}, Value{Type: elem.Int32, Int: 2}},
		{Value{Type: elem.Complex128, Num: 7i}, Value{Type: elem.Bool, Int: 1}},
		{Value{Type: elem.Bool, Int: 1}, Value{Type: elem.Complex64, Num: 1}},
	} {
		if got := Cast(c.want.Type, c.in); !same(got, c.want) {
			t.Errorf("cast of %v %v to %v = %v, want %v", c.in.Type, c.in, c.want.Type, got, c.want)
		}
	}
}

// Every type survives being stored and loaded.
func TestStoreLoad(t *testing.T) {
	for _, typ := range elem.All {
		buf := make([]byte, 3*typ.Size())
		v := Cast(typ, Value{Type: elem.Complex128, Num: 1.5 - 2i})
		Store(v, buf, 1)
		if got := Load(typ, buf, 1); !same(got, v) {
			t.Errorf("%s: stored %v, loaded %v", typ, v, got)
		}
	}
}

func TestSumKeepsWhatRoundingLoses(t *testing.T) {
	vs := []Value{Float(elem.Float64, 1e16), Float(elem.Float64, 1), Float(elem.Float64, -1e16)}
	if got := fold(ir.Sum, elem.Float64, vs); got.Float64() != 1 {
		t.Errorf("1e16 + 1 - 1e16 = %v", got)
	}
	vs[1] = Float(elem.Float64, inf)
	if got := fold(ir.Sum, elem.Float64, vs); got.Float64() != inf {
		t.Errorf("a sum with Inf = %v", got)
	}
	x := []Value{Float(elem.Float64, 1+0x1p-30), Float(elem.Float64, -1)}
	y := []Value{Float(elem.Float64, 1+0x1p-30), Float(elem.Float64, 1+0x1p-29)}
	if got := dot(elem.Float64, x, y); got.Float64() != 0x1p-60 {
		t.Errorf("dot = %v, want 2^-60", got)
	}
}

func TestFold(t *testing.T) {
	f := func(x ...float64) (vs []Value) {
		for _, x := range x {
			vs = append(vs, Float(elem.Float32, x))
		}
		return vs
	}
	for _, c := range []struct {
		op   ir.ReduceOp
		in   []Value
		want Value
	}{
		{ir.Max, f(1, nan, 3), Float(elem.Float32, nan)},
		{ir.Max, nil, Float(elem.Float32, -inf)},
		{ir.Min, nil, Float(elem.Float32, inf)},
		{ir.Prod, f(2, 3, 4), Float(elem.Float32, 24)},
		{ir.Prod, nil, Float(elem.Float32, 1)},
		{ir.ArgMax, f(1, 3, 3), Integer(elem.Int64, 1)},
		{ir.ArgMin, f(1, nan, -3, nan), Integer(elem.Int64, 1)},
		{ir.All, nil, Truth(true)},
		{ir.Any, []Value{Truth(false), Truth(true)}, Truth(true)},
	} {
		if got := fold(c.op, elem.Float32, c.in); !same(got, c.want) {
			t.Errorf("%s of %v = %v, want %v", c.op, c.in, got, c.want)
		}
	}
}

func run[T, U elem.Value](t *testing.T, p ir.Program, out []U, in ...[]T) []U {
	t.Helper()
	var reads [][]byte
	for _, x := range in {
		reads = append(reads, elem.Bytes(x))
	}
	if err := Run(p, reads, [][]byte{elem.Bytes(out)}, nil); err != nil {
		t.Fatal(err)
	}
	return out
}

func equal[T comparable](t *testing.T, name string, got, want []T) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
			t.Errorf("%s: %v, want %v", name, got, want)
			return
		}
	}
}

func TestAxisPrograms(t *testing.T) {
	row := ir.Operand{Type: elem.Float32, Strides: []int{1}}
	backwards := ir.Operand{Type: elem.Float32, Offset: 3, Strides: []int{-1}}
	x := []float32{3, float32(nan), 1, 2}
	equal(t, "scan", run(t, &ir.Scan{Dims: []int{4}, In: backwards, Out: row}, make([]float32, 4), x),
		[]float32{2, 3, float32(nan), float32(nan)})
	equal(t, "sort", run(t, &ir.Sort{Dims: []int{4}, Keep: 4, In: row, Values: new(row)}, make([]float32, 4), x),
		[]float32{1, 2, 3, float32(nan)})
	positions := ir.Operand{Type: elem.Int64, Strides: []int{1}}
	equal(t, "argsort", run(t, &ir.Sort{Dims: []int{4}, Keep: 3, Descending: true, In: row, Places: new(positions)}, make([]int64, 3), x),
		[]int64{0, 3, 2})
}

func TestGemm(t *testing.T) {
	a := ir.Operand{Type: elem.Int32, Strides: []int{3, 1}}
	b := ir.Operand{Type: elem.Int32, Strides: []int{1, 3}} // stored transposed
	out := ir.Operand{Type: elem.Int32, Strides: []int{2, 1}}
	got := run(t, &ir.Gemm{M: 2, N: 2, K: 3, A: a, B: b, Out: out}, make([]int32, 4),
		[]int32{1, 2, 3, 4, 5, 6}, []int32{1, 0, 1, 0, 1, 0})
	equal(t, "gemm", got, []int32{4, 2, 10, 5})
}

func TestIndexPrograms(t *testing.T) {
	dims := []int{3}
	o := func(t elem.Type, stride int) ir.Operand { return ir.Operand{Type: t, Strides: []int{stride}} }
	g := &ir.Gather{Dims: dims, Data: o(elem.Float32, 0), Index: o(elem.Int32, 1), Out: o(elem.Float32, 1), AxisStride: 1, AxisLen: 4}
	data, out := []float32{10, 11, 12, 13}, make([]float32, 3)
	bind := func(index []int32) error {
		return Run(g, [][]byte{elem.Bytes(data), elem.Bytes(index)}, [][]byte{elem.Bytes(out)}, nil)
	}
	if err := bind([]int32{2, -4, -1}); err != nil {
		t.Fatal(err)
	}
	equal(t, "gather", out, []float32{12, 10, 13})
	var bad *ir.IndexError
	if err := bind([]int32{2, 4, 0}); !errors.As(err, &bad) || bad.Index != 4 || bad.Len != 4 {
		t.Errorf("index 4 of 4: %v", err)
	}
	s := &ir.Scatter{Dims: dims, Updates: o(elem.Float32, 1), Index: o(elem.Int32, 1), Out: o(elem.Float32, 0), AxisStride: 1, AxisLen: 4}
	base := []float32{1, 1, 1, 1}
	if err := Run(s, [][]byte{elem.Bytes([]float32{5, 6, 7}), elem.Bytes([]int32{1, -1, 1})}, [][]byte{elem.Bytes(base)}, nil); err != nil {
		t.Fatal(err)
	}
	equal(t, "scatter", base, []float32{1, 13, 1, 7})
}

func TestFFT(t *testing.T) {
	c := ir.Operand{Type: elem.Complex128, Strides: []int{1}}
	r := ir.Operand{Type: elem.Float64, Strides: []int{1}}
	near := func(name string, got, want []complex128) {
		t.Helper()
		for i := range want {
			if cmplx.Abs(got[i]-want[i]) > 1e-14 {
				t.Errorf("%s: %v, want %v", name, got, want)
				return
			}
		}
	}
	x := []complex128{1, 2, 3, 4}
	near("fft", run(t, &ir.FFT{N: 4, Scale: 1, InLen: 4, In: c, Out: c}, make([]complex128, 4), x),
		[]complex128{10, -2 + 2i, -2, -2 - 2i})
	near("padded inverse", run(t, &ir.FFT{N: 2, Scale: 0.5, Inverse: true, InLen: 1, In: c, Out: c}, make([]complex128, 2), x),
		[]complex128{0.5, 0.5})
	bins := run(t, &ir.FFT{Kind: ir.FFTRealForward, N: 3, Scale: 1, InLen: 3, In: r, Out: c}, make([]complex128, 2), []float64{1, 2, 4})
	near("real forward", bins, []complex128{7, complex(-2, math.Sqrt(3))})
	bins[0] += 5i // ignored
	back := run(t, &ir.FFT{Kind: ir.FFTRealInverse, N: 3, Scale: 1. / 3, InLen: 2, In: c, Out: r}, make([]float64, 3), bins)
	for i, want := range []float64{1, 2, 4} {
		if math.Abs(back[i]-want) > 1e-14 {
			t.Errorf("real inverse: %v", back)
		}
	}
}

func TestReducePost(t *testing.T) {
	// Row means of a 2x3 matrix: a sum, then a division by the argument.
	p := &ir.Reduce{
		Dims: []int{2, 3}, Inner: 1,
		Code: ir.Code{
			In:     []ir.Operand{ir.Contiguous(elem.Float32, []int{2, 3})},
			Instrs: []ir.Instr{{Kind: ir.Load, Type: elem.Float32}},
		},
		Post: ir.Code{Instrs: []ir.Instr{
			{Kind: ir.Acc, Type: elem.Float32},
			{Kind: ir.Const, Type: elem.Float32},
			{Kind: ir.Apply, Op: scalar.Div, Type: elem.Float32, A: 0, B: 1},
		}},
		Out: ir.Contiguous(elem.Float32, []int{2}),
	}
	out := make([]float32, 2)
	err := Run(p, [][]byte{elem.Bytes([]float32{1, 2, 3, 4, 5, 9})}, [][]byte{elem.Bytes(out)}, []scalar.Arg{scalar.ArgOf(elem.Float32, 3)})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "means", out, []float32{2, 6})
}
