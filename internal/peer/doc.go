// Package peer opens the libraries that Twiddle measures itself against:
// FFTW, Intel MKL's DFTI, OpenBLAS and, on a GPU, cuFFT. They are opened at run
// time, with no cgo; nothing is linked and nothing is needed to build. A library
// that is not on the machine is an error wrapping [ErrNotPresent].
//
// This package is for `twiddle bench` and bench/ only: no result that Twiddle
// computes ever comes from a peer.
package peer
