// Package signal is signal processing on package nd's arrays.
//
// Everything here is plain array code: functions build graphs and nothing
// runs until they are evaluated, so they fuse with what comes before and
// after, batch over leading axes, and run on every device.
//
//	y := signal.Conv{Mode: signal.Causal, Bias: b}.Apply(x, k)
//	out, err := nd.Slice[float32](ctx, y)
//
// # What there is
//
//   - Conv, Pipeline: convolution by FFT of channels with filters of their own.
//     Convolve: of any axes, direct or by FFT. Deconvolve. Correlate, GCCPHAT: correlation.
//   - Window, Detrend, and Frames of package nd: preparation of segments.
//   - Periodogram, Welch, CSD, Coherence, Spectrogram, LombScargle, Multitaper: power spectra.
//   - STFT: short-time Fourier transforms and their inverse, in one call or as a stream.
//   - Morlet: the wavelet transform.
//   - FindPeaks, RelMax, TopBins: peaks.
//   - ConstantQ: the constant-Q transform and its inverse. HzToNote and NoteToHz: names of notes.
//   - LPC: linear prediction. MuLaw: companding.
//   - Mel: filter banks, spectrograms, MFCC. PowerToDB and AmplitudeToDB.
//   - Hilbert, Envelope, InstantaneousFrequency, Unwrap.
//   - FIR, FIRBands, FIRGrid, LeastSquares, IIR, Specification, Notch, Peak:
//     filter design. RootRaisedCosine: pulses. TF, ZPK, SOS: the forms of a filter, filtering, FiltFilt.
//   - SavGol, MedFilt, Wiener: smoothing.
//   - Resample, ResamplePoly, UpFirDn, Decimate, Channelizer; DCT, DST, Hartley, CZT, ZoomFFT, Goertzel.
//   - Chroma, ChromaCQT, Tonnetz, Centroid and its relatives, Cepstrum, Onset, Tempogram, PipTrack:
//     features of sound. PCEN, HPSS, PhaseVocoder, TimeStretch, PitchShift, GriffinLim.
//   - Chirp, Square, Sawtooth, Noise: test signals.
//
// # Conventions
//
// Names, defaults and results are those of SciPy, librosa and torch, as each function
// says. float32 stays float32; integers have to be cast. Operations work along the last
// axis unless options choose another, and on every line of the other axes. Options are
// structs whose zero value has the defaults. The method Apply applies the transform,
// filter or window that a struct describes. A bad argument gives an array that carries
// an error, which names the argument.
//
// FindPeaks, ArgRelMax and ArgRelMin evaluate their argument and search on the host,
// because the size of their result depends on the samples. Filters are designed on the
// host in float64.
package signal
