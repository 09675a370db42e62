package signal

import (
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

// Morlet is the options of the wavelet transform by Morlet's wavelets, which are tones under Gaussians. A
// wavelet of few cycles is short and follows changes, one of many is narrow and parts
// neighbouring frequencies: at frequency f its Gaussian has a standard deviation of
// cycles/(2 pi f) in time and f/cycles in frequency.
type Morlet struct {
	FS          float64   // sampling frequency; 0 is 1
	Frequencies []float64 // of the wavelets, in any order
	Cycles      []float64 // of each, or one number for all; nil is 7
	// Energy gives all wavelets the same energy, 2, as MNE does, so that white noise has the same power
	// at all frequencies. Otherwise a sine of amplitude 1 is 1 at its frequency.
	Energy bool
}

// Wavelets of a million cycles are lines of one bin. One of few is the difference of two Gaussians that are nearly
// equal, and below a tenth of a cycle is no wavelet.
const (
	fewestCycles = 0.1
	mostCycles   = 1 << 20
)

// Apply transforms lines of samples to (..., frequencies, samples), complex: moduli are amplitudes,
// angles are phases. Zeros are beyond both ends. Wavelets are exact: they are not cut off, and have no mean.
func (m Morlet) Apply(x *nd.Array) *nd.Array {
	const op = "morlet"
	l, bad := along(op, x, nd.AxisChoice{}, true)
	if bad != nil {
		return bad
	}
	if m.FS == 0 {
		m.FS = 1
	}
	switch count := len(m.Frequencies); {
	case !(m.FS > 0) || math.IsInf(m.FS, 0):
		return fail(op, "FS %g: want a positive number", m.FS)(x)
	case count == 0:
		return fail(op, "no Frequencies")(x)
	case len(m.Cycles) > 1 && len(m.Cycles) != count:
		return fail(op, "%d Cycles for %d Frequencies: want as many, or one for all", len(m.Cycles), count)(x)
	}
	widest, fewest := 0.0, math.Inf(1)
	for i, f := range m.Frequencies {
		switch c := m.cycles(i); {
		case !(f > 0 && f <= m.FS/2):
			return fail(op, "frequency %d is %g: want more than 0, up to %g", i, f, m.FS/2)(x)
		case !(c >= fewestCycles && c <= mostCycles):
			return fail(op, "cycles %d is %g: want %g to %d", i, c, fewestCycles, mostCycles)(x)
		default:
			widest, fewest = max(widest, c/(2*math.Pi*f)), min(fewest, c)
		}
	}
	n := l.Dim(-1)
	// Behind so many standard deviations a Gaussian is less than rounding. Responses sampled at length frequencies are those
	// of wavelets repeated every length samples, so the rest of a long wavelet has to fit even where it meets no sample.
	far := 8.5
	if l.DType().Real() == nd.Float32 {
		far = 6
	}
	reach := math.Ceil(far * widest * m.FS)
	if n > maxSize || !(reach <= maxSize) {
		return fail(op, "wavelets reach %g samples: want at most %d, from higher frequencies or fewer cycles", reach, maxSize)(x)
	}
	length, err := fft.NextFastLen(n + int(reach))
	if err == nil {
		err = checkSize("samples", length, len(m.Frequencies))
	}
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	// At negative frequencies wavelets of many cycles are less than rounding: at most exp(-cycles^2/2).
	oneSide := fewest >= 8.5 && l.DType() == nd.Float64 || fewest >= 6 && l.DType() == nd.Float32
	var spectrum *nd.Array
	if oneSide {
		spectrum = l.RFFT(nd.FFT{N: length})
	} else {
		spectrum = l.FFT(nd.FFT{N: length})
	}
	z := spectrum.ExpandDims(-2).MulReal(m.responses(spectrum, length, l.DType().IsComplex())).IFFT(nd.FFT{N: length})
	return z.SliceAxis(-1, nd.Head(n))
}

func (m Morlet) cycles(i int) float64 {
	switch len(m.Cycles) {
	case 0:
		return 7
	case 1:
		return m.Cycles[0]
	}
	return m.Cycles[i]
}

// responses is the wavelets as functions of frequency, (frequencies, bins): a Gaussian around the
// wavelet's frequency, less the one around 0 that gives it no mean.
func (m Morlet) responses(spectrum *nd.Array, length int, complexSamples bool) *nd.Array {
	bins, count := spectrum.Dim(-1), len(m.Frequencies)
	at := make([]float64, bins)
	for k := range at {
		at[k] = float64(k)
		if bins == length && k > length/2 {
			at[k] = float64(k - length)
		}
	}
	// The distance from a wavelet's frequency is an integer and a part of a bin, which float32 has exactly, or nearly: the
	// difference of two frequencies over a narrow Gaussian's width has few digits left.
	steps, middles, parts := make([]float64, count), make([]float64, count), make([]float64, count)
	scales, offsets := make([]float64, count), make([]float64, count)
	for i, f := range m.Frequencies {
		c, middle := m.cycles(i), f/m.FS*float64(length)
		steps[i], middles[i], offsets[i] = c/middle, math.Round(middle), math.Exp(-c*c/2)
		parts[i] = middle - middles[i]
		scales[i] = m.scale(f, c, complexSamples)
	}
	like := spectrum.Real()
	column := func(v []float64) *nd.Array { return constant(v, like, count, 1) }
	gaussian := func(u *nd.Array) *nd.Array { return u.Mul(u).MulScalar(-0.5).Exp() }
	k := constant(at, like, 1, bins)
	r := gaussian(k.Sub(column(middles)).Sub(column(parts)).Mul(column(steps)))
	if slices.Max(offsets) > 0x1p-60 {
		r = r.Sub(gaussian(k.Mul(column(steps))).Mul(column(offsets)))
	}
	return r.Mul(column(scales))
}

// scale is the gain of a wavelet of c cycles at frequency f.
func (m Morlet) scale(f, c float64, complexSamples bool) float64 {
	offset := math.Exp(-c * c / 2)
	switch {
	case m.Energy: // of the integral of the wavelet's square
		deviation := c / (2 * math.Pi * f)
		return math.Sqrt(4 * m.FS * deviation * math.SqrtPi / (1 + offset*offset - 2*offset*math.Exp(-c*c/4)))
	case complexSamples:
		return 1 / (1 - offset*offset)
	}
	return 2 / (1 - offset*offset) // half of a real sine has a positive frequency
}
