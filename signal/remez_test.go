package signal_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/signal"
)

func TestRemez(t *testing.T) {
	for name, c := range map[string]struct {
		n int
		signal.Remez
	}{
		"lowpass":        {31, signal.Remez{Bands: [][2]float64{{0, 0.2}, {0.3, 0.5}}, Desired: []float64{1, 0}, FS: 1}},
		"even":           {32, signal.Remez{Bands: [][2]float64{{0, 0.2}, {0.3, 0.5}}, Desired: []float64{1, 0}, FS: 1}},
		"weights":        {45, signal.Remez{Bands: [][2]float64{{0, 0.1}, {0.15, 0.3}, {0.35, 0.5}}, Desired: []float64{0, 1, 0}, Weights: []float64{10, 1, 5}, FS: 1}},
		"bandstop":       {61, signal.Remez{Bands: [][2]float64{{0, 100}, {150, 250}, {300, 500}}, Desired: []float64{1, 0, 1}, FS: 1000}},
		"hilbert":        {31, signal.Remez{Bands: [][2]float64{{0.05, 0.45}}, Desired: []float64{1}, Kind: signal.RemezHilbert, FS: 1}},
		"hilbert even":   {30, signal.Remez{Bands: [][2]float64{{0.05, 0.5}}, Desired: []float64{1}, Kind: signal.RemezHilbert, FS: 1}},
		"differentiator": {32, signal.Remez{Bands: [][2]float64{{0, 0.4}}, Desired: []float64{1}, Kind: signal.RemezDifferentiator, FS: 1}},
		"long":           {161, signal.Remez{Bands: [][2]float64{{0, 0.1}, {0.12, 0.5}}, Desired: []float64{1, 0}, FS: 1}},
		"two":            {22, signal.Remez{Bands: [][2]float64{{0, 0.4}, {0.45, 0.5}}, Desired: []float64{1, 0}, Weights: []float64{1, 3}, FS: 1}},
	} {
		h, err := c.Taps(c.n)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, want := want(t, "remez "+name)
		worst := 0.0
		for i := range h {
			worst = max(worst, math.Abs(h[i]-real(want[i])))
		}
		if worst > 1e-12 {
			t.Errorf("%s: off by %g", name, worst)
		}
	}
	for _, bad := range []signal.Remez{{}, {Bands: [][2]float64{{0.2, 0.1}}, Desired: []float64{1}}, {Bands: [][2]float64{{0, 0.1}}},
		{Bands: [][2]float64{{0, 2}}, Desired: []float64{1}}, {Bands: [][2]float64{{0, 0.1}}, Desired: []float64{math.NaN()}}} {
		if _, err := bad.Taps(21); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
