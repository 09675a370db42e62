package signal_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestMuLaw(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(60).Clip(-1, 1)
	check(t, "mu_compress", signal.MuLaw{}.Apply(x), 1e-14)
	q := signal.MuLaw{Quantize: true}
	check(t, "mu_compress quantized", q.Apply(nd.Concat(0, x, nd.From([]float64{-1, 1, 0}))), 0)
	check(t, "mu_compress 15", signal.MuLaw{Mu: 15, Quantize: true}.Apply(x), 0)
	// What is a little above a step is in the next: librosa's codes.
	near := signal.MuLaw{Mu: 63, Quantize: true}.Apply(nd.From([]float64{0.5091156, -0.58319744, -1, 1}))
	for i, want := range []float64{27, -27, -32, 31} {
		if got := floats(t, near.Cast(nd.Float64))[i]; got != want {
			t.Errorf("code %d is %g, want %g", i, got, want)
		}
	}
	check(t, "mu_expand", signal.MuLaw{}.Inverse(x), 1e-14)
	codes := make([]float64, 256)
	for i := range codes {
		codes[i] = float64(i - 128)
	}
	check(t, "mu_expand quantized", q.Inverse(nd.From(codes)), 1e-14)
	check(t, "mu_expand quantized", q.Inverse(nd.From(codes).Cast(nd.Int32)), 1e-6)
	if err := (nd.Close{Abs: 1e-14}).Check(t.Context(), signal.MuLaw{}.Inverse(signal.MuLaw{}.Apply(x)), x); err != nil {
		t.Error(err)
	}
	for _, bad := range []*nd.Array{signal.MuLaw{Mu: -1}.Apply(x), signal.MuLaw{Mu: math.NaN()}.Inverse(x), signal.MuLaw{}.Inverse(x.Cast(nd.Int32)), signal.MuLaw{}.Apply(x.Cast(nd.Int32))} {
		if bad.Err() == nil {
			t.Error("no error")
		}
	}
}

func TestLPC(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 200).SubScalar(0.35)
	check(t, "lpc", signal.LPC(x, 12), 1e-12)
	check(t, "lpc 1", signal.LPC(waves(2), 1), 1e-14)
	checkGradient(t, "lpc", func(x *nd.Array) *nd.Array { return signal.LPC(x, 5).PowScalar(2).Sum() }, waves(2, 30), 1e-6)
	for _, order := range []int{0, -1, 200, 1 << 20} {
		if y := signal.LPC(x, order); y.Err() == nil {
			t.Errorf("order %d: no error", order)
		}
	}
	for i, v := range floats(t, signal.LPC(nd.Zeros(nd.Float64, 9), 3)) {
		if v != 0 && i > 0 {
			t.Errorf("silence is predicted by %g", v)
		}
	}
}

func TestTonnetz(t *testing.T) {
	testdevice.NeedsFloat64(t)
	check(t, "tonnetz", signal.Tonnetz(waves(2, 12, 7).Abs()), 1e-14)
	check(t, "tonnetz 24", signal.Tonnetz(waves(24, 3).Abs()), 1e-14)
	if signal.Tonnetz(waves(3)).Err() == nil {
		t.Error("no frames are no error")
	}
}

func TestMelFrequencies(t *testing.T) {
	for name, m := range map[string]signal.Mel{"mel_frequencies": {NMels: 40, FMin: 20, FMax: 8000}, "mel_frequencies htk": {NMels: 40, HTK: true}} {
		f, err := m.Frequencies()
		if err != nil {
			t.Fatal(err)
		}
		checkFloats(t, name, f, 1e-13)
	}
	if _, err := (signal.Mel{FS: -1}).Frequencies(); err == nil {
		t.Error("no error")
	}
}
