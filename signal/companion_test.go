package signal_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/twiddle-go/twiddle/signal"
)

// TestSOSOfManyZerosAlike holds sections of a TF whose zeros are many in one place to its response.
// The zeros themselves are known to few digits only, and the sections are not.
func TestSOSOfManyZerosAlike(t *testing.T) {
	w := make([]float64, 60)
	for i := range w {
		w[i] = 0.01 + 0.05*float64(i)
	}
	designs := map[string]signal.TF{
		"six at one place":        {B: []float64{1, 6, 15, 20, 15, 6, 1}, A: []float64{1}},
		"five, nearly":            {B: []float64{1, 0.35 * 5, 0.35 * 0.35 * 10, 0.35 * 0.35 * 0.35 * 10, 0.0750315625, 0.0052521875}, A: []float64{1, -0.5}},
		"four at 1, four at -1":   {B: []float64{1, 0, -4, 0, 6, 0, -4, 0, 1}, A: []float64{1, 0, 0.2}},
		"two at 0.9, two at -0.9": {B: []float64{1, 0.5}, A: []float64{1, 0, -1.62, 0, 0.6561}},
		"two at 1, two at -1":     {B: []float64{1, 0, -2, 0, 1}, A: []float64{1}},
		// Both shifts at once made noise of this.
		"pairs, and two more":      {B: []float64{1}, A: []float64{0.9977500403763682, -0.5193627524999023, -1.5199823422748127, 0.8413676590498416, 0.4984999900123908, -0.3407539019151858, 0.06323014364881054}},
		"a delay":                  {B: []float64{0, 1}, A: []float64{1}},
		"a longer delay":           {B: []float64{0, 0, 0, 0, 0, 2, 1, 0}, A: []float64{1, -0.5}},
		"a delay and poles":        {B: []float64{0, 0, 0, 1, 0.3}, A: []float64{1, -0.2, 0.3, 0.1, 0, 0.01, 0.05}},
		"a delay at once":          {B: []float64{0, 0, 1}, A: []float64{1, -0.2, 0.3}},
		"nothing":                  {B: []float64{0, 0, 0}, A: []float64{1, 0.5}},
		"none but at the origin":   {B: []float64{3}, A: []float64{1, 0, 0, 0.1}},
		"more zeros than sections": {B: []float64{1, 3, 3, 1, 0, 0}, A: []float64{1}},
	}
	for name, c := range map[string]signal.IIR{
		"low-pass":  {Order: 5, Cutoff: [2]float64{0.1239}},
		"high-pass": {Order: 6, Band: signal.Highpass, Cutoff: [2]float64{0.3}},
		"band-pass": {Order: 4, Band: signal.Bandpass, Cutoff: [2]float64{0.2, 0.5}},
	} {
		f, err := c.TF()
		if err != nil {
			t.Fatal(err)
		}
		designs[name] = f
	}
	for name, f := range designs {
		s, err := f.SOS()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, want := s.Response(w), f.Response(w)
		worst, top := 0.0, 0.0
		for i := range w {
			worst, top = max(worst, cmplx.Abs(got[i]-want[i])), max(top, cmplx.Abs(want[i]))
		}
		if !(worst <= 1e-10*top) || math.IsNaN(worst) {
			t.Errorf("%s: off by %g of %g", name, worst, top)
		}
		zpk, err := s.ZPK()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, v := range zpk.Response(w) {
			if !(cmplx.Abs(v-want[i]) <= 1e-6*top) {
				t.Errorf("%s: zeros and poles of the sections give %g, want %g", name, v, want[i])
				break
			}
		}
	}
}
