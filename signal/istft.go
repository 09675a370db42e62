package signal

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// faint is the sum of squared windows below which a sample cannot be had back:
// torch.istft's figure.
const faint = 1e-11

// Inverse is the options of STFT.Inverse.
type Inverse struct {
	// Length is how many samples to give: more than the frames cover are
	// zeros. 0 is all that the frames cover.
	Length int
	// Masked leaves samples that no window covers as they are, instead of
	// refusing: for frames with BorderNone, whose first samples a hann window
	// hides.
	Masked bool
	// Complex gives complex samples of spectra with all bins.
	Complex bool
}

// Inverse returns the signal of the given spectra, laid out as Apply returns them, by
// least squares: windowed frames are added up and divided by the sum of squared windows.
// It inverts Apply for every window for which NOLA holds.
//
// Bins lie along s.Axis, counted as in the signal, and frames along the last axis.
func (s STFT) Inverse(z *nd.Array, opt ...Inverse) *nd.Array {
	const op = "istft"
	o := first(opt)
	if bad := unusable(op, z); bad != nil {
		return bad
	}
	if !z.DType().IsComplex() || z.NDim() < 2 || z.Dim(-2) == 0 || z.Dim(-1) == 0 {
		return fail(op, "z is %s of shape %v: want complex bins and frames", z.DType(), z.Shape())(z)
	}
	f, err := s.frames(o.Complex)
	if err != nil {
		return nd.Fail("signal", op, err, z)
	}
	at, err := s.Axis.Of(z.SliceAxis(-1, nd.Range{Stop: 1}).Squeeze(-1))
	if err != nil {
		return nd.Fail("signal", op, err, z)
	}
	l := lines{moveAxis(z, at, z.NDim()-2), at}
	if got := l.Dim(-2); got != f.bins() {
		return fail(op, "z of shape %v has %d bins, NFFT %d gives %d", z.Shape(), got, f.nfft, f.bins())(z)
	}
	if o.Length < 0 {
		return fail(op, "Length %d: want 0 or more", o.Length)(z)
	}
	count := l.Dim(-1)
	if err := checkSize("frames", count, f.hop); err != nil {
		return nd.Fail("signal", op, err, z)
	}
	key := coverageKey{framing{s, o.Complex}, count, o.Length, o.Masked, z.DType()}
	if !o.Complex {
		key.t = z.DType().Real()
	}
	var c coverage
	if s.Window.given != nil { // whose samples may change
		c, err = key.coverage()
	} else {
		c, err = coverages.get(key)
	}
	if err != nil {
		return nd.Fail("signal", op, err, z)
	}
	from, to := c.from, c.to
	y := f.windowed(l.SwapAxes(-1, -2), o.Complex)
	y = f.overlapAdd(y).SliceAxis(-1, nd.Range{Start: from, Stop: to})
	y = y.Div(c.weights.Beside(y))
	if o.Length > to-from {
		y = y.PadAxis(-1, nd.Margin{After: o.Length - (to - from)}, nd.Pad{})
	}
	return l.back(y)
}

// coverageKey is what a coverage depends on.
type coverageKey struct {
	framing
	count  int // of frames
	length int // as that of Inverse, and masked
	masked bool
	t      nd.DType // of samples
}

// coverage is which of the samples that frames reach are wanted, and what their sums are divided by.
type coverage struct {
	weights  *nd.Array
	from, to int
}

// coverages are kept: in a loop such as GriffinLim's they took the host longer than all else takes a GPU.
var coverages = kept[coverageKey, coverage]{make: coverageKey.coverage, samples: func(c coverage) int { return c.to - c.from }, most: 4 << 20}

func (k coverageKey) coverage() (coverage, error) {
	f, err := k.STFT.frames(k.complexSamples)
	if err != nil {
		return coverage{}, err
	}
	envelope := f.envelope(k.count)
	from, to := f.border, len(envelope)-f.border
	if k.length > 0 {
		to = min(from+k.length, len(envelope))
	}
	if to <= from {
		return coverage{}, fact("%s of %d samples are all border", counted.Of(k.count, "frame"), f.size)
	}
	for i, v := range envelope[from:to] {
		if v < faint {
			if !k.masked {
				return coverage{}, fact("no window covers sample %d: it cannot be had back", i)
			}
			envelope[from+i] = 1
		}
	}
	return coverage{onHost(envelope[from:to], k.t), from, to}, nil
}

// windowed is the samples of spectra, with the window once more.
func (f frames) windowed(z *nd.Array, complexSamples bool) *nd.Array {
	var y *nd.Array
	switch {
	case f.oneSide:
		y = z.IRFFT(nd.FFT{N: f.nfft})
	case complexSamples:
		y = z.IFFT()
	default:
		y = z.IFFT().Real()
	}
	if f.size < f.nfft {
		y = y.SliceAxis(-1, nd.Range{Stop: f.size})
	}
	w := make([]float64, f.size)
	for i, v := range f.window {
		w[i] = v / f.scale
	}
	return y.Mul(constant(w, y))
}

// overlapAdd adds frames where they belong in time: (..., frames, size) to
// (..., (frames-1)*hop+size).
func (f frames) overlapAdd(y *nd.Array) *nd.Array {
	count, total := y.Dim(-2), (y.Dim(-2)-1)*f.hop+f.size
	parts := (f.size + f.hop - 1) / f.hop
	lead := y.Shape()[:y.NDim()-2]
	if parts == 1 {
		// Frames do not touch.
		y = y.PadAxis(-1, nd.Margin{After: f.hop - f.size}, nd.Pad{})
		y = y.Reshape(append(lead, count*f.hop)...)
		return y.SliceAxis(-1, nd.Range{Stop: total})
	}
	// A frame is cut into parts of hop samples. Part b of the sum is part j of
	// frame b-j, over all j: element (b-j)*parts+j of all parts in a row, so
	// each sum walks backwards through them in steps of parts-1. Frames of zeros
	// on either side make the walk the same for all b.
	y = y.PadAxis(-1, nd.Margin{After: parts*f.hop - f.size}, nd.Pad{})
	y = y.PadAxis(-2, nd.Margin{Before: parts - 1, After: parts - 1}, nd.Pad{})
	y = y.Reshape(append(lead, (count+2*parts-2)*parts, f.hop)...)
	y = y.SliceAxis(-2, nd.Range{Start: parts - 1, Stop: nd.End})
	y = y.Frames((parts-1)*(parts-1)+1, parts, -2)
	y = y.SliceAxis(-2, nd.Range{Stop: nd.End, Step: parts - 1}).Sum(-2)
	y = y.Reshape(append(lead, y.Dim(-2)*f.hop)...)
	return y.SliceAxis(-1, nd.Range{Stop: total})
}

// envelope is the sum of squared windows at every sample of so many frames.
func (f frames) envelope(count int) []float64 {
	e := make([]float64, (count-1)*f.hop+f.size)
	if f.size <= f.hop {
		for i := range count {
			for j, w := range f.window {
				e[i*f.hop+j] = w * w
			}
		}
		return e
	}
	for t := range e {
		// Once all frames that reach a sample are there, it repeats.
		if t-f.hop >= f.size-1 && t <= (count-1)*f.hop {
			e[t] = e[t-f.hop]
			continue
		}
		for i := min(t/f.hop, count-1); i >= 0 && t-i*f.hop < f.size; i-- {
			w := f.window[t-i*f.hop]
			e[t] += w * w
		}
	}
	return e
}

// NOLA reports whether s can be inverted: whether everywhere in the middle of a
// signal the squared windows of frames add up to more than tolerance, or than
// 1e-10 if that is 0.
func (s STFT) NOLA(tolerance float64) (bool, error) {
	sums, err := s.binSums(2)
	if err != nil {
		return false, err
	}
	tolerance = cmp.Or(tolerance, 1e-10)
	for _, v := range sums {
		if v <= tolerance {
			return false, nil
		}
	}
	return true, nil
}

// COLA reports whether the windows of frames add up to the same everywhere in
// the middle of a signal: to within tolerance, or 1e-10 if that is 0, of their
// median.
func (s STFT) COLA(tolerance float64) (bool, error) {
	sums, err := s.binSums(1)
	if err != nil {
		return false, err
	}
	tolerance = cmp.Or(tolerance, 1e-10)
	slices.Sort(sums)
	n := len(sums)
	median := (sums[(n-1)/2] + sums[n/2]) / 2
	return max(sums[n-1]-median, median-sums[0]) < tolerance, nil
}

// binSums is the windows of all frames, to a power, at each of hop samples in
// the middle of a signal.
func (s STFT) binSums(power int) ([]float64, error) {
	f, err := s.frames(false)
	if err != nil {
		return nil, fmt.Errorf("signal: stft: %w", err)
	}
	sums := make([]float64, f.hop)
	for i, w := range f.window {
		if power == 2 {
			w *= w
		}
		sums[i%f.hop] += w
	}
	return sums, nil
}
