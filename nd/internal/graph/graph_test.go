package graph

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// data is an input of the tables below.
func data(t elem.Type, dims ...int) *Node {
	n, err := NewData(Place{}, t, dims)
	if err != nil {
		panic(err)
	}
	return n
}

func TestConstructors(t *testing.T) {
	x := data(elem.Float32, 8, 64)
	z := data(elem.Complex128, 8, 64)
	flags := data(elem.Bool, 8, 64)
	index := data(elem.Int64, 8, 3)
	empty := data(elem.Float32, 3, 0)
	one := data(elem.Float32)
	elsewhere, _ := NewData(Place{Device: 1}, elem.Float32, []int{8, 64})

	// make keeps the rows short: each is a call, and what comes of it.
	type result struct {
		n   *Node
		err error
	}
	made := func(n *Node, err error) result { return result{n, err} }
	tests := []struct {
		name string
		got  result
		want string // "dtype shape", or the error
	}{
		{"full", made(NewFull(Place{}, elem.Int32, scalar.IntArg(3), []int{2, 2})), "int32 [2 2]"},
		{"full negative", made(NewFull(Place{}, elem.Int32, scalar.IntArg(3), []int{-2})), "negative dimension in shape [-2]"},
		{"full huge", made(NewFull(Place{}, elem.Int32, scalar.IntArg(3), []int{math.MaxInt, math.MaxInt})), "shape [9223372036854775807 9223372036854775807] has too many elements"},
		{"full untyped", made(NewFull(Place{}, elem.Invalid, scalar.IntArg(3), []int{2})), "invalid is not a dtype: want one before the shape"},
		{"iota", made(NewIota(Place{}, -1, []int{2, 5})), "int64 [2 5]"},
		{"iota axis", made(NewIota(Place{}, 2, []int{2, 5})), "axis 2 out of range for shape [2 5]"},
		{"normal", made(NewRandom(Place{}, scalar.RandNormal, elem.Float16, 7, []int{4})), "float16 [4]"},
		{"normal int", made(NewRandom(Place{}, scalar.RandNormal, elem.Int32, 7, []int{4})), "dtype int32: want a float dtype"},
		{"randint", made(NewRandom(Place{}, scalar.RandInt, elem.Int32, 7, []int{4}, -1, 5)), "int32 [4]"},
		{"randint bounds", made(NewRandom(Place{}, scalar.RandInt, elem.Int32, 7, []int{4}, 5, 5)), "bounds [5, 5) are empty"},
		{"randint unbounded", made(NewRandom(Place{}, scalar.RandInt, elem.Int32, 7, []int{4})), "1 argument, want 2"},
		{"not random", made(NewRandom(Place{}, scalar.Add, elem.Int32, 7, []int{4})), "dtype int32: want a random draw"},

		{"add", made(NewMap(scalar.Add, x, x)), "float32 [8 64]"},
		{"add row", made(NewMap(scalar.Add, x, data(elem.Float32, 64))), "float32 [8 64]"},
		{"add outer", made(NewMap(scalar.Add, data(elem.Float32, 8, 1), data(elem.Float32, 1, 64))), "float32 [8 64]"},
		{"add empty", made(NewMap(scalar.Add, empty, one)), "float32 [3 0]"},
		{"add shapes", made(NewMap(scalar.Add, x, data(elem.Float32, 3))), "shapes [8 64] and [3] do not broadcast"},
		{"add dtypes", made(NewMap(scalar.Add, x, data(elem.Float64, 64))), "dtypes [float32 float64]: want one dtype; nothing is promoted, use Cast"},
		{"add devices", made(NewMap(scalar.Add, x, elsewhere)), "operands are on different devices, 0 and 1"},
		{"less complex", made(NewMap(scalar.Less, z, z)), "dtypes [complex128 complex128]: want an ordered dtype"},
		{"abs complex", made(NewMap(scalar.Abs, z)), "float64 [8 64]"},
		{"where", made(NewMap(scalar.Where, data(elem.Bool, 64), x, one)), "float32 [8 64]"},
		{"where condition", made(NewMap(scalar.Where, x, x, x)), "dtypes [float32 float32 float32]: want a bool condition"},
		{"cast", made(NewCast(x, elem.Bool)), "bool [8 64]"},
		{"cast invalid", made(NewCast(x, elem.Invalid)), "no cast from float32 to invalid"},

		{"transpose", made(NewTranspose(x, nil)), "float32 [64 8]"},
		{"transpose twice", made(NewTranspose(x, []int{0, 0})), "axis 0 given twice for shape [8 64]"},
		{"broadcast", made(NewBroadcast(x, []int{2, 8, 64})), "float32 [2 8 64]"},
		{"broadcast shrink", made(NewBroadcast(x, []int{64})), "shape [8 64] does not broadcast to [64]"},
		{"broadcast huge", made(NewBroadcast(x, []int{math.MaxInt / 8, 8, 64})), "shape [1152921504606846975 8 64] has too many elements"},
		{"slice", made(NewSlice(x, []int{7, 0}, []int{-2, 1}, []int{4, 64})), "float32 [4 64]"},
		{"slice past", made(NewSlice(x, []int{7, 0}, []int{-2, 1}, []int{5, 64})), "5 elements from 7 with step -2, on axis 0 of shape [8 64]"},
		{"slice overflow", made(NewSlice(x, []int{7, 0}, []int{math.MinInt, 1}, []int{3, 64})), "3 elements from 7 with step -9223372036854775808, on axis 0 of shape [8 64]"},
		{"reshape", made(NewReshape(x, []int{-1, 16})), "float32 [32 16]"},
		{"reshape wrong", made(NewReshape(x, []int{3, -1})), "512 elements do not fill shape [3 -1]"},
		{"frames", made(NewFrames(x, -1, 16, 8)), "float32 [8 7 16]"},
		{"frames long", made(NewFrames(x, 0, 16, 8)), "frame size 16 is longer than the axis, 8"},
		{"frames huge", made(NewFrames(bigView(), 0, bigView().Len()/2, 1)), "shape [1099511627777 1099511627776] has too many elements"},
		{"bitcast", made(NewBitCast(x, elem.Uint32)), "uint32 [8 64]"},
		{"bitcast size", made(NewBitCast(x, elem.Int64)), "float32 and int64 differ in size"},
		{"bitcast bool", made(NewBitCast(data(elem.Uint8, 2), elem.Bool)), "uint8 bits may not be a bool; use Cast"},

		{"pad", made(NewPad(x, PadConstant, []int{1, 0}, []int{2, 3}, scalar.Arg{})), "float32 [11 67]"},
		{"pad negative", made(NewPad(x, PadEdge, []int{-1, 0}, []int{2, 3}, scalar.Arg{})), "negative width -1 on axis 0"},
		{"pad huge", made(NewPad(x, PadConstant, []int{math.MaxInt, 0}, []int{2, 3}, scalar.Arg{})), "width 9223372036854775807 on axis 0 is too large"},
		{"pad reflect", made(NewPad(x, PadReflect, []int{7, 0}, []int{7, 0}, scalar.Arg{})), "float32 [22 64]"},
		{"pad reflect short", made(NewPad(x, PadReflect, []int{8, 0}, []int{0, 0}, scalar.Arg{})), "width 8 on axis 0 of shape [8 64]: reflect needs a longer axis"},
		{"pad wrap short", made(NewPad(x, PadWrap, []int{9, 0}, []int{0, 0}, scalar.Arg{})), "width 9 on axis 0 of shape [8 64]: wrap needs as long an axis"},
		{"pad edge empty", made(NewPad(empty, PadEdge, []int{0, 1}, []int{0, 0}, scalar.Arg{})), "axis 1 of shape [3 0] is empty, nothing to edge"},
		{"pad rank", made(NewPad(x, PadEdge, []int{1}, []int{1}, scalar.Arg{})), "1 and 1 widths for shape [8 64]"},
		{"concat", made(NewConcat(1, x, data(elem.Float32, 8, 2))), "float32 [8 66]"},
		{"concat empty", made(NewConcat(-1, empty, data(elem.Float32, 3, 2))), "float32 [3 2]"},
		{"concat beside", made(NewConcat(0, x, data(elem.Float32, 8, 2))), "shapes [8 64] and [8 2] differ beside axis 0"},
		{"concat rank", made(NewConcat(0, x, one)), "shapes [8 64] and [] have different numbers of axes"},
		{"concat dtype", made(NewConcat(0, x, z)), "dtypes float32 and complex128: want one dtype; nothing is promoted, use Cast"},
		{"take", made(NewTake(x, index, 1, nil)), "float32 [8 8 3]"},
		{"take one", made(NewTake(x, data(elem.Int32), 0, nil)), "float32 [64]"},
		{"take dtype", made(NewTake(x, x, 0, nil)), "indices of dtype float32: want int32 or int64"},
		{"gather", made(NewGather(x, index, -1, nil)), "float32 [8 3]"},
		{"gather spread", made(NewGather(x, data(elem.Int64, 1, 3), 1, nil)), "float32 [8 3]"},
		{"gather rank", made(NewGather(x, data(elem.Int64, 3), 1, nil)), "indices of shape [3] for data of shape [8 64]: want as many axes"},
		{"gather beside", made(NewGather(x, index, 0, nil)), "shapes [8 64] and [8 3] do not broadcast beside axis 0"},
		{"scatter", made(NewScatterAdd(x, index, data(elem.Float32, 8, 3), 1, nil)), "float32 [8 64]"},
		{"scatter spread", made(NewScatterAdd(x, data(elem.Int64, 3), data(elem.Float32, 8, 3), 1, nil)), "float32 [8 64]"},
		{"scatter rank", made(NewScatterAdd(x, data(elem.Int64, 3), data(elem.Float32, 3), 1, nil)), "indices and updates have 1 axis, base of shape [8 64] has 2"},
		{"scatter dtype", made(NewScatterAdd(x, index, data(elem.Int32, 8, 3), 1, nil)), "dtypes float32 and int32: want one dtype; nothing is promoted, use Cast"},
		{"scatter beside", made(NewScatterAdd(x, index, data(elem.Float32, 8, 3), 0, nil)), "shape [8 3] does not broadcast to [8 64]"},

		{"sum", made(NewReduce(Sum, x, []int{-1})), "float32 [8]"},
		{"sum both", made(NewReduce(Sum, x, []int{1, 0})), "float32 []"},
		{"sum none", made(NewReduce(Sum, x, nil)), "float32 [8 64]"},
		{"sum bool", made(NewReduce(Sum, flags, []int{0})), "dtype bool: want a number"},
		{"max complex", made(NewReduce(Max, z, []int{0})), "dtype complex128: want a real dtype"},
		{"max empty", made(NewReduce(Max, empty, []int{1})), "float32 [3]"},
		{"argmax", made(NewReduce(ArgMax, x, []int{0})), "int64 [64]"},
		{"argmax scalar", made(NewReduce(ArgMax, one, nil)), "int64 []"},
		{"argmax empty", made(NewReduce(ArgMax, empty, []int{1})), "no elements over axes [1] of shape [3 0]"},
		{"argmax beside empty", made(NewReduce(ArgMax, empty, []int{0})), "int64 [0]"},
		{"any", made(NewReduce(Any, flags, []int{0, 1})), "bool []"},
		{"any float", made(NewReduce(Any, x, []int{0, 1})), "dtype float32: want bool"},
		{"sum axis", made(NewReduce(Sum, x, []int{2})), "axis 2 out of range for shape [8 64]"},
		{"cumsum", made(NewScan(Sum, x, 0)), "float32 [8 64]"},
		{"cummax", made(NewScan(Max, x, 0)), "no running max"},
		{"cumsum scalar", made(NewScan(Sum, one, 0)), "axis 0 out of range for shape []"},
		{"sort", made(NewSort(x, SortAttr{Axis: -1})), "float32 [8 64]"},
		{"argsort", made(NewSort(x, SortAttr{Axis: 0, Arg: true, K: 3})), "int64 [3 64]"},
		{"topk", made(NewSort(x, SortAttr{Axis: 0, K: 9})), "k 9 of 8 elements"},
		{"sort complex", made(NewSort(z, SortAttr{})), "dtype complex128: want an ordered dtype"},

		{"matmul", made(NewMatMul(x, data(elem.Float32, 64, 5))), "float32 [8 5]"},
		{"matmul batch", made(NewMatMul(data(elem.Float32, 7, 1, 2, 3), data(elem.Float32, 4, 3, 5))), "float32 [7 4 2 5]"},
		{"matmul empty", made(NewMatMul(empty, data(elem.Float32, 0, 5))), "float32 [3 5]"},
		{"matmul inner", made(NewMatMul(x, x)), "inner lengths 64 and 8 differ in shapes [8 64] and [8 64]"},
		{"matmul rank", made(NewMatMul(x, data(elem.Float32, 64))), "shapes [8 64] and [64]: want at least two axes each"},
		{"matmul batches", made(NewMatMul(data(elem.Float32, 2, 1, 1), data(elem.Float32, 3, 1, 1))), "batch axes of shapes [2 1 1] and [3 1 1] do not broadcast"},
		{"matmul dtype", made(NewMatMul(x, z)), "dtypes float32 and complex128: want one dtype; nothing is promoted, use Cast"},
		{"matmul bool", made(NewMatMul(flags, data(elem.Bool, 64, 2))), "dtype bool: want a number"},

		{"fft", made(NewFFT(z, FFTAttr{Axis: -2, N: 100, Scale: 1})), "complex128 [100 64]"},
		{"rfft", made(NewFFT(x, FFTAttr{Kind: FFTRealForward, Axis: 1, N: 63, Scale: 1})), "complex64 [8 32]"},
		{"irfft", made(NewFFT(z, FFTAttr{Kind: FFTRealInverse, Axis: 1, N: 63, Scale: 1})), "float64 [8 63]"},
		{"fft real", made(NewFFT(x, FFTAttr{N: 8, Scale: 1})), "dtype float32: want a complex dtype"},
		{"rfft complex", made(NewFFT(z, FFTAttr{Kind: FFTRealForward, N: 8, Scale: 1})), "dtype complex128: want float32 or float64"},
		{"fft n", made(NewFFT(z, FFTAttr{N: 0, Scale: 1})), "n 0 is not a length, for shape [8 64]"},
		{"fft axis", made(NewFFT(z, FFTAttr{Axis: 3, N: 8, Scale: 1})), "axis 3 out of range for shape [8 64]"},
		{"butterfly", made(NewButterfly(z, data(elem.Complex128, 1, 2, 2, 32), ButterflyAttr{Spans: []int{4}})), "complex128 [8 64]"},
		{"butterfly dtype", made(NewButterfly(x, data(elem.Float64, 1, 2, 2, 32), ButterflyAttr{Spans: []int{4}})), "dtypes float32 and float64: want one dtype; nothing is promoted, use Cast"},
		{"butterfly int", made(NewButterfly(data(elem.Int32, 8), data(elem.Int32, 1, 2, 2, 4), ButterflyAttr{Spans: []int{4}})), "dtype int32: want float32, float64 or a complex dtype"},
		{"butterfly length", made(NewButterfly(data(elem.Float32, 12), data(elem.Float32, 1, 2, 2, 6), ButterflyAttr{Spans: []int{4}})), "last axis of shape [12] is no power of two from 2 on"},
		{"butterfly scalar", made(NewButterfly(one, one, ButterflyAttr{})), "0-d array has no line to transform"},
		{"butterfly none", made(NewButterfly(z, z, ButterflyAttr{})), "no factors"},
		{"butterfly w", made(NewButterfly(z, z, ButterflyAttr{Spans: []int{1}})), "factors of shape [8 64], want [1 2 2 32] for lines of 64"},
		{"butterfly span", made(NewButterfly(z, data(elem.Complex128, 1, 2, 2, 32), ButterflyAttr{Spans: []int{64}})), "factor 0 has span 64, want a power of two below 64"},
		{"butterfly order", made(NewButterfly(z, data(elem.Complex128, 1, 2, 2, 32), ButterflyAttr{Spans: []int{1}, To: []int{1, 0}})), "order of 2 elements is no permutation of 64"},
		{"fft scalar", made(NewFFT(one, FFTAttr{N: 8, Scale: 1})), "0-d array has no axis to transform"},
		{"fft empty", made(NewFFT(data(elem.Complex64, 3, 0), FFTAttr{Axis: 1, N: 8, Scale: 1})), "axis 1 of shape [3 0] is empty"},
		{"fft lines", made(NewFFT(data(elem.Complex64, 0, 3), FFTAttr{Axis: 1, N: 8, Scale: 1})), "complex64 [0 8]"},

		{"transfer", made(NewTransfer(Place{Device: 1}, x)), "float32 [8 64]"},
		{"transfer home", made(NewTransfer(Place{}, x)), "operand is on device 0 already"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := fmt.Sprint(tt.got.err)
			if tt.got.err == nil {
				got = fmt.Sprint(tt.got.n.Type, " ", tt.got.n.Shape)
				if err := Verify(tt.got.n); err != nil {
					t.Error(err)
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// bigView is more elements than memory holds: repeating is free.
func bigView() *Node {
	exp2 := func(n int) int { return 1 << n } // constants would be too large for ints of 32 bits
	n, err := NewBroadcast(data(elem.Uint8, 1), []int{exp2(41)})
	if err != nil {
		panic(err)
	}
	return n
}

func TestNothingToDo(t *testing.T) {
	x := data(elem.Float32, 8, 64)
	zeros := []int{0, 0}
	for name, make := range map[string]func() (*Node, error){
		"cast":      func() (*Node, error) { return NewCast(x, elem.Float32) },
		"bitcast":   func() (*Node, error) { return NewBitCast(x, elem.Float32) },
		"transpose": func() (*Node, error) { return NewTranspose(x, []int{0, 1}) },
		"broadcast": func() (*Node, error) { return NewBroadcast(x, []int{8, 64}) },
		"reshape":   func() (*Node, error) { return NewReshape(x, []int{8, -1}) },
		"slice":     func() (*Node, error) { return NewSlice(x, zeros, []int{1, 1}, []int{8, 64}) },
		"pad":       func() (*Node, error) { return NewPad(x, PadReflect, zeros, zeros, scalar.Arg{}) },
		"concat":    func() (*Node, error) { return NewConcat(0, x) },
		"reduce":    func() (*Node, error) { return NewReduce(Sum, x, nil) },
	} {
		if n, err := make(); n != x || err != nil {
			t.Errorf("%s: made a node, or failed: %v", name, err)
		}
	}
}

func TestPlacement(t *testing.T) {
	a, _ := NewData(Place{Device: 1, Stream: 3}, elem.Float32, []int{4})
	b, _ := NewData(Place{Device: 1, Stream: 5}, elem.Float32, []int{4})
	sum, err := NewMap(scalar.Add, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Place() != a.Place() {
		t.Errorf("placed at %v, want where the first operand is, %v", sum.Place(), a.Place())
	}
	moved, err := NewTransfer(Place{Device: 2, Stream: 1}, sum)
	if err != nil || moved.Place() != (Place{2, 1}) {
		t.Errorf("transfer: %v, %v", moved, err)
	}
}

// TestVerifyNotices breaks one thing at a time in well-made nodes.
func TestVerifyNotices(t *testing.T) {
	x := data(elem.Float32, 8, 64)
	sum, _ := NewReduce(Sum, x, []int{1})
	def := func(n *Node) Def {
		return Def{Op: n.Op, Attr: n.Attr, In: n.In(), Type: n.Type, Shape: n.Shape, Args: n.Args}
	}
	tests := []struct {
		name   string
		damage func(*Def)
		want   string
	}{
		{"type", func(d *Def) { d.Type = elem.Float64 }, "graph: reduce: float64 [8], but its operands make float32 [8]"},
		{"shape", func(d *Def) { d.Shape = []int{64} }, "graph: reduce: float32 [64], but its operands make float32 [8]"},
		{"attr", func(d *Def) { d.Attr = nil }, "graph: reduce: attribute is a <nil>, want graph.ReduceAttr"},
		{"axes", func(d *Def) { d.Attr = ReduceAttr{Sum, []int{1, 0}} }, "graph: reduce: axes [1 0] are not ascending"},
		{"axis", func(d *Def) { d.Attr = ReduceAttr{Sum, []int{7}} }, "graph: reduce: axis 7 out of range for shape [8 64]"},
		{"inputs", func(d *Def) { d.In = nil }, "graph: reduce: 0 operands, want 1"},
		{"device", func(d *Def) { d.Device = 1 }, "graph: reduce: on device 1 with an operand on device 0"},
		{"op", func(d *Def) { d.Op = opCount }, "graph: graph.Op(26): not an operation"},
		{"negative", func(d *Def) { d.Shape = []int{-8} }, "graph: reduce: negative dimension in shape [-8]"},
		{"other op", func(d *Def) { d.Op, d.Attr = Map, MapAttr{scalar.Add} }, "graph: map: 1 operand, want 2"},
	}
	for _, tt := range tests {
		d := def(sum)
		tt.damage(&d)
		// A user of the broken node, so that the walk has to find it.
		user := New(Def{Op: Map, Attr: MapAttr{scalar.Neg}, In: []*Node{New(d)}, Type: d.Type, Shape: d.Shape, Device: d.Device})
		if err := Verify(user); fmt.Sprint(err) != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}

	held := New(def(sum))
	held.Hold(1)
	held.Detach()
	if err := Verify(held); err != nil {
		t.Errorf("evaluated node: %v", err)
	}
}

func TestTopological(t *testing.T) {
	a, b := data(elem.Float32, 2), data(elem.Float32, 2)
	ab, _ := NewMap(scalar.Add, a, b)
	twice, _ := NewMap(scalar.Mul, ab, ab)
	last, _ := NewMap(scalar.Sub, twice, a)
	got := Topological(nil, last, ab)
	if want := []*Node{a, b, ab, twice, last}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	got = Topological(func(n *Node) bool { return n == ab }, last)
	if want := []*Node{ab, twice, a, last}; !slices.Equal(got, want) {
		t.Errorf("with a leaf: got %v", got)
	}
}

func TestDeepGraph(t *testing.T) {
	x := data(elem.Float32, 2)
	n := x
	const depth = 200_000
	for range depth {
		var err error
		if n, err = NewMap(scalar.Neg, n); err != nil {
			t.Fatal(err)
		}
	}
	order := Topological(nil, n)
	if len(order) != depth+1 || order[0] != x || order[depth] != n {
		t.Errorf("%d nodes", len(order))
	}
	if err := Verify(n); err != nil {
		t.Error(err)
	}
}

func TestKey(t *testing.T) {
	x := data(elem.Float32, 8, 64)
	mk := func(n *Node, err error) *Node {
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	full := func(v int64) *Node { return mk(NewFull(Place{}, elem.Int64, scalar.IntArg(v), []int{3})) }
	text := func(n *Node) string { return string(n.AppendKey(nil)) }
	if text(full(1)) != text(full(2)) {
		t.Error("a constant changes the key")
	}
	if text(mk(NewReshape(x, []int{512}))) != text(NewDetour(mk(NewReshape(x, []int{512})), nil)) {
		t.Error("a way for gradients changes the key")
	}
	distinct := []*Node{
		x, data(elem.Float64, 8, 64), data(elem.Float32, 64, 8), data(elem.Float32, 8, 64, 1), full(1),
		mk(NewReduce(Sum, x, []int{0})), mk(NewReduce(Sum, x, []int{1})), mk(NewReduce(Prod, x, []int{0})),
		mk(NewMap(scalar.Neg, x)), mk(NewMap(scalar.Abs, x)), mk(NewMap(scalar.Add, x, x)),
		mk(NewConcat(0, x, x)), mk(NewConcat(0, x, x, x)), mk(NewMatMul(x, data(elem.Float32, 64, 3))),
		mk(NewScan(Sum, x, 0)), mk(NewScan(Sum, x, 1)),
		mk(NewSort(x, SortAttr{})), mk(NewSort(x, SortAttr{Descending: true})), mk(NewSort(x, SortAttr{K: 2})),
		mk(NewFrames(x, 1, 4, 2)), mk(NewFrames(x, 1, 4, 4)),
		mk(NewPad(x, PadEdge, []int{1, 0}, []int{0, 1}, scalar.Arg{})), mk(NewPad(x, PadEdge, []int{0, 1}, []int{1, 0}, scalar.Arg{})),
		mk(NewFFT(x, FFTAttr{Kind: FFTRealForward, Axis: 1, N: 64, Scale: 1})),
		mk(NewFFT(x, FFTAttr{Kind: FFTRealForward, Axis: 1, N: 64, Scale: 0.5})),
		mk(NewButterfly(x, data(elem.Float32, 1, 2, 2, 32), ButterflyAttr{Spans: []int{1}})), mk(NewButterfly(x, data(elem.Float32, 1, 2, 2, 32), ButterflyAttr{Spans: []int{2}})),
	}
	for i, n := range distinct {
		for k, other := range distinct {
			if i != k && strings.HasPrefix(text(n), text(other)) {
				t.Errorf("the key of %s %v is the beginning of that of %s %v", other.Op, other.Attr, n.Op, n.Attr)
			}
		}
	}
}

func TestMapIsLight(t *testing.T) {
	x := data(elem.Float32, 8, 64)
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := NewMap(scalar.Add, x, x); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 2 { // the node and its list of inputs
		t.Errorf("%v allocations for a map", allocs)
	}
}

func BenchmarkNewMap(b *testing.B) {
	x := data(elem.Float32, 8, 64)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewMap(scalar.Add, x, x); err != nil {
			b.Fatal(err)
		}
	}
}
