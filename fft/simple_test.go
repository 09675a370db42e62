package fft_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/fft"
)

func ExampleRFFT() {
	x := []float64{1, 0, -1, 0, 1, 0, -1, 0} // two cycles
	bins, err := fft.RFFT(x)
	if err != nil {
		panic(err)
	}
	back, err := fft.IRFFT(bins, len(x))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.0f %.0f\n", real(bins[2]), back[4])
	// Output: 4 1
}

func TestSimple(t *testing.T) {
	x := make([]float64, 15)
	z, z32, x32 := make([]complex128, 15), make([]complex64, 15), make([]float32, 15)
	for i := range x {
		x[i] = math.Sin(float64(i * i))
		z[i], z32[i], x32[i] = complex(x[i], 0), complex64(complex(x[i], 0)), float32(x[i])
	}
	whole, err := fft.FFT(z)
	half, err2 := fft.RFFT(x)
	whole32, err3 := fft.FFT32(z32)
	half32, err4 := fft.RFFT32(x32)
	for _, err := range []error{err, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for k := range half {
		for _, d := range []complex128{whole[k] - half[k], complex128(whole32[k]) - half[k], complex128(half32[k]) - half[k]} {
			if math.Hypot(real(d), imag(d)) > 1e-5 {
				t.Errorf("bin %d: off by %v", k, d)
			}
		}
	}
	back, err := fft.IFFT(whole)
	back32, err2 := fft.IFFT32(whole32)
	line, err3 := fft.IRFFT(half, 15)
	line32, err4 := fft.IRFFT32(half32, 15)
	for _, err := range []error{err, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, v := range x {
		if math.Abs(real(back[i])-v) > 1e-12 || math.Abs(line[i]-v) > 1e-12 || math.Abs(float64(real(back32[i]))-v) > 1e-5 || math.Abs(float64(line32[i])-v) > 1e-5 {
			t.Errorf("sample %d: %v %v %v %v, want %v", i, back[i], line[i], back32[i], line32[i], v)
		}
	}
	for _, n := range []int{-5, 0, 13, 16, math.MaxInt} {
		if _, err := fft.IRFFT(half, n); err == nil {
			t.Errorf("8 bins of %d samples: no error", n)
		}
	}
	if _, err := fft.RFFT(nil); err == nil {
		t.Error("no samples: no error")
	}
}
