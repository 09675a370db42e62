package measure

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// RMS is the root of the mean square along the last axis.
func RMS(x *nd.Array) *nd.Array {
	if err := fault(x); err != nil {
		return nd.Fail("measure", "rms", err, x)
	}
	return x.AbsSquared().Mean(-1).Sqrt()
}

// Crest is the crest factor along the last axis: the greatest modulus over the RMS. It
// is 1.414 of a sine and grows with shocks.
func Crest(x *nd.Array) *nd.Array {
	if err := fault(x); err != nil {
		return nd.Fail("measure", "crest", err, x)
	}
	return x.Abs().Max(-1).Div(RMS(x))
}

// Kurtosis is the fourth central moment over the square of the variance, along the last
// axis: 3 of Gaussian noise, 1.5 of a sine, and more with shocks, as
// scipy.stats.kurtosis(fisher=False).
func Kurtosis(x *nd.Array) *nd.Array { return moment("kurtosis", x, 4) }

// Skewness is the third central moment over the cube of the standard deviation, as
// scipy.stats.skew.
func Skewness(x *nd.Array) *nd.Array { return moment("skewness", x, 3) }

func moment(op string, x *nd.Array, order int) *nd.Array {
	if err := fault(x); err != nil {
		return nd.Fail("measure", op, err, x)
	}
	d := x.Sub(x.Keep(-1).Mean())
	// In parts of the deviation, powers of samples such as 1e-13 T are within the range of float32.
	z := d.Mul(d.AbsSquared().Keep(-1).Mean().Rsqrt())
	square := z.Mul(z)
	if order == 4 {
		return square.Mul(square).Mean(-1)
	}
	return square.Mul(z).Mean(-1)
}

// EnvelopeSpectrum is the options of the spectrum of an envelope. It shows the repetition
// rates of shocks that excite a resonance at a high frequency, such as those of a damaged
// bearing.
type EnvelopeSpectrum struct {
	FS    float64
	Band  [2]float64 // the band of the resonance, to which the signal is filtered; zero does not filter
	Order int        // of the Butterworth band-pass, forwards and backwards; 0 is 4
	// NPerSeg is the length of segments, which overlap by half and whose powers are averaged,
	// as by signal.Welch. Short segments make the noise between lines smoother. 0 is one
	// transform of all samples, with the narrowest lines.
	NPerSeg int
}

// Lines is a spectrum of amplitudes: a sine has its amplitude at its frequency.
type Lines struct {
	Amplitude   *nd.Array // (..., bins)
	Frequencies []float64 // of bins; orders, where angles are the time
}

// Apply gives the spectrum of the envelope of x along its last axis, under a Hann window.
func (e EnvelopeSpectrum) Apply(x *nd.Array) (Lines, error) {
	const op = "envelope spectrum"
	if err := check(op, x); err != nil {
		return Lines{}, err
	}
	if !(e.FS > 0) || math.IsInf(e.FS, 0) {
		return Lines{}, fmt.Errorf("measure: %s: FS %g: want a positive number", op, e.FS)
	}
	if e.Order == 0 {
		e.Order = 4
	}
	if e.Band != ([2]float64{}) {
		sos, err := signal.IIR{Order: e.Order, Band: signal.Bandpass, Cutoff: e.Band, FS: e.FS}.SOS()
		if err != nil {
			return Lines{}, fmt.Errorf("measure: %s: %w", op, err)
		}
		x = sos.FiltFilt(x)
	}
	y := signal.Envelope(x)
	return amplitudes(op, y.Sub(y.Keep(-1).Mean()), e.FS, e.NPerSeg)
}

// amplitudes is the spectrum of lines, as amplitudes of sines: of all samples, or the mean
// of segments.
func amplitudes(op string, x *nd.Array, fs float64, nperseg int) (Lines, error) {
	if x.Err() != nil {
		return Lines{}, x.Err()
	}
	if nperseg < 0 {
		return Lines{}, fmt.Errorf("measure: %s: NPerSeg %d: want 0 or more", op, nperseg)
	}
	n := x.Dim(-1)
	if nperseg > 0 && nperseg < n {
		p := signal.Welch(x, signal.Spectral{FS: fs, NPerSeg: nperseg, Scaling: signal.Power, Detrend: signal.TrendNone})
		return Lines{Amplitude: p.MulScalar(2).Sqrt(), Frequencies: p.Frequencies}, p.Err()
	}
	w := signal.Window{}
	samples, err := w.Samples(n)
	if err != nil {
		return Lines{}, err
	}
	sum := 0.0
	for _, v := range samples {
		sum += v
	}
	a := x.Mul(w.Array(x.DType(), n)).RFFT().Abs().MulScalar(2 / sum)
	lines := Lines{Amplitude: a, Frequencies: make([]float64, n/2+1)}
	for k := range lines.Frequencies {
		lines.Frequencies[k] = float64(k) * fs / float64(n)
	}
	return lines, a.Err()
}
