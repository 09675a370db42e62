package signal_test

import (
	"math"
	"math/cmplx"
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

// TestRemezWithFreeEnds: bands that do not reach from 0 to half the rate leave gains between, and
// beyond, that may be large. The taps hold what the exchange promises; of the last design they do so
// with a bound on those gains only.
func TestRemezWithFreeEnds(t *testing.T) {
	for _, c := range []struct {
		n     int
		bands [][2]float64
		most  float64 // the weighted error
	}{
		// SciPy's errors are 6.06e-8, 4.04e-6, 2.58e-7 and 0.0378.
		{39, [][2]float64{{0, 0.12022301540669247}, {0.4447209454967204, 0.5791198690608869}}, 7e-8},
		{84, [][2]float64{{0, 0.10721860496408751}, {0.37927408013933195, 0.654080064730779}}, 5e-6},
		{51, [][2]float64{{0, 0.03881640180954516}, {0.39791820127441846, 0.534795128547019}}, 3e-7},
		{67, [][2]float64{{0, 0.21890352135776117}, {0.3062365670311278, 0.6248865917939292}}, 0.002},
	} {
		h, err := signal.Remez{Bands: c.bands, Desired: []float64{1, 0}, Weights: []float64{1, 3}}.Taps(c.n)
		if err != nil {
			t.Errorf("%d taps: %v", c.n, err)
			continue
		}
		worst := 0.0
		for i, b := range c.bands {
			w := make([]float64, 500)
			for k := range w {
				w[k] = math.Pi * (b[0] + (b[1]-b[0])*float64(k)/float64(len(w)-1))
			}
			for _, z := range (signal.TF{B: h}).Response(w) {
				worst = max(worst, []float64{1, 3}[i]*math.Abs(cmplx.Abs(z)-[]float64{1, 0}[i]))
			}
		}
		if !(worst <= c.most) {
			t.Errorf("%d taps: error %g, want at most %g", c.n, worst, c.most)
		}
	}
}

// TestRemezAtRounding: designs whose error is near that of float64, or whose polynomial is large
// between bands, come as near to what is wanted as those of SciPy, whose error is given.
func TestRemezAtRounding(t *testing.T) {
	for _, c := range []struct {
		n     int
		r     signal.Remez
		scipy float64
	}{
		{98, signal.Remez{Bands: [][2]float64{{0, 0.448}}, Desired: []float64{1}, Kind: signal.RemezDifferentiator}, 1.054e-10},
		{143, signal.Remez{Bands: [][2]float64{{0, 0.177}, {0.262, 0.5}}, Desired: []float64{1, 0}}, 6.257e-10},
		{128, signal.Remez{Bands: [][2]float64{{0.045, 0.5}}, Desired: []float64{1}, Kind: signal.RemezHilbert}, 2.753e-9},
		{28, signal.Remez{Bands: [][2]float64{{0, 0.2316}, {0.2397, 0.2495}, {0.2931, 0.5}}, Desired: []float64{0, 1, 0}, Weights: []float64{0.1, 13.5, 0.03}}, 0.0872},
		{86, signal.Remez{Bands: [][2]float64{{0.0042, 0.0406}, {0.1976, 0.2871}, {0.3445, 0.4583}}, Desired: []float64{-1, 1, 0}}, 2.326e-4},
		{143, signal.Remez{Bands: [][2]float64{{0, 0.1398}, {0.2046, 0.291}, {0.2969, 0.5}}, Desired: []float64{1, 0, 1}, Weights: []float64{1.85, 0.033, 72.9}}, 0.02765},
		{18, signal.Remez{Bands: [][2]float64{{0.4016, 0.5}}, Desired: []float64{1}, Weights: []float64{0.38}, Kind: signal.RemezDifferentiator}, 0.002161},
		{45, signal.Remez{Bands: [][2]float64{{0.14743, 0.16153}, {0.23445, 0.27743}}, Desired: []float64{0, 1}, Weights: []float64{39.6, 1.14}}, 0.00116},
		{86, signal.Remez{Bands: [][2]float64{{0.1536, 0.3574}, {0.4468, 0.5}}, Desired: []float64{1, 0}, Weights: []float64{1.55, 3.08}}, 0.000219},
		{102, signal.Remez{Bands: [][2]float64{{0.015, 0.3833}}, Desired: []float64{1}, Kind: signal.RemezHilbert}, 0.0124},
	} {
		c.r.FS = 1
		h, err := c.r.Taps(c.n)
		if err != nil {
			t.Errorf("%d taps: %v", c.n, err)
			continue
		}
		worst := 0.0
		for i, b := range c.r.Bands {
			for k := range 1001 {
				f := b[0] + (b[1]-b[0])*float64(k)/1000
				got, want, weight := 0.0, c.r.Desired[i], 1.0
				if c.r.Weights != nil {
					weight = c.r.Weights[i]
				}
				for j, v := range h {
					sin, cos := math.Sincos(2 * math.Pi * f * (float64(j) - float64(c.n-1)/2))
					if c.r.Kind != signal.RemezBands {
						cos = -sin
					}
					got += v * cos
				}
				if c.r.Kind == signal.RemezDifferentiator {
					want, weight = want*f, weight/max(f, 1e-9)
				}
				worst = max(worst, weight*math.Abs(got-want))
			}
		}
		if !(worst <= 1.1*c.scipy) {
			t.Errorf("%d taps: error %g, SciPy's is %g", c.n, worst, c.scipy)
		}
	}
}

// TestRemezOfOneGain: where all bands want the same, that is the filter, and there is no error to
// alternate.
func TestRemezOfOneGain(t *testing.T) {
	for _, r := range []signal.Remez{
		{Bands: [][2]float64{{0.126, 1}}, Desired: []float64{1}},
		{Bands: [][2]float64{{0.2, 0.4}, {0.6, 1}}, Desired: []float64{0, 0}, Weights: []float64{10, 1}},
		{Bands: [][2]float64{{0, 0.4}, {0.5, 1}}, Desired: []float64{2, 2}},
	} {
		h, err := r.Taps(41)
		if err != nil {
			t.Errorf("%v: %v", r.Bands, err)
			continue
		}
		for _, b := range r.Bands {
			for _, z := range (signal.TF{B: h}).Response([]float64{math.Pi * b[0], math.Pi * (b[0] + b[1]) / 2, math.Pi * b[1]}) {
				if math.Abs(cmplx.Abs(z)-r.Desired[0]) > 1e-9 {
					t.Errorf("%v: a gain of %g, want %g", r.Bands, cmplx.Abs(z), r.Desired[0])
				}
			}
		}
	}
}
