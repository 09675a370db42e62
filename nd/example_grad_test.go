package nd_test

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleGrad() {
	w := nd.From([]float64{1, 2, 3})
	loss := w.Mul(w).Sum()
	g, err := nd.Slice[float64](context.Background(), nd.Grad(loss, w)[0])
	fmt.Println(g, err)
	// Output: [2 4 6] <nil>
}

// Descent along the gradient of a complex number: the loss is the squared
// distance from 3+4i.
func ExampleGrad_complex() {
	ctx := context.Background()
	z := nd.From([]complex128{0})
	for range 20 {
		loss := z.Sub(nd.From([]complex128{3 + 4i})).AbsSquared().Sum()
		z = z.Sub(nd.Grad(loss, z)[0].MulScalar(0.4))
		if err := nd.Eval(ctx, z); err != nil {
			fmt.Println(err)
			return
		}
	}
	found, _ := nd.Item[complex128](ctx, z)
	fmt.Printf("%.3f\n", found)
	// Output: (3.000+4.000i)
}

func ExampleValueAndGrad() {
	x, y := nd.From([]float64{1, 2, 3}), nd.From([]float64{3, 5, 7})
	a, b := nd.Scalar(1.0), nd.Scalar(0.0)
	loss, g := nd.ValueAndGrad(x.Mul(a).Add(b).Sub(y).AbsSquared().Mean(), a, b)
	ctx := context.Background()
	if err := nd.Eval(ctx, loss, g[0], g[1]); err != nil {
		fmt.Println(err)
		return
	}
	l, _ := nd.Item[float64](ctx, loss)
	da, _ := nd.Item[float64](ctx, g[0])
	db, _ := nd.Item[float64](ctx, g[1])
	fmt.Printf("%.4f %.4f %.4f\n", l, da, db)
	// Output: 9.6667 -13.3333 -6.0000
}

func ExampleGradient_Of() {
	x := nd.From([]float64{1, 2})
	jacobian := nd.Gradient{Seed: nd.From([]float64{0, 1})}.Of(x.Mul(x), x)[0]
	row, _ := nd.Slice[float64](context.Background(), jacobian)
	fmt.Println(row)

	strict := nd.Gradient{Strict: true}.Of(x.Sum(), nd.Scalar(1.0))[0]
	fmt.Println(strict.Err() != nil)
	// Output:
	// [0 4]
	// true
}

func ExampleStopGradient() {
	x := nd.From([]float64{1, 2, 3})
	loss := x.Mul(nd.StopGradient(x)).Sum()
	g, _ := nd.Slice[float64](context.Background(), nd.Grad(loss, x)[0])
	fmt.Println(g)
	// Output: [1 2 3]
}

// A gradient that passes through a rounding as if it were not there.
func ExampleCustom() {
	round := nd.Custom(
		func(in []*nd.Array) []*nd.Array { return []*nd.Array{in[0].Round()} },
		func(in, out, grads []*nd.Array) []*nd.Array { return grads },
	)
	x := nd.From([]float64{0.2, 1.7})
	y := round(x)[0]
	g, _ := nd.Slice[float64](context.Background(), nd.Grad(y.Mul(y).Sum(), x)[0])
	fmt.Println(g)
	// Output: [0 4]
}

func ExampleCheckpoint() {
	w := nd.From([]float64{0.5, -0.5})
	block := nd.Checkpoint(func(in []*nd.Array) []*nd.Array {
		return []*nd.Array{in[0].Mul(w).Exp()}
	})
	x := nd.From([]float64{0, 0})
	g, _ := nd.Slice[float64](context.Background(), nd.Grad(block(x)[0].Sum(), x)[0])
	fmt.Println(g)
	// Output: [0.5 -0.5]
}
