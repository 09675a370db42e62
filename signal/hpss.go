package signal

import (
	"cmp"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// HPSS splits a spectrogram into harmonic parts (long tones) and percussive parts (short
// beats), by medians along time and along frequency, as librosa.decompose.hpss.
type HPSS struct {
	Harmonic   int     // frames of the median along time; 0 is 31
	Percussive int     // bins of the median along frequency; 0 is 31
	Power      float64 // of the masks; 0 is 2, +Inf makes them 0 or 1
	// Margins are the factors by which one has to be greater than the other; 0 is 1. With
	// factors above 1 some bins are in neither part.
	HarmonicMargin, PercussiveMargin float64
	Masks                            bool // give masks instead of parts
}

// Apply gives the two parts of magnitudes, or of complex spectra, (..., bins,
// frames).
func (h HPSS) Apply(s *nd.Array) (harmonic, percussive *nd.Array) {
	const op = "hpss"
	if bad := unusable(op, s); bad != nil {
		return bad, bad
	}
	size := s
	if s.DType().IsComplex() {
		size = s.Abs()
	}
	if bad := bins(op, size); bad != nil {
		return bad, bad
	}
	h.Harmonic = cmp.Or(h.Harmonic, 31)
	h.Percussive = cmp.Or(h.Percussive, 31)
	h.Power = cmp.Or(h.Power, 2)
	h.HarmonicMargin = cmp.Or(h.HarmonicMargin, 1)
	h.PercussiveMargin = cmp.Or(h.PercussiveMargin, 1)
	if h.Harmonic < 1 || h.Percussive < 1 || !(h.Power > 0) || !(h.HarmonicMargin >= 1) || !(h.PercussiveMargin >= 1) {
		bad := fail(op, "medians of %d and %d, Power %g, margins %g and %g: want positive numbers, and margins from 1 on",
			h.Harmonic, h.Percussive, h.Power, h.HarmonicMargin, h.PercussiveMargin)(s)
		return bad, bad
	}
	tones, beats := mirroredMedian(size, h.Harmonic, -1), mirroredMedian(size, h.Percussive, -2)
	split := h.HarmonicMargin == 1 && h.PercussiveMargin == 1
	harmonic = SoftMask(tones, beats.MulScalar(h.HarmonicMargin), h.Power, split)
	percussive = SoftMask(beats, tones.MulScalar(h.PercussiveMargin), h.Power, split)
	if h.Masks {
		return harmonic, percussive
	}
	return s.Mul(harmonic.Cast(s.DType())), s.Mul(percussive.Cast(s.DType()))
}

// mirroredMedian is the median along an axis, counted from the end, of a signal that is mirrored at its
// ends, the last sample twice, as scipy.ndimage has it. An even window has one more
// sample before.
func mirroredMedian(x *nd.Array, size, axis int) *nd.Array {
	if size == 1 {
		return x
	}
	n := x.Dim(axis)
	before, after := size/2, size-1-size/2
	// Mirrored twice, a signal repeats: from there it is cut.
	both := nd.Concat(axis, x, x.Flip(axis))
	padded := both.PadAxis(axis, nd.Margin{Before: before, After: after}, nd.Pad{Mode: nd.PadWrap})
	padded = padded.SliceAxis(axis, nd.Range{Stop: before + n + after})
	if size%2 == 1 {
		sizes := slices.Repeat([]int{1}, -axis)
		sizes[0] = size
		y := MedFilt(padded, sizes...)
		return y.SliceAxis(axis, nd.Range{Start: before, Stop: before + n})
	}
	at := axis
	if at < 0 {
		at += x.NDim()
	}
	sorted := padded.Frames(size, 1, at).Sort(at + 1)
	return sorted.SliceAxis(at+1, nd.Range{Start: size / 2, Stop: size/2 + 1}).Squeeze(at + 1)
}

// SoftMask is x^p / (x^p + y^p), robust where both are small, as
// librosa.util.softmask; a power of +Inf is 1 where x is greater. Where both are 0
// it is a half, if split says so, or 0.
func SoftMask(x, y *nd.Array, power float64, split bool) *nd.Array {
	const op = "softmask"
	if bad := unusable(op, x, y); bad != nil {
		return bad
	}
	x, y = single(x), single(y)
	if t := x.DType(); t != nd.Float32 && t != nd.Float64 || y.DType() != t {
		return fail(op, "x is %s, y is %s: want both float32 or float64", t, y.DType())(x, y)
	}
	if !(power > 0) {
		return fail(op, "power %g: want a positive number", power)(x, y)
	}
	if math.IsInf(power, 1) {
		return x.Greater(y).Cast(x.DType())
	}
	z := x.Maximum(y)
	least := 0x1p-126
	if x.DType() == nd.Float64 {
		least = 0x1p-1022
	}
	silent := z.LessScalar(least)
	z = nd.Where(silent, nd.FullLike(z, 1), z)
	a, b := x.Div(z).PowScalar(power), y.Div(z).PowScalar(power)
	value := 0.0
	if split {
		value = 0.5
	}
	sum := nd.Where(silent, nd.FullLike(z, 1), a.Add(b))
	return nd.Where(silent, nd.FullLike(z, value), a.Div(sum))
}
