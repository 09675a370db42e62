package nd_test

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleFormat() {
	x := nd.Linspace(0, 1, 5)
	text, err := nd.Format(context.Background(), x)
	fmt.Println(text, err)
	// Output: [0.   0.25 0.5  0.75 1.  ] <nil>
}

func ExampleArray_Keep() {
	x := nd.From([]float64{1, 2, 3, 4, 6, 8}, 2, 3)
	centred := x.Sub(x.Keep(-1).Mean())
	fmt.Println(nd.Format(context.Background(), centred))
	// Output:
	// [[-1.  0.  1.]
	//  [-2.  0.  2.]] <nil>
}

func ExampleEinsum() {
	a, b := nd.Arange(0, 6, 1).Reshape(2, 3), nd.Arange(0, 6, 1).Reshape(3, 2)
	fmt.Println(nd.Format(context.Background(), nd.Einsum("ij,jk->ik", a, b)))
	// Output:
	// [[10 13]
	//  [28 40]] <nil>
}

func ExampleHistogram() {
	x := nd.From([]float64{0.1, 0.2, 0.7, 0.9, 1})
	fmt.Println(nd.Format(context.Background(), nd.Histogram(x, nd.Linspace(0, 1, 3))))
	// Output: [2 3] <nil>
}

func ExampleClose_Check() {
	got, want := nd.From([]float32{1, 2.001}), nd.From([]float32{1, 2})
	fmt.Println(nd.Close{Rel: 1e-4}.Check(context.Background(), got, want))
	// Output: nd: all_close: 1 of 2 elements differ, most at [1]: 2.00099993 and 2 are 0.001 apart, allowed 0.0002
}
