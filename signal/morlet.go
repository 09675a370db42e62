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

// mostCycles bounds wavelets: a million cycles are a line of one bin.
const mostCycles = 1 << 20

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
		case !(c > 0 && c <= mostCycles):
			return fail(op, "cycles %d is %g: want more than 0, up to %d", i, c, mostCycles)(x)
		default:
			widest, fewest = max(widest, c/(2*math.Pi*f)), min(fewest, c)
		}
	}
	n := l.Dim(-1)
	// Behind 8.5 standard deviations a Gaussian is less than rounding, and at most n samples reach a
	// sample.
	reach := int(min(math.Ceil(8.5*widest*m.FS), float64(n)))
	length, err := fft.NextFastLen(n + reach)
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
		j := k
		if bins == length && k > length/2 {
			j = k - length
		}
		at[k] = float64(j) / float64(length) * m.FS
	}
	widths, tops := make([]float64, count), make([]float64, count)
	scales, offsets := make([]float64, count), make([]float64, count)
	for i, f := range m.Frequencies {
		c := m.cycles(i)
		widths[i], tops[i], offsets[i] = c/f, c, math.Exp(-c*c/2)
		scales[i] = m.scale(f, c, complexSamples)
	}
	like := spectrum.Real()
	column := func(v []float64) *nd.Array { return constant(v, like, count, 1) }
	gaussian := func(u *nd.Array) *nd.Array { return u.Mul(u).MulScalar(-0.5).Exp() }
	u := constant(at, like, 1, bins).Mul(column(widths))
	r := gaussian(u.Sub(column(tops)))
	if slices.Max(offsets) > 0x1p-60 {
		r = r.Sub(gaussian(u).Mul(column(offsets)))
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
