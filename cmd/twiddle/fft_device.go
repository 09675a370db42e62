package main

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/nd"
)

// transformOn is transformFile's work on a device other than the CPU, whose
// own transforms need no engine.
func transformOn(ctx context.Context, dev *nd.Device, in *npy.Array, r fftRequest) (*npy.Array, error) {
	if r.real && !r.inverse && in.DType.IsComplex() {
		return nil, fmt.Errorf("fft: --real wants real samples, the input is %v", in.DType)
	}
	bins := in.DType.IsComplex() || r.real && r.inverse
	single := in.DType == npy.Float16 || in.DType == npy.Float32 || in.DType == npy.Complex64
	var x *nd.Array
	var err error
	switch {
	case bins && single:
		x, err = arrayOf[complex64](in)
	case bins:
		x, err = arrayOf[complex128](in)
	case single:
		x, err = arrayOf[float32](in)
	default:
		x, err = arrayOf[float64](in)
	}
	if err != nil {
		return nil, err
	}
	o := nd.FFT{N: r.n, Axis: nd.Axis(r.axis), Norm: r.norm}
	x = x.On(dev.Stream())
	var y *nd.Array
	switch {
	case r.real && r.inverse:
		y = x.IRFFT(o)
	case r.real:
		y = x.RFFT(o)
	case r.inverse:
		y = x.IFFT(o)
	default:
		y = x.FFT(o)
	}
	return hostArray(ctx, y)
}
