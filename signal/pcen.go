package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// PCEN is the options of per-channel energy normalization: magnitudes over their recent mean in
// the same band, then compressed. It levels noise that stays and keeps what begins, for
// detectors of speech and birds. They are librosa.pcen's, with its defaults:
//
//	mean = B*s + (1-B)*mean
//	y    = (s/(Eps+mean)^Gain + Bias)^Power - Bias^Power
//
// librosa and the article take magnitudes of integer samples: of samples up to 1, multiply s by
// 1<<31.
type PCEN struct {
	FS           float64 // sampling frequency; 0 is 22050
	Hop          int     // samples from frame to frame; 0 is 512
	Gain         float64 // how much of the mean is taken away: 0 is 0.98, Zero none, 1 all
	Bias         float64 // 0 is 2, Zero none
	Power        float64 // of the compression; 0 is 0.5, Zero is log(1 + s/(Eps+mean)^Gain)
	TimeConstant float64 // of the mean, in seconds; 0 is 0.4
	B            float64 // of the mean, from 0 to 1; 0 is by TimeConstant
	Eps          float64 // 0 is 1e-6
	MaxBands     int     // the mean is of the greatest of so many bands around each; 0 is 1
}

func (p PCEN) filled() PCEN {
	p.FS = cmp.Or(p.FS, 22050)
	p.Hop = cmp.Or(p.Hop, 512)
	p.Gain = number(cmp.Or(p.Gain, 0.98))
	p.Bias = number(cmp.Or(p.Bias, 2))
	p.Power = number(cmp.Or(p.Power, 0.5))
	p.TimeConstant = cmp.Or(p.TimeConstant, 0.4)
	p.Eps = cmp.Or(p.Eps, 1e-6)
	p.MaxBands = cmp.Or(p.MaxBands, 1)
	return p
}

func (p PCEN) check() error {
	if !(p.FS > 0) || math.IsInf(p.FS, 0) || p.Hop < 1 {
		return fact("FS %g and Hop %d: want a positive number, and 1 or more", p.FS, p.Hop)
	}
	for _, v := range []struct {
		name  string
		value float64
	}{{"Gain", p.Gain}, {"Bias", p.Bias}, {"Power", p.Power}} {
		if !(v.value >= 0) || math.IsInf(v.value, 0) {
			return fact("%s %g: want 0 or more", v.name, v.value)
		}
	}
	switch {
	case !(p.TimeConstant > 0) || math.IsInf(p.TimeConstant, 0):
		return fact("TimeConstant %g: want a positive number", p.TimeConstant)
	case !(p.B >= 0 && p.B <= 1):
		return fact("B %g: want 0 to 1", p.B)
	case !(p.Eps > 0) || math.IsInf(p.Eps, 0):
		return fact("Eps %g: want a positive number", p.Eps)
	case p.MaxBands < 1 || p.MaxBands > maxBands:
		return fact("MaxBands %d: want 1 to %d", p.MaxBands, maxBands)
	}
	return nil
}

// mean is the filter that smooths a band.
func (p PCEN) mean() TF {
	b := p.B
	if b == 0 {
		// librosa's: where the filter has half of its power, by two terms.
		frames := p.TimeConstant * p.FS / float64(p.Hop)
		b = 2 / (math.Sqrt(1+4*frames*frames) + 1)
	}
	return TF{B: []float64{b}, A: []float64{1, b - 1}}
}

// Apply normalizes magnitudes (..., bands, frames), such as those of Mel with Power 1.
func (p PCEN) Apply(s *nd.Array) *nd.Array {
	y, _ := p.ApplyFrom(s, nil)
	return y
}

// ApplyFrom is Apply from a given state, and gives the state after the last frame: a
// spectrogram in parts is normalized as in one piece. A state has shape (..., bands, 1), or one
// that broadcasts to it; nil is what the mean of ones would leave, as librosa begins. The state
// after s is float64.
func (p PCEN) ApplyFrom(s, state *nd.Array) (y, end *nd.Array) {
	const op = "pcen"
	s = single(s)
	if bad := bins(op, s); bad != nil {
		return bad, bad
	}
	p = p.filled()
	if err := p.check(); err != nil {
		bad := nd.Fail("signal", op, err, s)
		return bad, bad
	}
	ref := s
	if n := p.MaxBands; n > 1 {
		// SciPy's maximum_filter1d: what it mirrors at the ends is in the window already.
		before := min(n/2, s.Dim(-2))
		after := min(n-1-n/2, s.Dim(-2))
		ref = s.PadAxis(-2, nd.Margin{Before: before, After: after}, nd.Pad{Mode: nd.PadEdge}).Frames(before+after+1, 1, -2).Max(-2)
	}
	f := p.mean()
	if state == nil {
		state = constant([]float64{1 - f.B[0]}, s)
	}
	mean, end := f.FilterFrom(ref, state)
	if mean.Err() != nil {
		return mean, mean
	}
	// In logarithms, as Eps is much less than most of what it is added to.
	level := mean.DivScalar(p.Eps).Log1p().AddScalar(math.Log(p.Eps)).MulScalar(-p.Gain)
	switch {
	case p.Power == 0:
		y = s.Mul(level.Exp()).Log1p()
	case p.Bias == 0:
		y = s.Log().Add(level).MulScalar(p.Power).Exp()
	default:
		y = s.Mul(level.Exp()).DivScalar(p.Bias).Log1p().MulScalar(p.Power).Expm1().MulScalar(math.Pow(p.Bias, p.Power))
	}
	return y, end
}
