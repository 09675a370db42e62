package analyze

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/fft"
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
}

// Tones lists the peaks of a spectrum that noise is unlikely to have, and that
// are not spectral leakage of a louder one; the highest first. Of the options,
// Window, Peaks and Prominence matter.
func Tones(ctx context.Context, r Spectrum, o Options) ([]Peak, error) {
	prominence, count := o.Prominence, o.Peaks
	if prominence == 0 {
		prominence = 6
	}
	if count == 0 {
		count = 10
	}
	all, err := signal.FindPeaks(ctx, nd.From(r.Level), signal.PeakConditions{Prominence: signal.AtLeast(prominence), Refine: signal.RefineValues})
	if err != nil {
		return nil, err
	}
	found := all[0]
	leak, err := leakage(o.Window, r.NPerSeg)
	if err != nil {
		return nil, err
	}
	base := noiseFloor(r.Level)
	above := chance(r.Segments, len(r.Level))
	// Rounding to 24 or 53 bits is not noise: it has tones.
	lowest := slices.Max(r.Level) - 130
	if r.Wide {
		lowest -= 170
	}
	order := make([]int, len(found.Indices))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(found.Levels[b], found.Levels[a]) })
	bin := r.Rate / float64(r.NPerSeg)
	var louder []int
	peaks := []Peak{}
	for _, i := range order {
		at := found.Indices[i]
		level := found.Levels[i]
		if len(peaks) == count {
			break
		}
		if level < base[at]+above || level < lowest || slices.ContainsFunc(louder, func(j int) bool {
			return level < found.Levels[j]+leak[max(at, found.Indices[j])-min(at, found.Indices[j])]
		}) {
			continue
		}
		louder = append(louder, i)
		widths, _, _, _, err := signal.PeakWidths(r.Level, []int{at}, 3/found.Prominences[i], 0)
		if err != nil {
			return nil, err
		}
		peaks = append(peaks, Peak{Frequency: found.Positions[i] * bin, Level: level, Prominence: found.Prominences[i], Width: widths[0] * bin})
	}
	return peaks, nil
}

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

// leakage is how loud, in dB, the window shows a sine at a distance of so many
// bins or more, with some room for what else is there.
func leakage(w signal.Window, n int) ([]float64, error) {
	const fine = 8 // points per bin
	const room = 6 // dB
	samples, err := w.Samples(n)
	if err != nil {
		return nil, err
	}
	plan, err := fft.NewRealPlan[float64, complex128](fine * n)
	if err != nil {
		return nil, err
	}
	x := make([]float64, fine*n)
	copy(x, samples)
	z := make([]complex128, fine*n/2+1)
	if err := plan.Forward(z, x); err != nil {
		return nil, err
	}
	power := func(i int) float64 { return real(z[i])*real(z[i]) + imag(z[i])*imag(z[i]) }
	leak := make([]float64, n/2+2)
	most := 0.0
	i := len(z) - 1
	for d := len(leak) - 1; d >= 0; d-- {
		// A tone may be half a bin nearer than its peak's bin.
		for ; i >= 0 && i >= d*fine-fine/2; i-- {
			most = max(most, power(i))
		}
		leak[d] = decibels(most/power(0)) + room
	}
	return leak, nil
}
