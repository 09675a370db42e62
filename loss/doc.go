// Package loss measures how far a signal is from a target, for training:
// losses between spectra, and between waveforms.
//
// A loss is a struct of options whose zero value is the usual one, and its
// method Of builds the loss of x against a target y of the same shape, as a
// graph: nothing runs until it is evaluated, and nd.Grad gives its gradient
// with respect to x, to y, or to whatever they were made of.
//
//	l := loss.MultiResolutionSTFT{}.Of(x, y)
//	g := nd.Grad(l, x)
//	err := nd.Eval(ctx, l, g[0])
//
// # What there is
//
//   - Frame: a window that ends at every sample, or every few.
//   - STFT, MultiResolutionSTFT, RandomResolutionSTFT, Mel: spectral
//     convergence and distances of magnitudes, as in auraloss.
//   - MultiScale: the spectral loss of DDSP.
//   - SISDR, SDR, ESR, DC, LogCosh: of the waveforms, as in auraloss.
//
// # Conventions
//
// Signals lie along the last axis; each line of the leading axes is an item
// of a batch. Both signals have one shape and one type, float32 or float64.
// Reduction says what becomes of the numbers: the default is one number.
//
// Silence is not special: on either side the value is finite, and a gradient
// is 0 where a magnitude is, never NaN.
package loss
