package fft

import "fmt"

// The functions of this file transform slices of one type, and need no type
// arguments: RFFT(x) is numpy.fft.rfft(x). The ones with 32 are for float32 and
// complex64. They keep plans, but allocate their results; for many transforms make a
// Plan.

// FFT is the transform of x.
func FFT(x []complex128) ([]complex128, error) { return Forward(nil, x) }

// IFFT undoes FFT: it divides by the length.
func IFFT(x []complex128) ([]complex128, error) { return Inverse(nil, x) }

// RFFT is the n/2+1 bins of n real samples.
func RFFT(x []float64) ([]complex128, error) { return RealForward[float64, complex128](nil, x) }

// IRFFT is the n real samples that have these bins. n/2+1 bins fit an even and an odd
// number of samples, so n has to be given.
func IRFFT(bins []complex128, n int) ([]float64, error) { return realInverse[float64](bins, n) }

// FFT32 is FFT for complex64.
func FFT32(x []complex64) ([]complex64, error) { return Forward(nil, x) }

// IFFT32 is IFFT for complex64.
func IFFT32(x []complex64) ([]complex64, error) { return Inverse(nil, x) }

// RFFT32 is RFFT for float32.
func RFFT32(x []float32) ([]complex64, error) { return RealForward[float32, complex64](nil, x) }

// IRFFT32 is IRFFT for float32.
func IRFFT32(bins []complex64, n int) ([]float32, error) { return realInverse[float32](bins, n) }

// realInverse makes room only for as many samples as the bins can be of.
func realInverse[R Float, C Complex](bins []C, n int) ([]R, error) {
	if n < 1 || n/2+1 != len(bins) {
		return nil, fmt.Errorf("fft: irfft: %d bins of %d samples: want %d", len(bins), n, max(n, 0)/2+1)
	}
	return RealInverse(make([]R, n), bins)
}
