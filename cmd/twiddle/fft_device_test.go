package main

import (
	"context"
	"fmt"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

// The engine's way gives what the CPU's own transforms give.
func TestTransformOn(t *testing.T) {
	real := make([]float32, 6*10)
	whole := make([]int32, len(real))
	bins := make([]complex128, len(real))
	for i := range real {
		real[i] = float32(i*i%17) - 3
		whole[i] = int32(real[i])
		bins[i] = complex(float64(i%7), float64(i%5))
	}
	var inputs []*npy.Array
	for _, a := range []func() (*npy.Array, error){
		func() (*npy.Array, error) { return npy.From(real, 6, 10) },
		func() (*npy.Array, error) { return npy.From(whole, 6, 10) },
		func() (*npy.Array, error) { return npy.From(bins, 6, 10) },
	} {
		in, err := a()
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, in)
	}
	for _, in := range inputs {
		for _, r := range []fftRequest{
			{axis: -1}, {axis: 0, inverse: true, norm: fft.NormOrtho}, {axis: -1, n: 16, norm: fft.NormForward}, {axis: 1, n: 7},
			{axis: -1, real: true}, {axis: 0, real: true, n: 9, norm: fft.NormOrtho}, {axis: -1, real: true, inverse: true}, {axis: 0, real: true, inverse: true, n: 8},
		} {
			t.Run(fmt.Sprintf("%v/%+v", in.DType, r), func(t *testing.T) {
				got, err := transformOn(context.Background(), nd.CPU(), in, r)
				want, wantErr := transformed(in, r)
				if err != nil || wantErr != nil {
					if (err == nil) != (wantErr == nil) {
						t.Fatalf("%v, but %v by the CPU's own", err, wantErr)
					}
					return
				}
				a, err := npy.As[complex128](got)
				if err != nil {
					t.Fatal(err)
				}
				b, err := npy.As[complex128](want)
				if err != nil {
					t.Fatal(err)
				}
				if got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) {
					t.Fatalf("%v %v, want %v %v", got.DType, got.Shape, want.DType, want.Shape)
				}
				for i := range a {
					if cmplx.Abs(a[i]-b[i]) > 1e-4 {
						t.Fatalf("element %d: %v, want %v", i, a[i], b[i])
					}
				}
			})
		}
	}
}
