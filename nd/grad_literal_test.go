package nd

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// TestGradThroughNumbers differentiates gradients once more by arrays that are one
// number everywhere: they are simplified only where nobody can ask for that.
func TestGradThroughNumbers(t *testing.T) {
	testdevice.NeedsFloat64(t)
	data := From([]float64{1, 2, 3})
	y := From([]float64{5, 7, 11})
	tests := []struct {
		name string
		of   func() (g, by *Array)
		want []float64
	}{
		{"ones in a product", func() (*Array, *Array) {
			w := Ones(Float64, 3)
			return Grad(data.Mul(w).Mul(y).Sum(), data)[0], w
		}, []float64{5, 7, 11}},
		{"twos in a quotient", func() (*Array, *Array) {
			w := Full(2, Float64, 3)
			return Grad(data.Div(w).Sum(), data)[0], w
		}, []float64{-0.25, -0.25, -0.25}},
		{"a seed of ones", func() (*Array, *Array) {
			s := Ones(Float64, 3)
			return Gradient{Seed: s}.Of(data.Mul(y), data)[0], s
		}, []float64{5, 7, 11}},
		{"a gradient of ones", func() (*Array, *Array) {
			g := Grad(data.Sum(), data)[0]
			return Grad(data.Mul(g).Mul(y).Sum(), data)[0], g
		}, []float64{5, 7, 11}},
		{"what a function of its own is given", func() (*Array, *Array) {
			var given *Array
			f := Custom(
				func(in []*Array) []*Array { return []*Array{in[0].MulScalar(1)} },
				func(in, _, grads []*Array) []*Array {
					given = grads[0]
					return []*Array{grads[0].Mul(y)}
				})
			g := Grad(f(data)[0].Sum(), data)[0]
			return g, given
		}, []float64{5, 7, 11}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, by := tt.of()
			got, err := Slice[float64](context.Background(), Grad(g.Sum(), by)[0])
			if err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("%v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

// TestGradOfNumbersBits holds numbers that gradients compute on the host to what a
// device makes of them.
func TestGradOfNumbersBits(t *testing.T) {
	ctx := context.Background()
	x := From([]float32{1, 2, 3})
	loss := x.Sum().DivScalar(0.7).MulScalar(0.3).DivScalar(3)
	one := From([]float32{1}).Reshape() // not known while the graph is built
	seed := Gradient{Seed: one}.Of(loss, x)[0]
	plain := Grad(loss, x)[0]
	a, err := Slice[float32](ctx, plain)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Slice[float32](ctx, seed)
	if err != nil || !slices.Equal(a, b) {
		t.Errorf("%v on the host, %v on the device, %v", a, b, err)
	}
}

// TestNumbersHaveNoHistory: what an array was computed from does not include the
// numbers of its operations, but the arrays that Full made.
func TestNumbersHaveNoHistory(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	w := From([]float64{1, 2, 3})
	z := w.MulScalar(2)
	if err := Eval(ctx, z); err != nil {
		t.Fatal(err)
	}
	g := Grad(z.Mul(w.AddScalar(2)).Sum(), w)
	var gone *HistoryError
	if !errors.As(g[0].Err(), &gone) {
		t.Errorf("error %v", g[0].Err())
	}
	ones := Grad(w.Sum(), w)[0]
	e := ones.Exp()
	if err := Eval(ctx, e); err != nil {
		t.Fatal(err)
	}
	if g := Grad(e.Sum(), ones); !errors.As(g[0].Err(), &gone) {
		t.Errorf("by a gradient: error %v", g[0].Err())
	}
}
