package analyze

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Spectrum is a power spectrum to look for tones in.
type Spectrum struct {
	Level    []float64 // of bins, in dB
	Rate     float64   // frames per second
	NPerSeg  int       // samples in a segment
	Segments int64     // that were averaged
	Wide     bool      // samples have more digits than a float32
	Bits     int       // that samples were rounded to, as audio.Info has them; 0 if they were not
	TwoSided bool      // bins are those of complex samples, from the lowest frequency to the highest
}

// zero is the bin of 0 Hz.
func (r Spectrum) zero() int {
	if r.TwoSided {
		return len(r.Level) / 2
	}
	return 0
}

// around is levels in which every bin has its neighbours on both sides, and how many are
// before the first: those of complex samples go round.
func (r Spectrum) around() (level []float64, before int) {
	if !r.TwoSided {
		return r.Level, 0
	}
	half := len(r.Level) / 2
	return slices.Concat(r.Level[len(r.Level)-half:], r.Level, r.Level[:half]), half
}

// apart is how many bins two are apart. Those of complex samples go round.
func (r Spectrum) apart(a, b int) int {
	d := max(a, b) - min(a, b)
	if r.TwoSided {
		d = min(d, len(r.Level)-d)
	}
	return d
}

// Tones lists the peaks of a spectrum that noise is unlikely to have, and that
// are not spectral leakage of a louder one; the highest first. Of the options,
// Window, Peaks and Prominence matter.
func Tones(ctx context.Context, r Spectrum, o Options) ([]Peak, error) {
	prominence, count := o.Prominence, o.peaks()
	prominence = cmp.Or(prominence, 6)
	level, shift := r.around()
	all, err := signal.FindPeaks(ctx, nd.From(level), signal.PeakConditions{Prominence: signal.AtLeast(prominence), Refine: signal.RefineValues})
	if err != nil {
		return nil, err
	}
	found := all[0]
	lobes, err := lobesOf(o.Window, r.NPerSeg)
	if err != nil {
		return nil, err
	}
	leak, between := lobes.leakage(r.NPerSeg), lobes.between()
	base := noiseFloor(r.Level)
	above := chance(r.Segments, len(r.Level))
	// Rounding to 24 bits is not noise: it has tones. Nothing that was ever measured
	// has more digits than 28 bits, however its numbers are stored.
	lowest := slices.Max(r.Level) - 130
	if r.Wide {
		lowest -= 40
	}
	tone, noise, err := r.rounding(o.Window)
	if err != nil {
		return nil, err
	}
	// Dither or any other noise of half a step would make it 3 dB more.
	if r.Noise() < noise+1 {
		lowest = max(lowest, tone)
	}
	lowest = max(lowest, quietest)
	order := make([]int, len(found.Indices))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(found.Levels[b], found.Levels[a]) })
	bin := r.Rate / float64(r.NPerSeg)
	var louder []int
	peaks := []Peak{}
	for _, i := range order {
		at := found.Indices[i] - shift
		top := found.Levels[i]
		if len(peaks) == count {
			break
		}
		if at < 0 || at >= len(r.Level) || top < base[at]+above || top < lowest || slices.ContainsFunc(louder, func(j int) bool {
			return top < found.Levels[j]+leak[r.apart(at, found.Indices[j]-shift)]
		}) {
			continue
		}
		louder = append(louder, i)
		widths, _, _, _, err := signal.PeakWidths(level, []int{at + shift}, 3/found.Prominences[i], 0)
		if err != nil {
			return nil, err
		}
		position, top := between.of(at, found.Positions[i]-float64(shift), top)
		peaks = append(peaks, Peak{Frequency: (position - float64(r.zero())) * bin, Level: top, Prominence: found.Prominences[i], Width: widths[0] * bin})
	}
	if !r.TwoSided { // the middle of a radio's band is no machine's 0 Hz
		families(peaks, bin)
	}
	return peaks, nil
}

// quietest is the least level of a tone, in dB against a sine of amplitude 1. The
// last of 24 bits is at -144, and averaging spectra uncovers tones below it, but not
// as far as here.
const quietest = -190

// rounding is the levels of what rounding to Bits adds to a signal. Mostly that is noise, of
// a level in every bin. If the signal repeats and has no noise of its own, so does what is
// rounded off: then there are tones instead. Rounding errs by half a step at most, so that
// none of them is louder than tone.
func (r Spectrum) rounding(w signal.Window) (tone, noise float64, err error) {
	if r.Bits == 0 {
		return quietest, quietest, nil
	}
	samples, err := w.Samples(r.NPerSeg)
	if err != nil {
		return 0, 0, err
	}
	sum, squares := 0.0, 0.0
	for _, v := range samples {
		sum += v
		squares += v * v
	}
	step := math.Exp2(float64(1 - r.Bits))
	sides := 1.0
	if r.TwoSided { // two channels are rounded, and twice the bins share it, of half the level
		sides = 0.5
	}
	// Levels are twice a power. That of errors which are spread evenly over a step is
	// step*step/12, and the bins share it.
	return decibels(step * step / 2), decibels(4 * sides * step * step / 12 * squares / (sum * sum)), nil
}

// Noise is the level of the noise of a spectrum, in dB: the median of its bins, and
// NaN if there are none.
func (r Spectrum) Noise() float64 {
	if len(r.Level) == 0 {
		return math.NaN()
	}
	level := slices.Clone(r.Level)
	slices.Sort(level)
	return level[len(level)/2]
}

// merge lists the peaks of all channels, highest first, at most count of them. One
// that several channels have is listed once, as in the channel where it is loudest.
func merge(channels []Channel, bin float64, count int) []Peak {
	var all []Peak
	for c, ch := range channels {
		for _, p := range ch.Peaks {
			p.Channels = []int{c}
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b Peak) int { return cmp.Compare(b.Level, a.Level) })
	merged := []Peak{}
	for _, p := range all {
		i := slices.IndexFunc(merged, func(m Peak) bool {
			return math.Abs(m.Frequency-p.Frequency) <= sameBins*bin && !slices.Contains(m.Channels, p.Channels[0])
		})
		if i >= 0 {
			merged[i].Channels = append(merged[i].Channels, p.Channels...)
		} else if len(merged) < count {
			merged = append(merged, p)
		}
	}
	for _, m := range merged {
		slices.Sort(m.Channels)
	}
	return merged
}

// sameBins is how far apart, in bins, the peaks of one tone are found in two
// channels.
const sameBins = 0.25

// chance is how many decibels above the median of its surroundings noise gets
// in one of so many bins, about once in a thousand recordings: a bound on the
// upper tail of the mean of exponentially distributed powers (Laurent and
// Massart, 2000, lemma 1), with half of overlapping segments independent.
func chance(segments int64, bins int) float64 {
	n := max(1, float64(segments)/2)
	t := math.Log(1000 * float64(bins))
	mean := 1 + math.Sqrt(2*t/n) + t/n
	median := math.Pow(1-1/(9*n), 3) // Wilson and Hilferty
	return decibels(mean / median)
}

// noiseFloor is the median of the bins around each.
func noiseFloor(level []float64) []float64 {
	const around = 50
	floor := make([]float64, len(level))
	var room []float64
	for k := range level {
		// Neighbours share their surroundings, nearly.
		if k%8 != 0 {
			floor[k] = floor[k-1]
			continue
		}
		room = append(room[:0], level[max(0, k-around):min(len(level), k+around+1)]...)
		slices.Sort(room)
		floor[k] = room[len(room)/2]
	}
	return floor
}
