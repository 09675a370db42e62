package nd

import (
	"errors"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// A computation in parts gives the bits of the whole, and a cut that an
// operation does not let through is refused.
func TestInParts(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := soon(t)
	x := Normal(Key(1), Float64, 7, 6, 8)
	y := Normal(Key(2), Float64, 8)
	index := Arange[int64](0, 7*6*8, 1).RemScalar(6).Reshape(7, 6, 8)
	if err := Eval(ctx, x, y, index); err != nil {
		t.Fatal(err)
	}
	lines := x.Exp() // computed on the way: has to be cut, not viewed
	for _, c := range []struct {
		name string
		a    *Array
		cut  bool
	}{
		{"map", lines.Mul(y).AddScalar(1), true},
		{"outer", y.Exp().ExpandDims(1).Mul(y.Exp()), true},
		{"cast", lines.Cast(Float32), true},
		{"transpose", lines.Transpose(2, 0, 1).Neg(), true},
		{"broadcast", lines.Max(0).Add(lines), true},
		{"slice", lines.Slice(Range{Start: 1, Stop: 6}, Range{Start: 4, Stop: 1, Step: -1}).Neg(), true},
		{"reshape", lines.Reshape(7, 48).Neg(), true},
		{"flat", lines.Reshape(-1).Neg(), false},
		{"frames", lines.Reshape(7, 48).Frames(8, 4).Sum(2), true},
		{"frames of a line", lines.Slice(Range{Start: 0, Stop: 1}).Reshape(48).Frames(8, 4).Sum(1), false},
		{"pad", lines.PadAxis(2, Margin{Before: 2, After: 1}, Pad{}), true},
		{"concat", Concat(2, lines, x.Neg()), true},
		{"gather", lines.Gather(index, 1), true},
		{"sum", lines.Sum(1).Neg(), true},
		{"sum of two", lines.Sum(0, 2).Neg(), true},
		{"total", lines.Sum().Neg(), false},
		{"scan", lines.CumSum(1).Neg(), true},
		{"sort", lines.Sort(2), true},
		{"top", func() *Array { v, _ := lines.TopK(3, 2); return v }(), true},
		{"fft", lines.RFFT().AbsSquared(), true},
		{"product", lines.MatMul(lines.Transpose(0, 2, 1)), true},
		{"one product", lines.Slice(Range{Start: 0, Stop: 1}).Reshape(6, 8).MatMul(y.Exp().Reshape(8, 1)), false},
		{"random", Uniform(Key(3), Float64, 5, 4).AddScalar(1), true},
		{"iota", Arange[float64](0, 20, 1).Reshape(5, 4).Exp(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.a.Err(); err != nil {
				t.Fatal(err)
			}
			for _, parts := range []int{2, 3, 5} {
				n := graph.InParts(c.a.node, parts)
				if (n != nil) != c.cut {
					t.Fatalf("cut in %d: %v, want %v", parts, n != nil, c.cut)
				}
				if n == nil {
					continue
				}
				if err := graph.Verify(n); err != nil {
					t.Fatal(err)
				}
				sum := func(n *graph.Node) []float64 {
					a := (&Array{node: n}).Cast(Float64)
					got, err := Slice[float64](ctx, a)
					if err != nil {
						t.Fatal(err)
					}
					return got
				}
				if got := sum(n); !slices.Equal(got, sum(c.a.node)) {
					t.Errorf("in %d parts: %v", parts, got)
				}
			}
		})
	}
}

// What does not fit at once is computed in parts, and what does not fit in
// parts either still fails with what was asked for first.
func TestOutOfMemoryInParts(t *testing.T) {
	ctx := soon(t)
	dev := collected(CPU())
	limit := dev.Memory().Limit
	defer dev.SetMemoryLimit(limit)
	const rows, n = 64, 1 << 14
	x := Uniform(Key(4), Float32, rows, n)
	build := func() *Array { return x.Sort(1).CumSum(1).Sort(1).Max(1) }
	if err := Eval(ctx, x); err != nil {
		t.Fatal(err)
	}
	want, err := Slice[float32](ctx, build())
	if err != nil {
		t.Fatal(err)
	}
	dev.Trim()
	dev.SetMemoryLimit(dev.Memory().Active + 4*rows*n/4)
	for _, eval := range []struct {
		name string
		run  func(a *Array) error
	}{
		{"eval", func(a *Array) error { return Eval(ctx, a) }},
		{"async", func(a *Array) error { return Async(a).Wait(ctx) }},
	} {
		a := build()
		if err := eval.run(a); err != nil {
			t.Fatalf("%s: %v", eval.name, err)
		}
		got, err := Slice[float32](ctx, a)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: other results in parts, %v", eval.name, err)
		}
	}
	var oom *OutOfMemoryError
	if err := Eval(ctx, build().Sum(), Uniform(Key(5), Float32, 16*rows*n).Sort(0)); !errors.As(err, &oom) || oom.Asked < 4*rows*n {
		t.Errorf("error %v", err)
	}
}
