package nd_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// A compiled function gives the bits that the function gives, for every kind of
// inputs, and is read once for each of them.
func TestCompiled(t *testing.T) {
	ctx := context.Background()
	window := evaluated(t, nd.Normal(9, nd.Float32, 16))
	var reads atomic.Int32
	f := func(in ...*nd.Array) []*nd.Array {
		reads.Add(1)
		x, y := in[0], in[1]
		loss := x.Mul(window).RFFT().AbsSquared().Sub(y.RFFT().AbsSquared()).AbsSquared().Mean()
		value, g := nd.ValueAndGrad(loss, x)
		better := x.Sub(g[0].MulScalar(1e-3))
		return []*nd.Array{value, better, y, better, window, x.Transpose(), nd.Normal(3, nd.Float32, 5)}
	}
	c := nd.Compile(f)
	kinds := map[string]func(key nd.Key) *nd.Array{
		"rows":       func(k nd.Key) *nd.Array { return nd.Normal(k, nd.Float32, 6, 16) },
		"more rows":  func(k nd.Key) *nd.Array { return nd.Normal(k, nd.Float32, 7, 16) },
		"transposed": func(k nd.Key) *nd.Array { return evaluated(t, nd.Normal(k, nd.Float32, 16, 6)).Transpose() },
		"one line":   func(k nd.Key) *nd.Array { return nd.Normal(k, nd.Float32, 1, 16) },
	}
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			before := reads.Load()
			for turn := range 3 {
				x, y := evaluated(t, make(nd.Key(2*turn))), evaluated(t, make(nd.Key(2*turn+1)))
				got, err := c.Call(ctx, x, y)
				if err != nil {
					t.Fatal(err)
				}
				reads.Add(-1)
				want := f(x, y)
				for i := range want {
					if a, b := numbers(t, got[i]), numbers(t, want[i]); !slices.Equal(a, b) || !slices.Equal(got[i].Shape(), want[i].Shape()) {
						t.Errorf("turn %d, result %d: %v and not %v", turn, i, a, b)
					}
				}
			}
			if n := reads.Load() - before; n != 1 {
				t.Errorf("the function was called %d times, want once", n)
			}
		})
	}
}

func numbers(tb testing.TB, a *nd.Array) []float32 {
	tb.Helper()
	v, err := nd.Slice[float32](context.Background(), a)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func TestCompiledInputs(t *testing.T) {
	ctx := context.Background()
	sum := nd.Compile(func(in ...*nd.Array) []*nd.Array { return []*nd.Array{in[0].Add(in[1])} })
	one, two := nd.Ones(nd.Float32, 4), nd.Full(2, nd.Float32, 4).MulScalar(1)
	released := evaluated(t, nd.Ones(nd.Float32, 4).AddScalar(1))
	released.Release()
	null, err := nd.Open("null")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		in   []*nd.Array
		want string // the error
	}{
		"not evaluated":   {[]*nd.Array{one, two}, ""},
		"the same twice":  {[]*nd.Array{two, two}, ""},
		"other shapes":    {[]*nd.Array{one, nd.Ones(nd.Float32, 3)}, "add"},
		"released":        {[]*nd.Array{one, released}, "released"},
		"nil":             {[]*nd.Array{one, nil}, "nil"},
		"broken":          {[]*nd.Array{one, one.Reshape(3)}, "reshape"},
		"several devices": {[]*nd.Array{one, nd.Ones(nd.Float32, 4).On(null.Stream())}, "device"},
	} {
		for range 2 {
			out, err := sum.Call(ctx, tt.in...)
			switch {
			case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%s: %v, want %q", name, err, tt.want)
			case err == nil && out[0].Len() != 4:
				t.Errorf("%s: %v", name, out[0])
			}
		}
	}
	none := nd.Compile(func(...*nd.Array) []*nd.Array { return []*nd.Array{nd.Ones(nd.Float32, 2)} })
	if out, err := none.Call(ctx); err != nil || !slices.Equal(numbers(t, out[0]), []float32{1, 1}) {
		t.Errorf("no inputs: %v, %v", out, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := sum.Call(cancelled, one, two); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	read := nd.Compile(func(in ...*nd.Array) []*nd.Array {
		_, err := nd.Item[float32](ctx, in[0].Sum())
		return []*nd.Array{nd.Fail("test", "read", err)}
	})
	if _, err := read.Call(ctx, one); err == nil || !strings.Contains(err.Error(), "compiled function") {
		t.Errorf("reading an input: %v", err)
	}
}

// The results of a compiled function say that they know no way back.
func TestCompiledHasNoPast(t *testing.T) {
	ctx := context.Background()
	x := evaluated(t, nd.Ones(nd.Float32, 4).AddScalar(1))
	out, err := nd.Compile(func(in ...*nd.Array) []*nd.Array { return []*nd.Array{in[0].AbsSquared().Sum()} }).Call(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	if err := nd.Grad(out[0], x)[0].Err(); err == nil {
		t.Error("a gradient through a compiled function, want an error")
	}
}

// A state that is given away is overwritten, as by Eval.
func TestCompiledDonates(t *testing.T) {
	ctx := context.Background()
	step := nd.Compile(func(in ...*nd.Array) []*nd.Array { return []*nd.Array{in[0].AddScalar(1)} })
	state := evaluated(t, nd.Zeros(nd.Float32, 1<<16).AddScalar(0))
	for i := range 5 {
		before := state
		out, err := step.Call(ctx, state.Donate())
		if err != nil {
			t.Fatal(err)
		}
		if state = out[0]; numbers(t, state)[7] != float32(i+1) {
			t.Fatalf("turn %d: %v", i, numbers(t, state)[7])
		}
		if _, err := nd.Slice[float32](ctx, before); !errors.Is(err, nd.ErrReleased) {
			t.Errorf("turn %d: what was given away: %v, want ErrReleased", i, err)
		}
	}
}

func TestCompiledConcurrently(t *testing.T) {
	ctx := context.Background()
	scale := nd.Compile(func(in ...*nd.Array) []*nd.Array { return []*nd.Array{in[0].Mul(in[1]).Sum(-1)} })
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			x := nd.Full(float32(g), nd.Float32, 3, 10+g%3).AddScalar(0)
			for range 20 {
				out, err := scale.Call(ctx, x, x)
				if err != nil {
					t.Error(err)
					return
				}
				if got := numbers(t, out[0])[0]; got != float32(g*g*(10+g%3)) {
					t.Errorf("%d: %v", g, got)
				}
			}
		})
	}
	wg.Wait()
}

// A call makes its results and little else, however large the graph is.
func TestCompiledIsLight(t *testing.T) {
	testdevice.NotOnGPU(t, "counts of the CPU")
	ctx := context.Background()
	deep := nd.Compile(func(in ...*nd.Array) []*nd.Array {
		x := in[0]
		for range 100 {
			x = x.Reshape(8, 8).MatMul(x.Reshape(8, 8)).Sin().Reshape(64)
		}
		return []*nd.Array{x}
	})
	x := evaluated(t, nd.Zeros(nd.Float32, 64).AddScalar(0))
	if got := testing.AllocsPerRun(50, func() {
		out, err := deep.Call(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		out[0].Release()
	}); got > 16 {
		t.Errorf("%v objects a call, want at most 16", got)
	}
}

func ExampleCompile() {
	ctx := context.Background()
	target := nd.From([]float32{3, -1, 2})
	step := nd.Compile(func(in ...*nd.Array) []*nd.Array {
		value, g := nd.ValueAndGrad(in[0].Sub(target).AbsSquared().Sum(), in[0])
		return []*nd.Array{value, in[0].Sub(g[0].MulScalar(0.25))}
	})
	x := nd.Zeros(nd.Float32, 3)
	for range 4 {
		out, err := step.Call(ctx, x)
		if err != nil {
			fmt.Println(err)
			return
		}
		value, _ := nd.Item[float32](ctx, out[0])
		fmt.Println(value)
		x = out[1]
	}
	// Output:
	// 14
	// 3.5
	// 0.875
	// 0.21875
}

// What no input reaches is computed once, captured or made inside, and captured
// arrays keep their history.
func TestCompiledInvariants(t *testing.T) {
	ctx := context.Background()
	runs := 0
	stop := nd.Observe(func(s nd.Span) {
		if strings.Contains(s.Label, "slow") {
			runs++
		}
	})
	defer stop()
	slow := func(x *nd.Array) *nd.Array { // a launch of its own
		k := nd.Kernel{Name: "slow", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "y[thread_position_in_grid.x] = x[thread_position_in_grid.x];"}
		return k.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{4}}, Grid: [3]int{4}, Threadgroup: [3]int{4}})[0]
	}
	w := nd.From([]float32{1, 2, 3, 4})
	h := nd.Custom(func(in []*nd.Array) []*nd.Array { return []*nd.Array{slow(in[0])} },
		func(in, out, grads []*nd.Array) []*nd.Array { return grads })(w)[0]
	var reads int
	f := nd.Compile(func(in ...*nd.Array) []*nd.Array {
		reads++
		return []*nd.Array{in[0].Mul(h).Add(h.Transpose()), in[0].Add(slow(w)), w.AddScalar(1)}
	})
	for turn := range 5 {
		x := nd.Full(turn, nd.Float32, 4).MulScalar(1) // not evaluated
		out, err := f.Call(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		v := float32(turn)
		for i, want := range [][]float32{{v + 1, 2*v + 2, 3*v + 3, 4*v + 4}, {v + 1, v + 2, v + 3, v + 4}, {2, 3, 4, 5}} {
			if got := numbers(t, out[i]); !slices.Equal(got, want) {
				t.Errorf("turn %d: result %d is %v, want %v", turn, i, got, want)
			}
			out[i].Release()
		}
	}
	if stop(); runs != 2 {
		t.Errorf("two invariants were computed %d times, want once each", runs)
	}
	if reads != 1 {
		t.Errorf("the function was called %d times, want once", reads)
	}
	if g := numbers(t, nd.Grad(h.Sum(), w)[0]); !slices.Equal(g, []float32{1, 1, 1, 1}) {
		t.Errorf("gradient %v through a captured array", g)
	}
}
