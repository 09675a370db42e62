package nd_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleEval() {
	x := nd.From([]float64{1, 2, 3})
	y := x.Mul(x)
	z := y.Sum()
	if err := nd.Eval(context.Background(), y, z); err != nil {
		log.Fatal(err)
	}
	sum, _ := nd.Item[float64](context.Background(), z)
	fmt.Println(sum)
	// Output: 14
}

func ExampleSlice() {
	x := nd.Arange[float32](0, 6, 1).Reshape(2, 3).Transpose()
	out, err := nd.Slice[float32](context.Background(), x)
	fmt.Println(out, err)
	// Output: [0 3 1 4 2 5] <nil>
}

func ExampleAsync() {
	p := nd.Async(nd.Ones(nd.Float32, 1000).Sum())
	// ... other work ...
	fmt.Println(p.Wait(context.Background()))
	// Output: <nil>
}

func ExampleArray_On() {
	dev := nd.CPU()
	left, _ := dev.NewStream()
	right, _ := dev.NewStream()
	defer left.Close()
	defer right.Close()

	x := nd.From([]float32{1, 2, 3, 4})
	a := x.On(left).MulScalar(10) // the two may overlap
	b := x.On(right).AddScalar(1)
	out, err := nd.Slice[float32](context.Background(), a.Add(b)) // waits for both
	fmt.Println(out, err)
	// Output: [12 23 34 45] <nil>
}

func ExampleExplain() {
	x := nd.From(make([]float32, 1000))
	p, err := nd.Explain(x.Exp().AddScalar(1).Mean())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Launches, "launch instead of", p.Unfused.Launches)
	fmt.Println(p.Steps[0].Program, p.Steps[0].Label)
	// Output:
	// 1 launch instead of 4
	// reduce exp+add+sum+div
}

func ExampleArray_Release() {
	x := nd.From([]float32{1, 2, 3})
	x.Release()
	_, err := nd.Slice[float32](context.Background(), x.AddScalar(1))
	fmt.Println(errors.Is(err, nd.ErrReleased))
	// Output: true
}

func ExampleArray_Donate() {
	ctx := context.Background()
	x := nd.From([]float32{1, 2, 3})
	if err := nd.Eval(ctx, x); err != nil {
		log.Fatal(err)
	}
	y := x.Donate().MulScalar(2) // may be computed in x's memory
	out, err := nd.Slice[float32](ctx, y)
	fmt.Println(out, err)
	// Output: [2 4 6] <nil>
}

func ExampleArray_Beside() {
	// The window goes to the device of the signal once, however often it is made.
	signal := nd.Arange[float32](0, 4, 1)
	for range 2 {
		window := nd.From([]float32{0, 1, 1, 0}).Beside(signal)
		windowed, _ := nd.Slice[float32](context.Background(), signal.Mul(window))
		fmt.Println(windowed)
	}
	// Output:
	// [0 1 2 0]
	// [0 1 2 0]
}
