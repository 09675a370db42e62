package main

import (
	"context"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/nd"
)

// signalArray is an array of floats or of complex numbers.
func signalArray(a *npy.Array) (*nd.Array, error) {
	switch a.DType {
	case npy.Complex64:
		return arrayOf[complex64](a)
	case npy.Complex128:
		return arrayOf[complex128](a)
	case npy.Float16, npy.Float32:
		return arrayOf[float32](a)
	}
	return arrayOf[float64](a)
}

// arrayOf is a file's content as an array of T.
func arrayOf[T float32 | float64 | complex64 | complex128](a *npy.Array) (*nd.Array, error) {
	values, err := npy.As[T](a)
	if err != nil {
		return nil, err
	}
	return nd.From(values, a.Shape...), nil
}

// hostArray computes an array and is its content.
func hostArray(ctx context.Context, a *nd.Array) (*npy.Array, error) {
	a, err := chosen(ctx, a)
	if err != nil {
		return nil, err
	}
	return npy.FromArray(ctx, a)
}
