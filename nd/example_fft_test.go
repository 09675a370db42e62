package nd_test

import (
	"context"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleArray_RFFT() {
	x := nd.From([]float64{1, 0, 0, 0, 0, 0})
	fmt.Println(x.RFFT().Shape(), x.RFFT(nd.FFT{N: 9}).Shape())
	show[complex128](x.RFFT())
	back := x.RFFT().IRFFT(nd.FFT{N: 6})
	show[float64](back.Round())
	// Output:
	// [4] [5]
	// [4] [(1+0i) (1+0i) (1+0i) (1+0i)]
	// [6] [1 0 0 0 0 0]
}

func ExampleArray_FFT() {
	x := nd.Zeros(nd.Complex64, 8, 64)
	fmt.Println(x.FFT().Shape())
	fmt.Println(x.FFT(nd.FFT{N: 100}).Shape())
	fmt.Println(x.FFT(nd.FFT{Axis: nd.Axis(0), N: 5, Norm: nd.Ortho}).Shape())
	// Output:
	// [8 64]
	// [8 100]
	// [5 64]
}

func ExampleArray_RFFTN() {
	x := nd.Zeros(nd.Float32, 4, 6, 10)
	fmt.Println(x.RFFTN().Shape())
	fmt.Println(x.RFFTN(nd.FFTN{Axes: []int{2, 0}}).Shape())
	fmt.Println(x.RFFTN().IRFFTN(nd.FFTN{Shape: []int{4, 6, 9}}).Shape())
	// Output:
	// [4 6 6]
	// [3 6 10]
	// [4 6 9]
}

func ExampleFFTFreq() {
	show[float64](nd.FFTFreq(4, 0.25))
	show[float64](nd.FFTFreq(4, 0.25).FFTShift())
	show[float64](nd.RFFTFreq(4, 0.25))
	// Output:
	// [4] [0 1 -2 -1]
	// [4] [-2 -1 0 1]
	// [3] [0 1 2]
}

// Convolution in the frequency domain, with zeros enough that it does not wrap
// around.
func Example_convolution() {
	x := nd.From([]float64{1, 2, 3})
	h := nd.From([]float64{1, 2, 3})
	n := nd.FFT{N: x.Len() + h.Len() - 1}
	y, err := nd.Slice[float64](context.Background(), x.RFFT(n).Mul(h.RFFT(n)).IRFFT(n))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f\n", y)
	// Output:
	// [1 4 10 12 9]
}
