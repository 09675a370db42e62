package signal

import (
	"cmp"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// None is the value of an int option that says none at all, where 0 stands
// for the default.
const None = -1

// Zero is the value 0 of a float option for which 0 stands for the default: a tukey window
// with Param Zero is a boxcar, and with TopDB Zero only the maximum is left.
const Zero = math.SmallestNonzeroFloat64

// number is the value of a float option.
func number(v float64) float64 {
	if v == Zero {
		return 0
	}
	return v
}

// Scaling is the unit of a power spectrum.
type Scaling uint8

const (
	Density Scaling = iota // power per frequency: V^2/Hz for samples in V
	Power                  // power of a sine at each frequency: V^2
)

var scalingNames = [...]string{"density", "spectrum"}

func (s Scaling) String() string { return choice.Name(s, "Scaling", scalingNames[:]) }

// ParseScaling is the scaling of a name: density or spectrum.
func ParseScaling(name string) (Scaling, error) {
	return choice.Parse[Scaling]("signal", "scaling", name, scalingNames[:])
}

// Averaging is how spectra of segments become one.
type Averaging uint8

const (
	Mean   Averaging = iota
	Median           // corrected for the bias of medians; one loud segment changes little
)

var averagingNames = [...]string{"mean", "median"}

func (a Averaging) String() string { return choice.Name(a, "Averaging", averagingNames[:]) }

// ParseAveraging is the averaging of a name: mean or median.
func ParseAveraging(name string) (Averaging, error) {
	return choice.Parse[Averaging]("signal", "averaging", name, averagingNames[:])
}

// Spectral is the options of Welch, CSD, Coherence, Periodogram and Spectrogram, named as
// in SciPy and with the same defaults. The zero value has all defaults.
type Spectral struct {
	FS       float64 // sampling frequency; 0 is 1
	Window   Window  // hann; Spectrogram: tukey of 0.25; Periodogram: boxcar
	NPerSeg  int     // samples in a segment; 0 is 256. At most the samples of the line: see Spectrum.Clipped
	NOverlap int     // samples by which segments overlap; 0 is half a segment (Spectrogram: an eighth), None is none
	NFFT     int     // length of the transform, zeros follow the segment; 0 is NPerSeg
	Detrend  Trend
	Scaling  Scaling
	Average  Averaging
	TwoSided bool // two-sided spectra of real samples, too; those of complex samples always are
	Axis     nd.AxisChoice
}

// Spectrum is the result of Welch and similar functions: an array with bins along the axis
// of the samples. Errors are carried by the array.
type Spectrum struct {
	*nd.Array
	Frequencies []float64 // of the bins
	// Times are the middles of segments, in seconds, where there is an axis
	// of them.
	Times []float64
	// Clipped says that NPerSeg was more than the samples of a line, so that
	// the whole line became one segment.
	Clipped bool
}

// segments is the options that go with a number of samples.
type segments struct {
	fs               float64
	window           []float64
	size, hop, nfft  int
	clipped, oneSide bool
}

// count is how many there are in n samples.
func (s segments) count(n int) int { return (n-s.size)/s.hop + 1 }

func (s segments) bins() int {
	if s.oneSide {
		return s.nfft/2 + 1
	}
	return s.nfft
}

// over fits the options to n samples. The default of NOverlap is one part of
// so many of a segment.
func (s Spectral) over(n, part int, complexSamples bool) (segments, error) {
	g := segments{fs: s.FS, size: s.NPerSeg, nfft: s.NFFT, oneSide: !s.TwoSided && !complexSamples}
	g.fs = cmp.Or(g.fs, 1)
	switch {
	case !(g.fs > 0) || math.IsInf(g.fs, 0):
		return g, fact("FS %g: want a positive number", s.FS)
	case g.size < 0:
		return g, fact("NPerSeg %d: want 1 or more", s.NPerSeg)
	case int(s.Detrend) >= len(trendNames):
		return g, fmt.Errorf("unknown trend %d: want one of %v", s.Detrend, trendNames)
	case int(s.Scaling) >= len(scalingNames):
		return g, fmt.Errorf("unknown scaling %d: want one of %v", s.Scaling, scalingNames)
	case int(s.Average) >= len(averagingNames):
		return g, fmt.Errorf("unknown averaging %d: want one of %v", s.Average, averagingNames)
	}
	if given := s.Window.given; given != nil {
		if g.size != 0 && g.size != len(*given) {
			return g, fact("NPerSeg %d, and the window has %d samples", g.size, len(*given))
		}
		g.size = len(*given)
		if g.size == 0 || g.size > n {
			return g, fmt.Errorf("the window has %s, x has %d", counted.Of(g.size, "sample"), n)
		}
	}
	g.size = cmp.Or(g.size, 256)
	if g.size > n {
		g.size, g.clipped = n, true
	}
	overlap := s.NOverlap
	switch {
	case overlap == 0:
		overlap = g.size / part
	case overlap == None:
		overlap = 0
	}
	if overlap < 0 {
		return g, fact("NOverlap %d: want 1 or more, 0 for the default, or None", s.NOverlap)
	}
	if overlap >= g.size {
		return g, fact("NOverlap %d: want less than the %d samples of a segment", s.NOverlap, g.size)
	}
	g.hop = g.size - overlap
	g.nfft = cmp.Or(g.nfft, g.size)
	if err := checkSize("NFFT", g.nfft); err != nil {
		return g, err
	}
	if g.nfft < g.size {
		return g, fact("NFFT %d: want at least the %d samples of a segment", s.NFFT, g.size)
	}
	w, err := s.Window.samples(g.size)
	g.window = w
	return g, err
}

// spectra is the transforms of windowed segments along the last axis: the
// axis of samples becomes segments, then bins.
func (s segments) spectra(x *nd.Array, trend Trend) *nd.Array {
	f := detrended(x.Frames(s.size, s.hop), trend).Mul(constant(s.window, x))
	if s.oneSide {
		return f.RFFT(nd.FFT{N: s.nfft})
	}
	return f.FFT(nd.FFT{N: s.nfft})
}

// unit is what makes squared moduli a power spectrum, by one factor for each
// bin: a bin of a one-sided spectrum stands for two, except the first and,
// for even lengths, the last.
func (s segments) unit(scaling Scaling) []float64 {
	sum, squares := 0.0, 0.0
	for _, w := range s.window {
		sum += w
		squares += w * w
	}
	one := 1 / (s.fs * squares)
	if scaling == Power {
		one = 1 / (sum * sum)
	}
	unit := make([]float64, s.bins())
	for k := range unit {
		unit[k] = one
		if s.oneSide && k > 0 && (2*k != s.nfft) {
			unit[k] = 2 * one
		}
	}
	return unit
}

// frequencies is those of the bins.
func (s segments) frequencies() []float64 {
	f := make([]float64, s.bins())
	for k := range f {
		at := k
		if !s.oneSide && k > (s.nfft-1)/2 {
			at = k - s.nfft
		}
		f[k] = float64(at) * s.fs / float64(s.nfft)
	}
	return f
}

// averaged takes the axis of segments, the one before the last, away.
func averaged(p *nd.Array, how Averaging) *nd.Array {
	if how == Mean {
		return p.Mean(-2)
	}
	n := p.Dim(-2)
	middle := func(a *nd.Array) *nd.Array {
		a = a.Sort(-2)
		return a.SliceAxis(-2, nd.Range{Start: (n - 1) / 2, Stop: n/2 + 1}).Mean(-2).DivScalar(medianBias(n))
	}
	if p.DType().IsComplex() {
		return nd.Complex(middle(p.Real()), middle(p.Imag()))
	}
	return middle(p)
}

// medianBias is the expected median of n powers of noise, over their mean:
// Allen and others, "FINDCHIRP", appendix B.
func medianBias(n int) float64 {
	bias := 1.0
	for k := 2; k < n; k += 2 {
		bias += 1/float64(k+1) - 1/float64(k)
	}
	return bias
}
