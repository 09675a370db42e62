package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Features of spectrograms: magnitudes (..., bins, frames), as Librosa's STFT and
// Abs give them. Results and defaults are those of librosa.feature.

// Centroid is the mean frequency of every frame, weighted by magnitudes:
// (..., 1, frames). frequencies are of the bins.
func Centroid(s *nd.Array, frequencies []float64) *nd.Array {
	const op = "centroid"
	if bad := binsAt(op, s, frequencies); bad != nil {
		return bad
	}
	return centroid(s, frequencies)
}

func centroid(s *nd.Array, frequencies []float64) *nd.Array {
	return portions(s).Mul(constant(frequencies, s, len(frequencies), 1)).Sum(-2).ExpandDims(-2)
}

// portions is magnitudes over the sum of their frame; of silence as they are.
func portions(s *nd.Array) *nd.Array {
	sum := s.Sum(-2).ExpandDims(-2)
	least := math.SmallestNonzeroFloat32 * 0x1p23 // the least normal number
	if s.DType() == nd.Float64 {
		least = 0x1p-1022
	}
	return s.Div(nd.Where(sum.LessScalar(least), nd.FullLike(sum, 1), sum))
}

// Bandwidth is how far around its centroid a frame's magnitudes reach: the
// weighted mean of the distance to the power p, 2 if 0, to the power 1/p.
func Bandwidth(s *nd.Array, frequencies []float64, p float64) *nd.Array {
	const op = "bandwidth"
	if bad := binsAt(op, s, frequencies); bad != nil {
		return bad
	}
	p = cmp.Or(p, 2)
	if !(p > 0) || math.IsInf(p, 0) {
		return fail(op, "p %g: want a positive number", p)(s)
	}
	f := constant(frequencies, s, len(frequencies), 1)
	away := f.Sub(centroid(s, frequencies)).Abs()
	return portions(s).Mul(away.PowScalar(p)).Sum(-2).PowScalar(1 / p).ExpandDims(-2)
}

// Rolloff is the lowest frequency below which a part of a frame's magnitude is,
// 0.85 if part is 0.
func Rolloff(s *nd.Array, frequencies []float64, part float64) *nd.Array {
	const op = "rolloff"
	if bad := binsAt(op, s, frequencies); bad != nil {
		return bad
	}
	part = cmp.Or(part, 0.85)
	if !(part > 0 && part < 1) {
		return fail(op, "part %g: want it between 0 and 1", part)(s)
	}
	total := s.CumSum(-2)
	last := total.SliceAxis(-2, nd.Range{Start: s.Dim(-2) - 1, Stop: nd.End})
	// The first bin that reaches it: as many as do not come before.
	reached := total.GreaterEqual(last.MulScalar(part))
	f := constant(frequencies, s, len(frequencies), 1).BroadcastTo(s.Shape()...)
	return nd.Where(reached, f, nd.FullLike(f, math.Inf(1))).Min(-2).ExpandDims(-2)
}

// Flatness is the geometric mean of a frame's powers over their mean: 1 of noise,
// near 0 of tones. Powers are magnitudes to the power p, 2 if 0, and 1e-10 at
// least.
func Flatness(s *nd.Array, p float64) *nd.Array {
	const op = "flatness"
	if bad := bins(op, s); bad != nil {
		return bad
	}
	p = cmp.Or(p, 2)
	power := s.PowScalar(p).MaximumScalar(1e-10)
	return power.Log().Mean(-2).Exp().Div(power.Mean(-2)).ExpandDims(-2)
}

// RMS is the root mean square of frames of x, along the last axis: (..., 1,
// frames). Lines are continued by zeros so that frames are around every hop-th
// sample.
func RMS(x *nd.Array, size, hop int) *nd.Array {
	const op = "rms"
	f, bad := centred(op, x, size, hop, nd.Pad{})
	if bad != nil {
		return bad
	}
	return f.Mul(f).Mean(-1).Sqrt().ExpandDims(-2)
}

// ZeroCrossingRate is the part of the samples of a frame behind which the sign
// changes: (..., 1, frames). Lines are continued by their last sample.
func ZeroCrossingRate(x *nd.Array, size, hop int) *nd.Array {
	const op = "zerocrossingrate"
	f, bad := centred(op, x, size, hop, nd.Pad{Mode: nd.PadEdge})
	if bad != nil {
		return bad
	}
	negative := f.Mul(f.Abs().GreaterScalar(1e-10).Cast(f.DType())).LessScalar(0).Cast(f.DType())
	a, b := negative.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End}), negative.SliceAxis(-1, nd.Range{Stop: size - 1})
	return a.Sub(b).Abs().Sum(-1).DivScalar(float64(size)).ExpandDims(-2)
}

// centred is the frames around every hop-th sample.
func centred(op string, x *nd.Array, size, hop int, pad nd.Pad) (*nd.Array, *nd.Array) {
	l, bad := along(op, x, nd.AxisChoice{}, false)
	if bad != nil {
		return nil, bad
	}
	if size < 2 || hop < 1 {
		return nil, fail(op, "frames of %d samples, %d apart: want 2 and 1 or more", size, hop)(x)
	}
	return l.PadAxis(-1, nd.Margin{Before: size / 2, After: size / 2}, pad).Frames(size, hop), nil
}

// bins checks magnitudes (..., bins, frames).
func bins(op string, s *nd.Array) *nd.Array {
	if bad := unusable(op, s); bad != nil {
		return bad
	}
	switch t := s.DType(); {
	case t != nd.Float32 && t != nd.Float64:
		return fail(op, "s is %s: want float32 or float64", t)(s)
	case s.NDim() < 2 || s.Dim(-2) == 0 || s.Dim(-1) == 0:
		return fail(op, "s of shape %v: want (..., bins, frames)", s.Shape())(s)
	}
	return nil
}

// binsAt is bins for functions that need their frequencies.
func binsAt(op string, s *nd.Array, frequencies []float64) *nd.Array {
	bad := bins(op, s)
	if bad == nil && len(frequencies) != s.Dim(-2) {
		bad = fail(op, "%d frequencies for %d bins", len(frequencies), s.Dim(-2))(s)
	}
	return bad
}

// Contrast is the distance in decibels of peaks and valleys in bands of an octave,
// as librosa.feature.spectral_contrast.
type Contrast struct {
	FMin     float64 // where the second band begins; 0 is 200
	Bands    int     // octaves from there; 0 is 6
	Quantile float64 // of a band that is peaks, or valleys; 0 is 0.02
	Linear   bool    // the difference itself, not in decibels
}

// Apply gives (..., Bands+1, frames) of magnitudes (..., bins, frames).
func (c Contrast) Apply(s *nd.Array, frequencies []float64) *nd.Array {
	const op = "contrast"
	if bad := binsAt(op, s, frequencies); bad != nil {
		return bad
	}
	c.FMin = cmp.Or(c.FMin, 200)
	c.Bands = cmp.Or(c.Bands, 6)
	c.Quantile = cmp.Or(c.Quantile, 0.02)
	if !(c.FMin > 0) || c.Bands < 1 || c.Bands > 40 || !(c.Quantile > 0 && c.Quantile < 1) {
		return fail(op, "FMin %g, Bands %d, Quantile %g: want positive numbers, and a quantile below 1", c.FMin, c.Bands, c.Quantile)(s)
	}
	highest := frequencies[len(frequencies)-1]
	if c.FMin*math.Pow(2, float64(c.Bands-1)) >= highest {
		return fail(op, "FMin %g and Bands %d: the last band begins above the highest frequency, %g", c.FMin, c.Bands, highest)(s)
	}
	peaks, valleys := make([]*nd.Array, c.Bands+1), make([]*nd.Array, c.Bands+1)
	for b := range peaks {
		low, high := 0.0, c.FMin
		if b > 0 {
			low, high = c.FMin*math.Pow(2, float64(b-1)), c.FMin*math.Pow(2, float64(b))
		}
		from, to := len(frequencies), 0
		for i, f := range frequencies {
			if f >= low && f <= high {
				from, to = min(from, i), i+1
			}
		}
		if b > 0 && from > 0 {
			from--
		}
		if b == c.Bands {
			to = len(frequencies)
		}
		count := int(max(math.RoundToEven(c.Quantile*float64(to-from)), 1))
		if b < c.Bands {
			to--
		}
		if to <= from {
			return fail(op, "no bins from %g to %g Hz", low, high)(s)
		}
		count = min(count, to-from)
		sorted := s.SliceAxis(-2, nd.Range{Start: from, Stop: to}).Sort(-2)
		valleys[b] = sorted.SliceAxis(-2, nd.Range{Stop: count}).Mean(-2)
		peaks[b] = sorted.SliceAxis(-2, nd.Range{Start: to - from - count, Stop: nd.End}).Mean(-2)
	}
	peak, valley := nd.Stack(s.NDim()-2, peaks...), nd.Stack(s.NDim()-2, valleys...)
	if c.Linear {
		return peak.Sub(valley)
	}
	return PowerToDB(peak).Sub(PowerToDB(valley))
}

// Delta is the derivative of features over time, the last axis, by a Savitzky-
// Golay filter of a width, 9 if 0, and an order, 1 if 0, as librosa.feature.delta.
func Delta(s *nd.Array, width, order int) *nd.Array {
	width = cmp.Or(width, 9)
	order = cmp.Or(order, 1)
	const op = "delta"
	l, bad := along(op, s, nd.AxisChoice{}, false)
	if bad != nil {
		return bad
	}
	if width > l.Dim(-1) {
		return fail(op, "width %d: want at most the %d frames", width, l.Dim(-1))(s)
	}
	if order < 1 || order >= width {
		return fail(op, "width %d and order %d: want an order of 1 or more, below the width", width, order)(s)
	}
	return SavGol{Window: width, Order: order, Deriv: order}.Apply(s)
}
