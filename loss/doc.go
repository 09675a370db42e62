// Package loss measures how far a signal is from a target, for training:
// losses between spectra, and between waveforms.
//
// A loss is a struct of options whose zero value has the usual settings. Its method Of
// builds the loss of x against a target y of the same shape, as a graph. Nothing runs
// until it is evaluated; nd.Grad gives its gradient with respect to x, to y, or to the
// arrays that they were computed from.
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
// Signals lie along the last axis; each line of the leading axes is an item of a batch.
// Both signals have one shape and one type, float32 or float64. Reduction chooses one
// number, the default, one for each item, or no reduction.
//
// Silence gives no NaN: the value is finite if either signal is silent, and the gradient
// is 0 where a magnitude is 0.
package loss
