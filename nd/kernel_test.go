package nd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

var expKernel = nd.Kernel{
	Name: "myexp", Inputs: []string{"x"}, Outputs: []string{"y"},
	Source: "uint i = thread_position_in_grid.x;\ny[i] = exp(x[i]);\n",
}

func ExampleKernel() {
	square := nd.Kernel{
		Name: "square", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: `uint i = thread_position_in_grid.x;
y[i] = x[i] * x[i];`,
	}
	x := nd.From([]float32{1, 2, 3})
	y := square.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{3}}, Grid: [3]int{3}})[0]
	out, err := nd.Slice[float32](context.Background(), y.AddScalar(1))
	fmt.Println(out, err)
	// Output: [2 5 10] <nil>
}

func ExampleKernel_Text() {
	k := nd.Kernel{Name: "twice", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: "uint i = thread_position_in_grid;\ny[i] = 2 * x[i];"}
	x := nd.Zeros(nd.Float16, 8)
	text, err := k.Text("metal", nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{8}}, Grid: [3]int{8}})
	fmt.Println(text, err)
	// Output:
	// #include <metal_stdlib>
	// using namespace metal;
	//
	// kernel void twice(
	//     device const half* x [[buffer(0)]],
	//     device half* y [[buffer(1)]],
	//     uint3 thread_position_in_grid [[thread_position_in_grid]]) {
	// uint i = thread_position_in_grid.x;
	// y[i] = 2 * x[i];
	// }
	//  <nil>
}

func floats(t *testing.T, a *nd.Array) []float32 {
	t.Helper()
	out, err := nd.Slice[float32](context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestKernelFeedsAndIsFed(t *testing.T) {
	x := nd.Linspace[float32](-1, 1, 1000)
	y := expKernel.Call(nd.Launch{Inputs: []*nd.Array{x.MulScalar(2)}, Shapes: [][]int{{1000}}, Grid: [3]int{1000}, Threadgroup: [3]int{64}})[0]
	got := floats(t, y.Sub(x.MulScalar(2).Exp()).Abs().Max())
	if got[0] > 1e-6 {
		t.Errorf("differs from Exp by %g", got[0])
	}
}

// An output larger than the caches is written past them.
func TestKernelLargeOutput(t *testing.T) {
	const n = 3<<20 + 5
	x := nd.Linspace[float32](-1, 1, n)
	y := expKernel.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{n}}, Grid: [3]int{n}})[0]
	if got := floats(t, y.Sub(x.Exp()).Abs().Max()); got[0] != 0 {
		t.Errorf("differs from Exp by %g", got[0])
	}
}

// Inputs that lie otherwise are packed; with Strided they come as they are.
func TestKernelLayouts(t *testing.T) {
	base := nd.Arange[float32](0, 24, 1).Reshape(4, 6)
	copyBody := nd.Kernel{Name: "copy", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: "uint i = thread_position_in_grid.x; y[i] = x[i];"}
	strided := nd.Kernel{Name: "strided", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: "uint i = thread_position_in_grid.x; uint n = x_shape[1]; y[i] = x[(i / n) * x_strides[0] + (i % n) * x_strides[1]] + 100 * x_ndim;"}
	for name, x := range map[string]*nd.Array{
		"whole": base, "transposed": base.Transpose(), "rows": base.Slice(nd.Range{Start: 1, Stop: 3}), "reversed": base.Flip(0),
		"columns": base.Slice(nd.All, nd.Range{Start: 2, Stop: 5}), "broadcast": nd.Arange[float32](0, 6, 1).BroadcastTo(4, 6),
		"constant": nd.Full(3, nd.Float32, 4, 6), "computed": base.AddScalar(1).Transpose(),
	} {
		t.Run(name, func(t *testing.T) {
			want := floats(t, x)
			n := len(want)
			l := nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{n}}, Grid: [3]int{n}}
			if got := floats(t, copyBody.Call(l)[0]); !slices.Equal(got, want) {
				t.Errorf("packed: %v, want %v", got, want)
			}
			l.Strided = true
			got := floats(t, strided.Call(l)[0])
			for i := range got {
				got[i] -= 200
			}
			if !slices.Equal(got, want) {
				t.Errorf("strided: %v, want %v", got, want)
			}
		})
	}
}

// Outputs of one call that are evaluated together come from one launch.
func TestKernelOutputs(t *testing.T) {
	k := nd.Kernel{Name: "parts", Inputs: []string{"x"}, Outputs: []string{"whole", "frac", "neg"},
		Source: "uint i = thread_position_in_grid.x; whole[i] = int(x[i]); frac[i] = x[i] - floor(x[i]); neg[i] = x[i] < 0;"}
	x := nd.From([]float32{1.5, -2.25, 3})
	out := k.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{3}, {3}, {3}}, Grid: [3]int{3},
		DTypes: []nd.DType{nd.Int32, nd.Float32, nd.Bool}})
	sum := out[1].Add(out[0].Cast(nd.Float32))
	plan, err := nd.Explain(sum, out[2])
	if err != nil {
		t.Fatal(err)
	}
	launches := 0
	for _, s := range plan.Steps {
		if s.Program == "custom" {
			launches++
		}
	}
	if launches != 1 || !strings.Contains(plan.String(), "parts") {
		t.Errorf("%d launches of the kernel:\n%s", launches, plan)
	}
	if err := nd.Eval(context.Background(), sum, out[2]); err != nil {
		t.Fatal(err)
	}
	if got := floats(t, sum); !slices.Equal(got, []float32{1.5, -1.25, 3}) {
		t.Errorf("sum %v", got)
	}
	if got, _ := nd.Slice[bool](context.Background(), out[2]); !slices.Equal(got, []bool{false, true, false}) {
		t.Errorf("neg %v", got)
	}
	// An output that was left out can still be had.
	if got, err := nd.Slice[int32](context.Background(), out[0]); err != nil || !slices.Equal(got, []int32{1, -2, 3}) {
		t.Errorf("whole %v %v", got, err)
	}
}

// Whole outputs are not filled, and a check holds kernels to the promise.
func TestKernelWhole(t *testing.T) {
	testdevice.NotOnGPU(t, "a GPU does not look for elements that were never set")
	every := nd.Kernel{Name: "every", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: "for (uint i = thread_position_in_grid.x; i < 6; i += 3) y[i] = x[i % 3] + float(i);"}
	second := nd.Kernel{Name: "second", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: "uint i = thread_position_in_grid.x; y[2 * i] = x[i];"}
	early := nd.Kernel{Name: "early", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: "for (uint i = thread_position_in_grid.x; i < 6; i += 3) y[i] += x[i % 3];"}
	for _, c := range []struct {
		k      *nd.Kernel
		check  bool
		atomic bool
		want   string
	}{
		{k: &every}, {k: &every, check: true},
		{k: &second, check: true, want: "y[1] is never set"},
		{k: &early, check: true, want: "y[0] is read before it is written"},
		{k: &every, atomic: true, want: "what is added to needs Init"},
	} {
		y := c.k.Call(nd.Launch{Inputs: []*nd.Array{nd.From([]float32{1, 2, 3})}, Shapes: [][]int{{6}}, Grid: [3]int{3},
			Init: 7, Whole: true, Check: c.check, Atomic: c.atomic})[0]
		got, err := nd.Slice[float32](context.Background(), y)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.k.Name, err, c.want)
			}
		} else if err != nil || !slices.Equal(got, []float32{1, 3, 5, 4, 6, 8}) {
			t.Errorf("%s: %v %v", c.k.Name, got, err)
		}
	}
}

func TestKernelTemplateInitAtomic(t *testing.T) {
	testdevice.NotOnGPU(t, "atomic sums have no order on a GPU")
	ctx := context.Background()
	k := nd.Kernel{Name: "shift", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: "uint i = thread_position_in_grid.x; T v = T(x[i]); if (ON) y[i * STEP] = v;"}
	x := nd.From([]float32{1, 2, 3})
	l := nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{6}}, Grid: [3]int{3}, Init: -1,
		Template: map[string]any{"T": nd.Float32, "ON": true, "STEP": 2}}
	if got := floats(t, k.Call(l)[0]); !slices.Equal(got, []float32{1, -1, 2, -1, 3, -1}) {
		t.Errorf("template: %v", got)
	}
	l.Template = map[string]any{"T": nd.Int32, "ON": false, "STEP": 2}
	l.Init = 0
	if got := floats(t, k.Call(l)[0]); !slices.Equal(got, make([]float32, 6)) {
		t.Errorf("init: %v", got)
	}
	sum := nd.Kernel{Name: "sum", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: "atomic_fetch_add_explicit(&y[0], x[thread_position_in_grid.x], memory_order_relaxed);"}
	n := 100000
	noise := nd.Normal(nd.Key(1), nd.Float32, n)
	if err := nd.Eval(ctx, noise); err != nil {
		t.Fatal(err)
	}
	var first float32
	for i := range 5 {
		got := floats(t, sum.Call(nd.Launch{Inputs: []*nd.Array{noise}, Shapes: [][]int{{1}}, Grid: [3]int{n}, Atomic: true, Init: 1000})[0])[0]
		if i == 0 {
			first = got
		}
		if got != first || math.Abs(float64(got)-1000) > 2000 {
			t.Fatalf("run %d: %g after %g", i, got, first)
		}
	}
}

func TestKernelBadInput(t *testing.T) {
	x := nd.From([]float32{1, 2, 3, 4})
	good := nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{4}}, Grid: [3]int{4}}
	change := func(f func(*nd.Launch)) nd.Launch {
		l := good
		f(&l)
		return l
	}
	for _, c := range []struct {
		name   string
		kernel nd.Kernel
		launch nd.Launch
		want   string
	}{
		{"syntax", nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "y[0] = x[0]"}, good, `nd: k: k:1:12: expected ";"`},
		{"file", nd.Kernel{Name: "k", File: "a/b.metal", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "\n y[0] = q;"}, good, `a/b.metal:2:9: unknown name "q"`},
		{"missing input", expKernel, change(func(l *nd.Launch) { l.Inputs = nil }), "0 inputs, want 1: [x]"},
		{"extra input", expKernel, change(func(l *nd.Launch) { l.Inputs = []*nd.Array{x, x} }), "2 inputs, want 1"},
		{"nil input", expKernel, change(func(l *nd.Launch) { l.Inputs = []*nd.Array{nil} }), "nil Array"},
		{"no grid", expKernel, change(func(l *nd.Launch) { l.Grid = [3]int{} }), "no grid"},
		{"negative grid", expKernel, change(func(l *nd.Launch) { l.Grid = [3]int{-4} }), "grid [-4 1 1]"},
		{"large threadgroup", expKernel, change(func(l *nd.Launch) { l.Threadgroup = [3]int{2048} }), "more than 1024 threads"},
		{"large threadgroup, two axes", expKernel, change(func(l *nd.Launch) { l.Threadgroup = [3]int{64, 64} }), "more than 1024 threads"},
		{"shapes", expKernel, change(func(l *nd.Launch) { l.Shapes = nil }), "0 shapes for 1 output"},
		{"negative shape", expKernel, change(func(l *nd.Launch) { l.Shapes = [][]int{{-1}} }), "-1"},
		{"template", expKernel, change(func(l *nd.Launch) { l.Template = map[string]any{"N": 1.5} }), "N is a float64"},
		{"template name", expKernel, change(func(l *nd.Launch) { l.Template = map[string]any{"x": 1} }), "used twice"},
		{"dtype", nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "y[0] = x[0] % 2;"}, good, "use fmod"},
		{"no source", nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}}, good, "no source"},
		{"atomic dtype", expKernel, change(func(l *nd.Launch) { l.Atomic = true; l.DTypes = []nd.DType{nd.Float64} }), "atomic outputs are"},
		{"limit", expKernel, change(func(l *nd.Launch) { l.Limit = -1 }), "limit -1"},
		{"name", nd.Kernel{Name: "k", Inputs: []string{"a b"}, Outputs: []string{"y"}, Source: "y[0] = 1;"}, good, "not an identifier"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := c.kernel.Call(c.launch)
			if len(out) != 1 || out[0].Err() == nil || !strings.Contains(out[0].Err().Error(), c.want) {
				t.Fatalf("got %v, want %q", out[0].Err(), c.want)
			}
			var op *nd.OpError
			if !errors.As(nd.Eval(context.Background(), out[0].AddScalar(1)), &op) || !strings.Contains(op.Site, "kernel_test.go") {
				t.Errorf("error is not carried: %v", op)
			}
		})
	}
	var place *nd.KernelError
	bad := nd.Kernel{Name: "k", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "y[0] = q;"}
	if !errors.As(bad.Call(good)[0].Err(), &place) || place.Line != 1 || place.Column != 8 {
		t.Errorf("no place: %v", place)
	}
}

// A fault while running reaches what depends on it, and nothing else.
func TestKernelFault(t *testing.T) {
	testdevice.NotOnGPU(t, "a GPU checks indices only when asked to")
	ctx := context.Background()
	x := nd.From([]float32{1, 2, 3, 4})
	k := nd.Kernel{Name: "past", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "uint i = thread_position_in_grid.x;\ny[i] = x[i + 1];"}
	y := k.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{4}}, Grid: [3]int{4}})[0]
	good := expKernel.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{4}}, Grid: [3]int{4}})[0]
	err := nd.Eval(ctx, y.AddScalar(1))
	var fault *nd.KernelFault
	if !errors.As(err, &fault) || fault.Thread != [3]int{3, 0, 0} || fault.At.Line != 2 {
		t.Fatalf("got %v", err)
	}
	if got := floats(t, good); math.Abs(float64(got[0])-math.E) > 1e-6 {
		t.Errorf("another result suffered: %v", got)
	}
	if got := floats(t, x); got[3] != 4 {
		t.Errorf("the input suffered: %v", got)
	}
}

func TestKernelCheckAndLimit(t *testing.T) {
	testdevice.NotOnGPU(t, "races and limits are for the CPU")
	ctx := context.Background()
	x := nd.From([]float32{1, 2, 3, 4})
	k := nd.Kernel{Name: "clash", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "y[0] = x[thread_position_in_grid.x];"}
	l := nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{1}}, Grid: [3]int{4}}
	if err := nd.Eval(ctx, k.Call(l)[0]); err != nil {
		t.Errorf("unchecked: %v", err)
	}
	l.Check = true
	if err := nd.Eval(ctx, k.Call(l)[0]); err == nil || !strings.Contains(err.Error(), "y[0] is written here and by another thread") {
		t.Errorf("checked: %v", err)
	}
	t.Setenv("TWIDDLE_KERNEL_CHECK", "1")
	l.Check = false
	if err := nd.Eval(ctx, k.Call(l)[0]); err == nil {
		t.Error("the environment variable did nothing")
	}
	loop := nd.Kernel{Name: "endless", Outputs: []string{"y"}, Source: "int k = 0; while (true) k++; y[0] = k;"}
	if err := nd.Eval(ctx, loop.Call(nd.Launch{Shapes: [][]int{{1}}, Grid: [3]int{1}, Limit: 5000})[0]); err == nil || !strings.Contains(err.Error(), "5000 turns") {
		t.Errorf("limit: %v", err)
	}
}

func TestKernelCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	loop := nd.Kernel{Name: "endless", Outputs: []string{"y"}, Source: "int k = 0; while (true) k++; y[0] = k;"}
	y := loop.Call(nd.Launch{Shapes: [][]int{{1}}, Grid: [3]int{1}})[0]
	go cancel()
	if err := nd.Eval(ctx, y); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestKernelOnStreams(t *testing.T) {
	s, err := nd.CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	x := nd.From([]float32{1, 2, 3, 4})
	l := nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{4}}, Grid: [3]int{4}, Stream: s}
	y := expKernel.Call(l)[0]
	z := expKernel.Call(nd.Launch{Inputs: []*nd.Array{y.MulScalar(0)}, Shapes: [][]int{{4}}, Grid: [3]int{4}})[0]
	if got := floats(t, z.Add(x)); !slices.Equal(got, []float32{2, 3, 4, 5}) {
		t.Errorf("got %v", got)
	}
	called := make(chan struct{})
	if err := s.Then(func() { close(called) }); err != nil {
		t.Fatal(err)
	}
	<-called
}

func TestKernelCUDAOnlyIsNotForTheCPU(t *testing.T) {
	testdevice.NotOnGPU(t, "it is for the GPU")
	k := nd.Kernel{Name: "raw", Outputs: []string{"y"}, CUDA: `extern "C" __global__ void raw(float* y) { y[0] = 1; }`}
	err := nd.Eval(context.Background(), k.Call(nd.Launch{Shapes: [][]int{{1}}, Grid: [3]int{1}})[0])
	if err == nil || !strings.Contains(err.Error(), "only a CUDA source") {
		t.Errorf("got %v", err)
	}
}

// A kernel stands between transforms like any operation that breaks a line.
func TestKernelBetweenTransforms(t *testing.T) {
	half := nd.Kernel{Name: "half", Inputs: []string{"x"}, Outputs: []string{"y"},
		Source: "uint i = thread_position_in_grid.x; y[i] = x[i] * 0.5f;"}
	x := nd.Normal(nd.Key(3), nd.Float32, 4, 256)
	spectrum := x.MulScalar(2).RFFT()
	n := spectrum.Len()
	halved := half.Call(nd.Launch{Inputs: []*nd.Array{spectrum}, Shapes: [][]int{spectrum.Shape()}, Grid: [3]int{n}})[0]
	back := halved.IRFFT(nd.FFT{N: 256})
	if got := floats(t, back.Sub(x).Abs().Max()); got[0] > 1e-5 {
		t.Errorf("off by %g", got[0])
	}
}

// One kernel from many goroutines, on several streams.
func TestKernelConcurrently(t *testing.T) {
	x := nd.Linspace[float32](0, 1, 5000)
	want := floats(t, x.Exp())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := nd.CPU().NewStream()
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			for range 10 {
				y := expKernel.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{5000}}, Grid: [3]int{5000}, Stream: s})[0]
				got, err := nd.Slice[float32](context.Background(), y)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%v, %d elements", err, len(got))
					return
				}
			}
		})
	}
	wg.Wait()
}
