package fft_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/fft"
)

// The sum of real samples is exactly real, and so is the bin of the highest
// frequency, at every length.
func TestRealBinsAreReal(t *testing.T) {
	for n := 1; n <= 700; n++ {
		x, y := make([]float64, n), make([]float32, n)
		for i := range x {
			x[i] = float64((i*i*7+i*13)%97)/97 - 0.4
			y[i] = float32(x[i])
		}
		z, err := fft.RealForward[float64, complex128](nil, x)
		if err != nil {
			t.Fatal(err)
		}
		w, err := fft.RealForward[float32, complex64](nil, y)
		if err != nil {
			t.Fatal(err)
		}
		if imag(z[0]) != 0 || imag(w[0]) != 0 {
			t.Errorf("%d: bin 0 is %g, %g", n, z[0], w[0])
		}
		if n%2 == 0 && (imag(z[n/2]) != 0 || imag(w[n/2]) != 0) {
			t.Errorf("%d: bin %d is %g, %g", n, n/2, z[n/2], w[n/2])
		}
	}
}
