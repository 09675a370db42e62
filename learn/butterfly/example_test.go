package butterfly_test

import (
	"context"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/learn/butterfly"
	"github.com/twiddle-go/twiddle/nd"
)

// A dense matrix that is a fast transform is taken apart without gradients.
func ExampleFactorize() {
	m, err := butterfly.Hadamard.Dense(64, 0)
	if err != nil {
		log.Fatal(err)
	}
	net, err := butterfly.Factorize(m, butterfly.Single(64))
	if err != nil {
		log.Fatal(err)
	}
	got, err := net.Matrix(context.Background(), nd.Complex128)
	fmt.Println(len(net.Spans), "factors,", len(net.W), "numbers instead of", len(m.Data))
	fmt.Println(butterfly.Compare(got, m).Max < 1e-12, err)
	// Output:
	// 6 factors, 768 numbers instead of 4096
	// true <nil>
}

func ExampleNetwork_Inverse() {
	net, err := butterfly.Exact(butterfly.DCT2, 32, 0)
	if err != nil {
		log.Fatal(err)
	}
	back, err := net.Inverse()
	if err != nil {
		log.Fatal(err)
	}
	x := nd.Normal(1, nd.Float64, 10, 32)
	worst, err := nd.Item[float64](context.Background(), back.Apply(net.Apply(x)).Sub(x).Abs().Max())
	fmt.Println(worst < 1e-9, err)
	// Output: true <nil>
}

func ExampleNetwork_Quantize() {
	net, err := butterfly.Exact(butterfly.Hadamard, 16, 0)
	if err != nil {
		log.Fatal(err)
	}
	m, err := butterfly.Hadamard.Dense(16, 0)
	if err != nil {
		log.Fatal(err)
	}
	small, err := net.Quantize().Network().Matrix(context.Background(), nd.Complex128)
	fmt.Println(butterfly.Compare(small, m).Max < 1e-12, err) // plus and minus one need no more than 8 bits
	// Output: true <nil>
}
