package measure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Beats is the options of finding the beats of music of a steady tempo by Ellis's dynamic
// programming, as librosa.beat.beat_track: the course through the onset strength that has
// the strongest onsets at the most regular distances.
type Beats struct {
	FS        float64
	Hop       int     // samples between frames; 0 is 512
	Tempo     float64 // in beats per minute, if it is known; 0 estimates it
	Around    float64 // where an estimate is looked for, in beats per minute; 0 is 120
	Tightness float64 // how closely beats keep the tempo; 0 is 100
	All       bool    // keep beats of weak onsets before the first and after the last strong one
}

// Rhythm is a tempo and its beats.
type Rhythm struct {
	Tempo float64   // beats per minute; 0 where nothing begins
	Times []float64 // of beats, in seconds from the first sample
}

// Apply follows the beats of the line x.
func (b Beats) Apply(ctx context.Context, x *nd.Array) (Rhythm, error) {
	const op = "beats"
	e, err := strength(ctx, op, x, &b.FS, &b.Hop, signal.Median)
	if err != nil {
		return Rhythm{}, err
	}
	for _, d := range []struct {
		name  string
		v     *float64
		usual float64
	}{{"Around", &b.Around, 120}, {"Tightness", &b.Tightness, 100}} {
		if *d.v == 0 {
			*d.v = d.usual
		}
		if !(*d.v > 0) || math.IsInf(*d.v, 0) {
			return Rhythm{}, fmt.Errorf("measure: %s: %s %g: want a positive number", op, d.name, *d.v)
		}
	}
	rate := b.FS / float64(b.Hop) // frames per second
	if slices.Max(e) == 0 || len(e) < 2 {
		return Rhythm{}, nil
	}
	if b.Tempo == 0 {
		if b.Tempo, err = b.tempo(ctx, e, rate); err != nil {
			return Rhythm{}, err
		}
	}
	period := math.RoundToEven(60 * rate / b.Tempo)
	if !(period >= 1 && period <= 1<<24) {
		return Rhythm{}, fmt.Errorf("measure: %s: Tempo %g: want a beat of 1 to %d frames, of which there are %g in a second", op, b.Tempo, 1<<24, rate)
	}
	local := localScore(e, int(period))
	return Rhythm{b.Tempo, frameTimes(b.track(local, int(period)), b.Hop, b.FS)}, nil
}

// tempoSeconds and maxTempo are librosa.feature.tempo's: the longest period that is looked
// for, and the fastest tempo.
const tempoSeconds, maxTempo = 8, 320

// tempo is the lag at which the onset strength is most like itself, weighed by how far its
// tempo is from Around: one octave is a standard deviation.
func (b Beats) tempo(ctx context.Context, e []float64, rate float64) (float64, error) {
	lags := max(2, int(math.Floor(tempoSeconds*rate)))
	g, err := nd.Slice[float64](ctx, signal.Tempogram(nd.From(e), lags).Mean(-1))
	if err != nil {
		return 0, err
	}
	best, most := 0.0, math.Inf(-1)
	for lag := 1; lag < lags; lag++ {
		bpm := 60 * rate / float64(lag)
		octaves := math.Log2(bpm / b.Around)
		if score := math.Log1p(1e6*g[lag]) - octaves*octaves/2; bpm < maxTempo && score > most {
			best, most = bpm, score
		}
	}
	if best == 0 {
		return 0, fmt.Errorf("measure: beats: Hop %d: no tempo below %d has a whole number of frames", b.Hop, maxTempo)
	}
	return best, nil
}

// localScore is the onset strength over its standard deviation, smoothed over a 32nd of a
// beat. As in librosa, the first sample counts for nothing.
func localScore(e []float64, period int) []float64 {
	mean, square := 0.0, 0.0
	for _, v := range e {
		mean += v / float64(len(e))
	}
	for _, v := range e {
		square += (v - mean) * (v - mean)
	}
	size := math.Sqrt(square/float64(len(e)-1)) + 0x1p-1022
	window := make([]float64, 2*period+1)
	for i := range window {
		u := float64(i-period) * 32 / float64(period)
		window[i] = math.Exp(-u * u / 2)
	}
	local := make([]float64, len(e))
	for i := range local {
		for j := max(1, i-period); j <= min(i+period, len(e)-1); j++ {
			local[i] += window[i-j+period] * e[j] / size
		}
	}
	return local
}

// track is the frames of beats.
func (b Beats) track(local []float64, period int) []int {
	// Beats are half a period to two periods apart; costs are of such distances.
	near := int(math.RoundToEven(float64(period) / 2))
	cost := make([]float64, 2*period+1)
	for d := max(near, 1); d < len(cost); d++ {
		l := math.Log(float64(d)) - math.Log(float64(period))
		cost[d] = b.Tightness * l * l
	}
	before, score := make([]int, len(local)), make([]float64, len(local))
	begun, threshold := false, 0.01*slices.Max(local)
	for i, v := range local {
		best, from := math.Inf(-1), -1
		for d := max(near, 1); d <= min(2*period, i); d++ {
			if s := score[i-d] - cost[d]; s > best {
				best, from = s, i-d
			}
		}
		score[i] = v
		if from >= 0 {
			score[i] += best
		}
		begun = begun || v >= threshold
		if before[i] = -1; begun {
			before[i] = from
		}
	}
	var beats []int
	for at := lastBeat(score); at >= 0; at = before[at] {
		beats = append(beats, at)
	}
	slices.Reverse(beats)
	return b.trimmed(beats, local)
}

// lastBeat is the last maximum of the score that is at least half of their median.
func lastBeat(score []float64) int {
	n := len(score)
	top := func(i int) bool {
		return i > 0 && score[i] > score[i-1] && (i == n-1 || score[i] >= score[i+1])
	}
	var tops []float64
	for i := range score {
		if top(i) {
			tops = append(tops, score[i])
		}
	}
	if len(tops) == 0 {
		return n - 1
	}
	slices.Sort(tops)
	median := (tops[(len(tops)-1)/2] + tops[len(tops)/2]) / 2
	for i := n - 1; i > 0; i-- {
		if top(i) && score[i] >= median/2 {
			return i
		}
	}
	return n - 1
}

// trimmed leaves out beats before the first and after the last frame whose score is above
// half of the root mean square of the smoothed scores of beats, or with All above 0.
func (b Beats) trimmed(beats []int, local []float64) []int {
	threshold := 0.0
	if !b.All {
		hann := []float64{0, 0.5, 1, 0.5, 0}
		square, count := 0.0, min(len(beats)+2, len(local))
		for i := range count {
			v := 0.0
			for k, w := range hann {
				if j := i + 2 - k; j >= 0 && j < len(beats) {
					v += w * local[beats[j]]
				}
			}
			square += v * v
		}
		threshold = math.Sqrt(square/float64(count)) / 2
	}
	weak := func(v float64) bool { return v <= threshold }
	first := slices.IndexFunc(local, func(v float64) bool { return !weak(v) })
	last := len(local) - 1
	for last >= 0 && weak(local[last]) {
		last--
	}
	return slices.DeleteFunc(beats, func(f int) bool { return first < 0 || f < first || f > last })
}
