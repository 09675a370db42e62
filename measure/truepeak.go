package measure

import "math"

// truePeak finds the greatest modulus of a signal between its samples.
type truePeak struct {
	phases  [][]float64 // taps of the interpolation at each place between samples
	history []float64   // the last samples
	room    []float64
	most    float64
}

// peakTaps is how many samples an interpolated one is made of, as in BS.1770.
const peakTaps = 12

func newTruePeak(rate float64) truePeak {
	over := 4
	if rate >= 88200 {
		over = 2
	}
	t := truePeak{history: make([]float64, peakTaps-1)}
	for p := 1; p < over; p++ {
		taps := make([]float64, peakTaps)
		sum := 0.0
		for i := range taps {
			// A sinc under a Hann window, around the place.
			d := float64(i-peakTaps/2) + float64(p)/float64(over)
			taps[i] = math.Sin(math.Pi*d) / (math.Pi * d) * (0.5 + 0.5*math.Cos(2*math.Pi*d/(peakTaps+1)))
			sum += taps[i]
		}
		for i := range taps {
			taps[i] /= sum
		}
		t.phases = append(t.phases, taps)
	}
	return t
}

func (t *truePeak) add(x []float64) {
	t.room = append(append(t.room[:0], t.history...), x...)
	for _, v := range x {
		t.most = max(t.most, math.Abs(v))
	}
	for i := range x {
		window := t.room[i : i+peakTaps]
		for _, taps := range t.phases {
			sum := 0.0
			for j, c := range taps {
				sum += c * window[j]
			}
			t.most = max(t.most, math.Abs(sum))
		}
	}
	copy(t.history, t.room[len(t.room)-len(t.history):])
}
