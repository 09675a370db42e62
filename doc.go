// Package twiddle is a spectral engine: arrays, transforms and what is built on them. It
// has no code of its own; programs import the packages below it.
//
//   - [github.com/twiddle-go/twiddle/nd] has lazy n-dimensional arrays, streams, plans,
//     gradients and devices: the place to start.
//   - [github.com/twiddle-go/twiddle/fft] transforms slices and stands alone.
//   - [github.com/twiddle-go/twiddle/signal] has convolution, windows, spectra, filters and
//     features of sound, [github.com/twiddle-go/twiddle/signal/live] filters for real time,
//     [github.com/twiddle-go/twiddle/measure] loudness, octave bands and pitch.
//   - [github.com/twiddle-go/twiddle/audio] reads and writes recordings,
//     [github.com/twiddle-go/twiddle/chart] draws them and
//     [github.com/twiddle-go/twiddle/view] shows them in a browser.
//   - [github.com/twiddle-go/twiddle/learn], [github.com/twiddle-go/twiddle/loss] and
//     [github.com/twiddle-go/twiddle/mixer] train by spectra.
//   - [github.com/twiddle-go/twiddle/linalg] factors and solves, and
//     [github.com/twiddle-go/twiddle/kernels] is a library of custom kernels.
//
// The command is in cmd/twiddle. The documents in docs begin with START.md.
package twiddle
