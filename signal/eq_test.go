package signal_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/twiddle-go/twiddle/signal"
)

// The gains that the kinds promise, at 0, Freq and half the rate.
func TestEQ(t *testing.T) {
	for _, c := range []struct {
		eq   signal.EQ
		want [3]float64 // dB
	}{
		{signal.EQ{Kind: signal.Peaking, Gain: 6, Q: 2}, [3]float64{0, 6, 0}},
		{signal.EQ{Kind: signal.Peaking, Gain: -12}, [3]float64{0, -12, 0}},
		{signal.EQ{Kind: signal.LowShelf, Gain: 9}, [3]float64{9, 4.5, 0}},
		{signal.EQ{Kind: signal.HighShelf, Gain: -9}, [3]float64{0, -4.5, -9}},
		{signal.EQ{Kind: signal.EQLowpass}, [3]float64{0, -3.0103, -300}},
		{signal.EQ{Kind: signal.EQHighpass}, [3]float64{-300, -3.0103, 0}},
		{signal.EQ{Kind: signal.EQBandpass, Q: 3}, [3]float64{-300, 0, -300}},
		{signal.EQ{Kind: signal.EQNotch, Q: 3}, [3]float64{0, -250, 0}},
		{signal.EQ{Kind: signal.EQAllpass}, [3]float64{0, 0, 0}},
	} {
		c.eq.Freq, c.eq.FS = 1200, 48000
		sos, err := c.eq.SOS()
		if err != nil || !sos.Stable() {
			t.Fatalf("%v: %v, %v", c.eq.Kind, sos, err)
		}
		for i, h := range sos.Response([]float64{0, 2 * math.Pi * 1200 / 48000, math.Pi}) {
			got := 20 * math.Log10(max(cmplx.Abs(h), 1e-15))
			if math.Abs(got-c.want[i]) > 1e-4 && !(c.want[i] <= -250 && got <= -250) {
				t.Errorf("%v: %v dB at place %d, want %v", c.eq.Kind, got, i, c.want[i])
			}
		}
	}
	for _, bad := range []signal.EQ{{}, {FS: 48000}, {FS: 48000, Freq: 24000}, {FS: 48000, Freq: 1, Q: -1}, {FS: 48000, Freq: 1, Kind: 99}, {FS: 48000, Freq: 1, Gain: math.NaN()}} {
		if _, err := bad.SOS(); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}
