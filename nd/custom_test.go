package nd

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// squares is a kernel: x*x, and x*x*x.
var squares = Kernel{
	Name: "squares", Inputs: []string{"x"}, Outputs: []string{"y", "z"},
	Source: `uint i = thread_position_in_grid.x; y[i] = x[i]*x[i]; z[i] = x[i]*x[i]*x[i];`,
}

func callSquares(in []*Array) []*Array {
	n := in[0].Len()
	return squares.Call(Launch{Inputs: in, Shapes: [][]int{{n}, {n}}, Grid: [3]int{n}})
}

func squaresBack(in, out, grads []*Array) []*Array {
	x := in[0]
	return []*Array{grads[0].Mul(x).MulScalar(2).Add(grads[1].Mul(out[0]).MulScalar(3))}
}

func TestCustomKernel(t *testing.T) {
	ctx := context.Background()
	f := Custom(callSquares, squaresBack)
	x := From([]float32{1, 2, -3})
	tests := []struct {
		name string
		loss func(out []*Array) *Array
		want []float32
	}{
		{"first result", func(out []*Array) *Array { return out[0].Sum() }, []float32{2, 4, -6}},
		{"second result", func(out []*Array) *Array { return out[1].Sum() }, []float32{3, 12, 27}},
		{"both", func(out []*Array) *Array { return out[0].Add(out[1]).Sum() }, []float32{5, 16, 21}},
		{"one twice", func(out []*Array) *Array { return out[0].Add(out[0]).Sum() }, []float32{4, 8, -12}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Slice[float32](ctx, Grad(tt.loss(f(x)), x)[0])
			if err != nil || !slices.Equal(got, tt.want) {
				t.Fatalf("gradient %v, %v; want %v", got, err, tt.want)
			}
		})
	}
	t.Run("again", func(t *testing.T) {
		once := Grad(f(x)[1].Sum(), x)[0]
		got, err := Slice[float32](ctx, Grad(once.Sum(), x)[0])
		if want := []float32{6, 12, -18}; err != nil || !slices.Equal(got, want) {
			t.Fatalf("second derivative %v, %v; want %v", got, err, want)
		}
	})
	t.Run("without Custom", func(t *testing.T) {
		var none *NoGradientError
		if err := Eval(ctx, Grad(callSquares([]*Array{x})[0].Sum(), x)...); !errors.As(err, &none) || none.Kernel != "squares" {
			t.Fatalf("error %v", err)
		}
	})
	t.Run("evaluated", func(t *testing.T) {
		out := f(x)
		if err := Eval(ctx, out[0]); err != nil {
			t.Fatal(err)
		}
		var gone *HistoryError
		if err := Eval(ctx, Grad(out[0].Sum(), x)...); !errors.As(err, &gone) {
			t.Errorf("error %v", err)
		}
		if err := Eval(ctx, Grad(out[1].Sum(), x)...); err != nil {
			t.Errorf("the other result: %v", err)
		}
	})
}

func TestCustomErrors(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := From([]float64{1, 2, 3})
	same := func(in []*Array) []*Array { return []*Array{in[0].Exp()} }
	back := func(g ...*Array) func(in, out, grads []*Array) []*Array {
		return func(in, out, grads []*Array) []*Array { return g }
	}
	bad := x.Add(From([]float64{1, 2}))
	grad := func(f func(in ...*Array) []*Array) *Array { return Grad(f(x)[0].Sum(), x)[0] }
	tests := []struct {
		name string
		got  *Array
		want string
	}{
		{"nil input", Custom(same, back(x))(nil)[0], "nd: custom: input 0 is a nil Array"},
		{"failed input", Custom(same, back(x))(bad)[0], "nd: add:"},
		{"no results", Custom(func([]*Array) []*Array { return nil }, back(x))(x)[0], "nd: custom: no results"},
		{"nil result", Custom(func([]*Array) []*Array { return []*Array{x, nil} }, back(x))(x)[1], "nd: custom: result 1 is a nil Array"},
		{"too many gradients", grad(Custom(same, back(x, x))), "nd: grad: 2 gradients for 1 input"},
		{"wrong shape", grad(Custom(same, back(x.Sum()))), "nd: grad: gradient 0 is float64 [], its input float64 [3]"},
		{"wrong dtype", grad(Custom(same, back(x.Cast(Float32)))), "nd: grad: gradient 0 is float32 [3], its input float64 [3]"},
		{"failed gradient", grad(Custom(same, back(bad))), "nd: grad: custom: gradient 0: nd: add:"},
		{"nil input of a checkpoint", Checkpoint(same)(nil)[0], "nd: checkpoint: input 0 is a nil Array"},
		{"no results of a checkpoint", Checkpoint(func([]*Array) []*Array { return nil })(x)[0], "nd: checkpoint: no results"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.got.Err(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Fatalf("error %v, want %s", err, tt.want)
			}
		})
	}
	got, err := Slice[float64](context.Background(), grad(Custom(same, back(nil))))
	if err != nil || !slices.Equal(got, []float64{0, 0, 0}) {
		t.Errorf("without a gradient: %v, %v", got, err)
	}
}

// layer is large inside and small outside.
func layer(x, w *Array) *Array {
	return x.MatMul(w).Tanh().MatMul(w.Transpose()).Sin()
}

func TestCheckpoint(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(8)
	x, w := d.reals(-1, 1, 256, 8), d.reals(-1, 1, 8, 64)
	model := func(checkpoint bool) []*Array {
		y := x
		for range 6 {
			f := func(in []*Array) []*Array { return []*Array{layer(in[0], w)} }
			if checkpoint {
				f2 := Checkpoint(f)
				y = f2(y)[0]
			} else {
				y = f([]*Array{y})[0]
			}
		}
		loss := y.AbsSquared().Sum()
		return append(Grad(loss, x, w), loss)
	}
	plain, redone := model(false), model(true)
	before, err := Explain(plain...)
	if err != nil {
		t.Fatal(err)
	}
	after, err := Explain(redone...)
	if err != nil {
		t.Fatal(err)
	}
	if 2*after.MemoryBytes > before.MemoryBytes {
		t.Errorf("%d bytes with checkpoints, %d without", after.MemoryBytes, before.MemoryBytes)
	}
	for i := range plain {
		want, err := Slice[float64](context.Background(), plain[i])
		if err != nil {
			t.Fatal(err)
		}
		got, err := Slice[float64](context.Background(), redone[i])
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range got {
			if math.Abs(v-want[k]) > 1e-12*max(1, math.Abs(want[k])) {
				t.Fatalf("result %d is %v at %d with checkpoints, %v without", i, v, k, want[k])
			}
		}
	}
}
