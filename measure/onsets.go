package measure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Onsets is the options of finding where notes and beats begin, as
// librosa.onset.onset_detect: maxima of the onset strength that stand out of the tenth of
// a second around them.
type Onsets struct {
	FS    float64
	Hop   int     // samples between frames; 0 is 512
	Delta float64 // how far a maximum stands out, as a part of the greatest; 0 is 0.07
	// Backtrack moves every onset back to where the strength began to rise: for cutting
	// a recording into notes.
	Backtrack bool
}

// Apply gives the times of the onsets of the line x, in seconds from its first sample.
func (o Onsets) Apply(ctx context.Context, x *nd.Array) ([]float64, error) {
	const op = "onsets"
	e, err := strength(ctx, op, x, &o.FS, &o.Hop, signal.Mean)
	if err != nil {
		return nil, err
	}
	if o.Delta == 0 {
		o.Delta = 0.07
	}
	if !(o.Delta > 0) {
		return nil, fmt.Errorf("measure: %s: Delta %g: want a positive number", op, o.Delta)
	}
	least, most := slices.Min(e), slices.Max(e)
	if most == least {
		return nil, nil
	}
	for i := range e {
		e[i] = (e[i] - least) / (most - least)
	}
	frames := func(seconds float64) int { return int(math.Floor(seconds * o.FS / float64(o.Hop))) }
	picked := pickPeaks(e, frames(0.03), frames(0.1), frames(0.03), o.Delta)
	if o.Backtrack {
		for i := range picked {
			for picked[i] > 0 && !(picked[i] < len(e)-1 && e[picked[i]] <= e[picked[i]-1] && e[picked[i]] < e[picked[i]+1]) {
				picked[i]--
			}
		}
	}
	return frameTimes(picked, o.Hop, o.FS), nil
}

// strength is the onset strength of a line, in float64; it fills options.
func strength(ctx context.Context, op string, x *nd.Array, fs *float64, hop *int, average signal.Averaging) ([]float64, error) {
	if *hop == 0 {
		*hop = 512
	}
	if err := check(op, x); err != nil {
		return nil, err
	}
	switch {
	case !(*fs > 0) || math.IsInf(*fs, 0):
		return nil, fmt.Errorf("measure: %s: FS %g: want a positive number", op, *fs)
	case *hop < 1:
		return nil, fmt.Errorf("measure: %s: Hop %d: want 1 or more", op, *hop)
	case x.NDim() != 1:
		return nil, fmt.Errorf("measure: %s: x of shape %v: want one line; x.Mean(0) is that of all channels", op, x.Shape())
	}
	onset := signal.Onset{Mel: signal.Mel{FS: *fs, STFT: signal.Librosa(2048, *hop)}, Average: average}
	e, err := nd.Slice[float64](ctx, onset.Apply(x).Cast(nd.Float64))
	if err != nil {
		return nil, err
	}
	noNumber := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	if slices.ContainsFunc(e, noNumber) {
		// Powers of large samples overflow. The strength is a difference of decibels, which a
		// power of two does not change.
		peak, err := nd.Item[float64](ctx, x.Abs().Max().Cast(nd.Float64))
		if err != nil {
			return nil, err
		}
		if _, exponent := math.Frexp(peak); exponent > 32 && !noNumber(peak) {
			if e, err = nd.Slice[float64](ctx, onset.Apply(x.MulScalar(math.Ldexp(1, -exponent))).Cast(nd.Float64)); err != nil {
				return nil, err
			}
		}
	}
	for i, v := range e {
		if noNumber(v) {
			return nil, fmt.Errorf("measure: %s: the onset strength is %g at %g s: x has samples that are not numbers", op, v, float64(i)*float64(*hop)/(*fs))
		}
	}
	return e, nil
}

// pickPeaks is librosa.util.peak_pick: elements that none of before elements ahead of them
// is greater than, and that are delta above the mean of around elements on either side. After
// one of them the next wait elements are left out.
func pickPeaks(e []float64, before, around, wait int, delta float64) (peaks []int) {
	for n := 0; n < len(e); n++ {
		if n > 0 && e[n] != slices.Max(e[max(0, n-before):n+1]) {
			continue
		}
		sum, near := 0.0, e[max(0, n-around):min(n+around+1, len(e))]
		for _, v := range near {
			sum += v
		}
		if e[n] >= sum/float64(len(near))+delta {
			peaks = append(peaks, n)
			n += wait
		}
	}
	return peaks
}

func frameTimes(frames []int, hop int, fs float64) []float64 {
	t := make([]float64, len(frames))
	for i, f := range frames {
		t[i] = float64(f) * float64(hop) / fs
	}
	return t
}
