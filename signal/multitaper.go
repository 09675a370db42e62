package signal

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Multitaper is the options of spectra by Thomson's method. A line is multiplied by several
// orthogonal windows, Slepian's, and the powers of their spectra are averaged. A tone is spread over a
// known band, NW bins to either side, and hardly beyond it, and the average is steady without cutting the
// line into segments, as Welch does: for short lines, such as epochs of an EEG.
type Multitaper struct {
	FS float64 // sampling frequency; 0 is 1
	// NW is half of the band in bins: half the bandwidth in Hz times the duration in seconds; 0 is 4.
	NW     float64
	Tapers int // 0 is as many as leak little: 2 NW - 1
	NFFT   int // length of the transform, zeros follow the line; 0 is its samples
	// Adaptive has Apply trust a taper less where the power that leaks into the band is not
	// small: for steep spectra. It has no gradient.
	Adaptive bool
	Detrend  Trend
	TwoSided bool // two-sided spectra of real samples, too; those of complex samples always are
	Axis     nd.AxisChoice
}

var adaptive = kernel("adaptive", []string{"power", "part", "variance"}, []string{"y"}, nativeAdaptive)

// Apply estimates the power spectral density of x. A taper counts by the part of
// its energy that is within the band.
func (m Multitaper) Apply(x *nd.Array) Spectrum {
	t, bad := m.tapered("multitaper", x)
	if bad != nil {
		return Spectrum{Array: bad}
	}
	p := t.spectra.AbsSquared()
	if !m.Adaptive {
		return t.density(t.average(p))
	}
	count, bins := p.Dim(-2), p.Dim(-1)
	rows := p.Len() / count / bins
	part := make([]float64, 2*count+1)
	for k, r := range t.ratios {
		part[k], part[count+k] = r, 1-r
	}
	part[2*count] = 0x1p-21 // rounding of a mean, float32 or float64
	if p.DType() == nd.Float64 {
		part[2*count] = 0x1p-50
	}
	shape := append(p.Shape()[:p.NDim()-2:p.NDim()-2], bins)
	y := adaptive.Call(nd.Launch{Inputs: []*nd.Array{p, constant(part, p), t.samples.AbsSquared().Mean(-1).Reshape(rows)},
		Shapes: [][]int{{rows, bins}}, Whole: true, Grid: [3]int{bins, rows}, Threadgroup: [3]int{min(bins, adaptiveRun)},
		Template: map[string]any{"K": count, "F": bins, "T": p.DType()}})[0]
	return t.density(y.Reshape(shape...))
}

// CSD estimates the cross power spectral density of x and y, conj(X) Y averaged over tapers. Zeros
// follow the shorter of the two; other axes broadcast.
func (m Multitaper) CSD(x, y *nd.Array) Spectrum {
	const op = "multitaper csd"
	a, b, bad := m.pair(op, x, y)
	if bad != nil {
		return Spectrum{Array: bad}
	}
	return a.density(a.average(a.spectra.Conj().Mul(b.spectra)))
}

// Coherence is how much of the power of x and y at each frequency is linearly related: |CSD|^2 over
// the product of the two power spectra. Of a single taper it is 1 everywhere.
func (m Multitaper) Coherence(x, y *nd.Array) Spectrum {
	const op = "multitaper coherence"
	a, b, bad := m.pair(op, x, y)
	if bad != nil {
		return Spectrum{Array: bad}
	}
	share := shared(a.average(a.spectra.Conj().Mul(b.spectra)), a.average(a.spectra.AbsSquared()), a.average(b.spectra.AbsSquared()))
	return Spectrum{Array: a.back(share), Frequencies: a.frequencies()}
}

// tapered is the spectra of the products of lines and tapers.
type tapered struct {
	lines
	segments
	ratios  []float64
	samples *nd.Array // (..., samples), without their trend
	spectra *nd.Array // (..., tapers, bins)
}

func (m Multitaper) tapered(op string, x *nd.Array) (tapered, *nd.Array) {
	l, bad := along(op, x, m.Axis, true)
	if bad != nil {
		return tapered{}, bad
	}
	t := tapered{lines: l}
	n := l.Dim(-1)
	s, err := Spectral{FS: m.FS, NPerSeg: n, NFFT: m.NFFT, Detrend: m.Detrend, TwoSided: m.TwoSided}.over(n, 2, x.DType().IsComplex())
	if err != nil {
		return t, nd.Fail("signal", op, err, x)
	}
	t.segments = s
	if m.NW == 0 {
		m.NW = 4
	}
	if !(m.NW > 0 && m.NW < float64(n)/2) {
		return t, fail(op, "NW %g: want a positive number, less than half of the %d samples", m.NW, n)(x)
	}
	if m.Tapers == 0 {
		m.Tapers = max(int(math.Ceil(2*m.NW-1)), 1)
	}
	if m.Tapers < 1 || m.Tapers > n {
		return t, fail(op, "Tapers %d: want 1 to the %d samples", m.Tapers, n)(x)
	}
	if err := checkSize("Tapers", n, m.Tapers); err != nil {
		return t, nd.Fail("signal", op, err, x)
	}
	w, err := slepians.get(slepian{n, m.NW, m.Tapers})
	if err != nil {
		return t, nd.Fail("signal", op, err, x)
	}
	t.ratios = w.ratios
	t.samples = detrended(l.Array, m.Detrend)
	f := t.samples.ExpandDims(-2).Mul(constant(w.samples, l.Array, m.Tapers, n))
	if s.oneSide {
		t.spectra = f.RFFT(nd.FFT{N: s.nfft})
	} else {
		t.spectra = f.FFT(nd.FFT{N: s.nfft})
	}
	return t, nil
}

// pair is two signals that are tapered alike.
func (m Multitaper) pair(op string, x, y *nd.Array) (a, b tapered, bad *nd.Array) {
	x, y, bad = alike(op, x, y, m.Axis)
	if bad != nil {
		return a, b, bad
	}
	if a, bad = m.tapered(op, x); bad != nil {
		return a, b, bad
	}
	b, bad = m.tapered(op, y)
	return a, b, bad
}

// average is the mean over tapers, each weighted by its ratio.
func (t tapered) average(p *nd.Array) *nd.Array {
	sum := 0.0
	for _, r := range t.ratios {
		sum += r
	}
	weights := make([]float64, len(t.ratios))
	for k, r := range t.ratios {
		weights[k] = r / sum
	}
	return p.Mul(constant(weights, p, len(weights), 1)).Sum(-2)
}

// density gives an average its unit and its axes: tapers have an energy of 1.
func (t tapered) density(p *nd.Array) Spectrum {
	t.window = []float64{1}
	p = p.Mul(constant(t.unit(Density), p))
	return Spectrum{Array: t.back(p), Frequencies: t.frequencies()}
}

// adaptiveRun is how many bins of a line a threadgroup has.
const adaptiveRun = 256

// nativeAdaptive is body/adaptive: without it the threads of a group wait for the one with the most steps.
func nativeAdaptive(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		adaptBins[float64](g)
		return
	}
	adaptBins[float32](g)
}

func adaptBins[T float32 | float64](g *nd.Group) {
	shape := g.Outputs[0].Shape
	line, bins, count := g.Position[1], shape[1], g.Constant("K")
	run := min(bins, adaptiveRun)
	power := nd.Elements[T](g.Inputs[0])[line*count*bins:][:count*bins]
	part, leak := nd.Elements[T](g.Inputs[1]), nd.Elements[T](g.Inputs[2])[line]
	y := nd.Elements[T](g.Outputs[0])[line*bins:][:bins]
	p, leaks := make([]T, count), make([]T, count)
	for k := range leaks {
		leaks[k] = part[count+k] * leak
	}
	for bin := g.Position[0] * run; bin < min((g.Position[0]+1)*run, bins); bin++ {
		for k := range p {
			p[k] = power[k*bins+bin]
		}
		y[bin] = adapt(p, part[:count], leaks, part[2*count])
	}
}

// adapt is the power of one bin: see body/adaptive.
func adapt[T float32 | float64](p, part, leaks []T, tolerance T) T {
	s := p[0]
	if len(p) > 1 {
		s = (s + p[1]) / 2
	}
	if !(s > 0) {
		return s
	}
	low, high := T(0), T(-1)
	for range 100 {
		var sum, weights, slope T
		for k, v := range p {
			share := s / (part[k]*s + leaks[k])
			weight := part[k] * share * share
			off := v - s
			sum += weight * off
			weights += weight
			slope += weight * part[k] * share * off
		}
		slope = weights + 2*slope/s
		if sum > 0 {
			low = s
		} else {
			high = s
		}
		next := s + sum/weights
		if slope > 0 {
			next = s + sum/slope
		}
		if !(next > low) || high >= 0 && !(next < high) {
			if next = s + sum/weights; high >= 0 {
				next = (low + high) / 2
			}
		}
		change := next - s
		s = next
		if !(max(change, -change) > tolerance*s) {
			break
		}
	}
	return s
}
