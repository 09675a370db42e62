package measure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// PYIN is the options of pitch detection for one voice or instrument by the probabilistic
// YIN of Mauch and Dixon, as librosa.pyin: every frame has several candidates, and the
// most likely path through them is chosen, with unvoiced parts where there is no pitch.
type PYIN struct {
	FS         float64
	FMin, FMax float64 // where the pitch is; 0 is 65 and 2093 Hz, C2 to C7
	Frame      int     // samples in a frame; 0 is 2048
	Hop        int     // between frames; 0 is a quarter of Frame
	Resolution float64 // of the result in semitones; 0 is 0.1
	MaxRate    float64 // how fast a pitch may change, in octaves per second; 0 is 35.92
	Switch     float64 // probability that a pitch begins or ends with a frame; 0 is 0.01
}

// VoicedPitch is a pitch over time, with unvoiced parts. Frame i is around sample i*Hop.
type VoicedPitch struct {
	Frequency   *nd.Array // (..., frames), float64; NaN where there is no pitch
	Voiced      *nd.Array // (..., frames), bool: there is one
	Probability *nd.Array // (..., frames), float64: that the frame alone is voiced
}

const (
	pyinThresholds = 100  // of differences, even from 0 to 1
	pyinNoTrough   = 0.01 // of the lowest trough, where it is above a threshold
	pyinBoltzmann  = 2    // earlier troughs, of shorter periods, are likelier
	mostPitches    = 1 << 14
)

func (p *PYIN) fill() (YIN, error) {
	p.Resolution = cmp.Or(p.Resolution, 0.1)
	p.MaxRate = cmp.Or(p.MaxRate, 35.92)
	p.Switch = cmp.Or(p.Switch, 0.01)
	y := YIN{FS: p.FS, FMin: p.FMin, FMax: p.FMax, Frame: p.Frame, Hop: p.Hop}
	if err := y.fill("pyin"); err != nil {
		return y, err
	}
	switch {
	case !(p.Resolution > 0 && p.Resolution < 1):
		return y, fmt.Errorf("measure: pyin: Resolution %g: want more than 0 and less than 1", p.Resolution)
	case !(p.MaxRate > 0) || math.IsInf(p.MaxRate, 0):
		return y, fmt.Errorf("measure: pyin: MaxRate %g: want a positive number", p.MaxRate)
	case !(p.Switch > 0 && p.Switch < 1):
		return y, fmt.Errorf("measure: pyin: Switch %g: want a probability", p.Switch)
	}
	if n := p.pitches(y); n > mostPitches {
		return y, fmt.Errorf("measure: pyin: %d pitches from %g to %g Hz: want at most %d", n, y.FMin, y.FMax, mostPitches)
	}
	return y, nil
}

// perSemitone is how many pitches a semitone has.
func (p *PYIN) perSemitone() float64 { return math.Ceil(1 / p.Resolution) }

// pitches is how many there are to choose from.
func (p *PYIN) pitches(y YIN) int {
	return int(math.Floor(12*p.perSemitone()*math.Log2(y.FMax/y.FMin))) + 1
}

// Apply follows the pitch of every line of x along its last axis. Frames reach over the
// ends of a line, where there is silence.
func (p PYIN) Apply(ctx context.Context, x *nd.Array) (VoicedPitch, error) {
	y, err := p.fill()
	if err != nil {
		return VoicedPitch{}, err
	}
	if err := check("pyin", x); err != nil {
		return VoicedPitch{}, err
	}
	lines, frames := x.Len()/x.Dim(-1), x.Dim(-1)/y.Hop+1
	seen := make([]observation, lines*frames)
	priors := newPriors()
	n, steps := p.pitches(y), 12*p.perSemitone()
	err = y.eachFrame(ctx, x, func(q *periods, i int) {
		seen[i] = priors.observe(q, func(period float64) int {
			at := math.RoundToEven(steps * math.Log2(y.FS/period/y.FMin))
			return int(min(max(at, 0), float64(n)))
		}, n)
	})
	if err != nil {
		return VoicedPitch{}, err
	}
	rate := math.RoundToEven(p.MaxRate * 12 * float64(y.Hop) / y.FS) // semitones for a frame
	c := newCourse(n, int(rate*p.perSemitone())+1, p.Switch)
	f0, voiced, chance := make([]float64, len(seen)), make([]bool, len(seen)), make([]float64, len(seen))
	for l := range lines {
		line := seen[l*frames:][:frames]
		states, err := c.likeliest(ctx, line)
		if err != nil {
			return VoicedPitch{}, err
		}
		for i, s := range states {
			at := l*frames + i
			f0[at], voiced[at], chance[at] = math.NaN(), s < n, line[i].voiced
			if s < n {
				f0[at] = y.FMin * math.Exp2(float64(s)/steps)
			}
		}
	}
	shape := append(slices.Clone(x.Shape()[:x.NDim()-1]), frames)
	return VoicedPitch{nd.From(f0, shape...), nd.From(voiced, shape...), nd.From(chance, shape...)}, nil
}

// priors is how likely thresholds are: the beta distribution of 2 and 18, whose mean is
// 0.1.
type priors struct {
	threshold []float64 // from pyinThresholds on up
	weight    []float64
}

func newPriors() *priors {
	below := func(x float64) float64 { return 1 - math.Pow(1-x, 18)*(1+18*x) }
	p := &priors{}
	for i := range pyinThresholds {
		low, high := float64(i)/pyinThresholds, float64(i+1)/pyinThresholds
		p.threshold = append(p.threshold, high)
		p.weight = append(p.weight, below(high)-below(low))
	}
	return p
}

// observation is what a frame says: pitches with their probabilities.
type observation struct {
	at     []int
	chance []float64
	voiced float64 // their sum, at most 1
}

// observe weighs the troughs of a frame: for each threshold those below it, the first the
// most.
func (p *priors) observe(q *periods, pitch func(period float64) int, n int) observation {
	d, from := q.allowed()
	var troughs []int
	for i := range d {
		if isTrough(d, i) {
			troughs = append(troughs, i)
		}
	}
	if len(troughs) == 0 {
		return observation{}
	}
	chance := make([]float64, len(troughs))
	lowest := 0
	for k, at := range troughs {
		if d[at] < d[troughs[lowest]] {
			lowest = k
		}
	}
	for t, threshold := range p.threshold {
		below := 0
		for _, at := range troughs {
			if d[at] < threshold {
				below++
			}
		}
		if below == 0 {
			chance[lowest] += pyinNoTrough * p.weight[t]
			continue
		}
		// Boltzmann's distribution over the troughs below.
		rank, first := 0, -math.Expm1(-pyinBoltzmann)/-math.Expm1(-pyinBoltzmann*float64(below))
		for k, at := range troughs {
			if d[at] < threshold {
				chance[k] += p.weight[t] * first * math.Exp(-pyinBoltzmann*float64(rank))
				rank++
			}
		}
	}
	var o observation
	for k, at := range troughs {
		if chance[k] == 0 {
			continue
		}
		// A pitch past the last one counts as none. Of two troughs at one pitch the
		// later is taken.
		place := pitch(float64(from+at) + shift(d, at))
		if place >= n {
			continue
		}
		if i := slices.Index(o.at, place); i >= 0 {
			o.chance[i] = chance[k]
			continue
		}
		o.at, o.chance = append(o.at, place), append(o.chance, chance[k])
	}
	for _, c := range o.chance {
		o.voiced += c
	}
	o.voiced = min(o.voiced, 1)
	return o
}
