package kernels

import (
	"fmt"
	"math"
	"sync"

	"github.com/twiddle-go/twiddle/nd"
)

// turns holds exp(-2 pi i k / 1024), made when it is first needed.
var turns = sync.OnceValue(func() []complex64 {
	w := make([]complex64, 1024)
	for k := range w {
		s, c := math.Sincos(2 * math.Pi * float64(k) / 1024)
		w[k] = complex(float32(c), float32(-s))
	}
	return w
})

// FFTRadix2 transforms rows of 1024 complex64 numbers, forward, in ten passes
// through threadgroup memory.
func FFTRadix2(x *nd.Array) *nd.Array { return transform("fft_radix2", x, fftRadix2) }

// FFTRadix4 is FFTRadix2 in five passes.
func FFTRadix4(x *nd.Array) *nd.Array { return transform("fft_radix4", x, fftRadix4) }

func transform(op string, x *nd.Array, k *nd.Kernel) *nd.Array {
	const threads = 256 // no GPU has less
	if bad := first(op, []*nd.Array{x}, wants("x", x, nd.Complex64, 2)); bad != nil {
		return bad
	}
	if x.Dim(1) != 1024 {
		return nd.Fail("kernels", op, fmt.Errorf("rows of %d elements: want 1024", x.Dim(1)), x)
	}
	rows := x.Dim(0)
	if rows == 0 {
		return x
	}
	return k.Call(nd.Launch{Inputs: []*nd.Array{x, nd.From(turns()).Beside(x)}, Shapes: [][]int{x.Shape()},
		Grid: [3]int{rows * threads}, Threadgroup: [3]int{threads}, Whole: true})[0]
}
