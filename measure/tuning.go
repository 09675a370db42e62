package measure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Tuning is the options of estimating how far instruments are tuned from A4 = 440 Hz, by the
// frequencies of spectral peaks, as librosa.estimate_tuning.
type Tuning struct {
	FS         float64
	NFFT       int     // samples in a frame; 0 is 2048
	Hop        int     // between frames; 0 is a quarter of NFFT
	PerOctave  int     // bins of an octave; 0 is 12, which are semitones
	Resolution float64 // of the result, in bins; 0 is 0.01
}

func (t *Tuning) fill(op string) error {
	t.NFFT = cmp.Or(t.NFFT, 2048)
	t.Hop = cmp.Or(t.Hop, max(1, t.NFFT/4))
	t.PerOctave = cmp.Or(t.PerOctave, 12)
	t.Resolution = cmp.Or(t.Resolution, 0.01)
	switch {
	case t.PerOctave < 1:
		return fmt.Errorf("measure: %s: PerOctave %d: want 1 or more", op, t.PerOctave)
	case !(t.Resolution >= 1e-6 && t.Resolution <= 1):
		return fmt.Errorf("measure: %s: Resolution %g: want 1e-6 to 1", op, t.Resolution)
	}
	return nil
}

// Apply is the tuning of all lines of x, in bins from -0.5 to 0.5: -0.2 of semitones is 20
// cents flat. It is for Tuning of signal.Chroma, ChromaCQT and ConstantQ; signal.TuningToA4 gives
// it in hertz. Of silence it is 0.
func (t Tuning) Apply(ctx context.Context, x *nd.Array) (float64, error) {
	const op = "tuning"
	if err := t.fill(op); err != nil {
		return 0, err
	}
	if !(t.FS > 0) || math.IsInf(t.FS, 0) {
		return 0, fmt.Errorf("measure: %s: FS %g: want a positive number", op, t.FS)
	}
	if err := check(op, x); err != nil {
		return 0, err
	}
	f, m := signal.PipTrack{FS: t.FS, STFT: signal.Librosa(t.NFFT, t.Hop)}.Apply(x)
	both, err := nd.Slice[float64](ctx, nd.Stack(0, f, m).Cast(nd.Float64))
	if err != nil {
		return 0, err
	}
	half := len(both) / 2
	var frequencies, magnitudes []float64
	for i, v := range both[:half] {
		if v > 0 {
			frequencies, magnitudes = append(frequencies, v), append(magnitudes, both[half+i])
		}
	}
	if len(frequencies) == 0 {
		return 0, nil
	}
	// The louder half counts.
	sorted := slices.Sorted(slices.Values(magnitudes))
	n := len(sorted)
	median := (sorted[(n-1)/2] + sorted[n/2]) / 2
	kept := frequencies[:0]
	for i, v := range frequencies {
		if magnitudes[i] >= median {
			kept = append(kept, v)
		}
	}
	return t.Of(kept)
}

// Of is the tuning of frequencies in hertz, as librosa.pitch_tuning: the most frequent distance
// from the nearest bin. Those that are not positive do not count.
func (t Tuning) Of(frequencies []float64) (float64, error) {
	if err := t.fill("tuning"); err != nil {
		return 0, err
	}
	counts := make([]int, int(math.Ceil(1/t.Resolution)))
	found := false
	for _, f := range frequencies {
		if !(f > 0) || math.IsInf(f, 0) {
			continue
		}
		found = true
		off := float64(t.PerOctave) * (math.Log2(f) - math.Log2(27.5)) // the least number over 27.5 is 0
		off -= math.Floor(off)
		if off >= 0.5 {
			off--
		}
		counts[min(int((off+0.5)*float64(len(counts))), len(counts)-1)]++
	}
	if !found {
		return 0, nil
	}
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	return float64(best)/float64(len(counts)) - 0.5, nil
}
