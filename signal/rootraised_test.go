package signal_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestRootRaisedCosine(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, b := range []float64{0.05, 0.22, 0.25, 0.35, 0.5, 1} {
		taps, err := signal.RootRaisedCosine(b, 8, 200)
		if err != nil {
			t.Fatal(err)
		}
		// The textbook's quotient, where it has no pole.
		scale := taps[800] / (1 - b + 4*b/math.Pi)
		for i, got := range taps {
			x := float64(i-800) / 8
			low := math.Pi * x * (1 - 16*b*b*x*x)
			if math.Abs(low) < 1e-3 {
				continue
			}
			want := scale * (math.Sin(math.Pi*x*(1-b)) + 4*b*x*math.Cos(math.Pi*x*(1+b))) / low
			if math.Abs(got-want) > 1e-13 {
				t.Fatalf("rolloff %g: tap %d is %g, want %g", b, i, got, want)
			}
		}
		pulse := signal.UpFirDn{Taps: taps}.Apply(nd.From(taps))
		for i, v := range floats(t, signal.UpFirDn{Taps: []float64{1}, Down: 8}.Apply(pulse)) {
			want := 0.0
			if i == 200 {
				want = 1
			}
			if math.Abs(v-want) > 2e-3 {
				t.Errorf("rolloff %g: symbol %d gets %g, want %g", b, i-200, v, want)
			}
		}
	}
	for _, bad := range [][3]float64{{-0.1, 4, 4}, {1.1, 4, 4}, {math.NaN(), 4, 4}, {0.5, 0, 4}, {0.5, 4, 0}, {0.5, 1 << 20, 1 << 20}} {
		if _, err := signal.RootRaisedCosine(bad[0], int(bad[1]), int(bad[2])); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}
