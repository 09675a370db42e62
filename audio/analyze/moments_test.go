package analyze_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/audio/analyze"
)

// Skewness and kurtosis are those of all samples at once, in two passes, also where samples
// have an offset and change from part to part.
func TestMoments(t *testing.T) {
	const frames = 700001
	x := noisy(frames, 1, 1000, 0.1, map[float64]float64{100: 0.5})
	for i := range x {
		x[i] = x[i]*(1+x[i])*float32(1+i/100000) + 100
	}
	r, err := analyze.Recording(t.Context(), record(t, 1, 1000, x))
	if err != nil {
		t.Fatal(err)
	}
	mean, m := 0.0, [5]float64{}
	for _, v := range x {
		mean += float64(v) / frames
	}
	for _, v := range x {
		d := float64(v) - mean
		for k := range m {
			m[k] += math.Pow(d, float64(k)) / frames
		}
	}
	c := r.Channels[0]
	if want := m[3] / math.Pow(m[2], 1.5); math.Abs(c.Skewness-want) > 1e-7 {
		t.Errorf("skewness %v, want %v", c.Skewness, want)
	}
	if want := m[4] / (m[2] * m[2]); math.Abs(c.Kurtosis-want) > 1e-7 {
		t.Errorf("kurtosis %v, want %v", c.Kurtosis, want)
	}
	if r, err = analyze.Recording(t.Context(), record(t, 1, 1000, make([]float32, 1000))); err != nil || r.Channels[0].Kurtosis != 0 {
		t.Errorf("silence: %v, %+v", err, r)
	}
}
