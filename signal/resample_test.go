package signal_test

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestResampleGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, s := range [][2]int{{20, 30}, {20, 13}, {21, 14}, {21, 40}, {16, 8}, {8, 16}, {12, 12}, {1, 4}} {
		name := fmt.Sprintf("%d %d", s[0], s[1])
		check(t, "resample "+name, signal.Resample{N: s[1]}.Apply(waves(2, s[0])), 1e-13)
		check(t, "resample "+name, signal.Resample{N: s[1]}.Apply(waves(2, s[0]).Cast(nd.Float32)), 1e-6)
		check(t, "resample complex "+name, signal.Resample{N: s[1]}.Apply(swirls(2, s[0])), 1e-13)
	}
	for _, s := range [][2]int{{20, 30}, {20, 13}, {21, 14}, {21, 40}, {20, 20}} {
		name := fmt.Sprintf("%d %d", s[0], s[1])
		check(t, "resample window "+name, signal.Resample{N: s[1], Window: signal.Window{Name: "hann"}}.Apply(waves(2, s[0])), 1e-13)
		check(t, "resample window complex "+name, signal.Resample{N: s[1], Window: signal.Window{Name: "kaiser", Param: 3}}.Apply(swirls(2, s[0])), 1e-13)
		check(t, "resample spectrum "+name, signal.Resample{N: s[1], Spectrum: true}.Apply(swirls(2, s[0])), 1e-13)
	}
	check(t, "resample axis 0", signal.Resample{N: 30, Axis: nd.Axis(0)}.Apply(waves(20, 2)), 1e-13)
	for _, s := range [][3]int{{50, 3, 2}, {50, 2, 3}, {51, 7, 4}, {50, 1, 5}, {50, 5, 1}, {50, 6, 4}, {1, 2, 1}} {
		r := signal.ResamplePoly{Up: s[1], Down: s[2]}
		name := fmt.Sprintf("resample poly %d %d %d", s[0], s[1], s[2])
		check(t, name, r.Apply(waves(2, s[0])), 1e-13)
		check(t, name, r.Apply(waves(2, s[0]).Cast(nd.Float32)), 1e-6)
		r.Axis = nd.Axis(0)
		check(t, name, r.Apply(waves(2, s[0]).Transpose()).Transpose(), 1e-13)
	}
	for fact, got := range map[string]*nd.Array{
		"resample: 0 samples":          signal.Resample{N: 0}.Apply(waves(4)),
		"resamplepoly: Up 0 and Down ": signal.ResamplePoly{Down: 2}.Apply(waves(4)),
		"resamplepoly: tap 0 is NaN":   signal.ResamplePoly{Up: 2, Down: 1, Taps: []float64{math.NaN()}}.Apply(waves(4)),
		"has no samples":               signal.Resample{N: 4}.Apply(waves(0)),
	} {
		if err := got.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
}

// Outputs of a filter in many phases read parts of a stretch: here in parts that divide the phases
// and not, and at both ends of a signal.
func TestPhasesInParts(t *testing.T) {
	testdevice.NeedsFloat64(t)
	rng := rand.New(rand.NewPCG(7, 8))
	draw := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	for _, c := range []struct{ n, taps, up, down int }{{2000, 3201, 160, 441}, {700, 1000, 147, 160}, {500, 2000, 160, 147}, {900, 900, 441, 160}, {3, 500, 96, 7}, {40, 900, 300, 2}, {300, 700, 127, 64}} {
		x, h := draw(c.n), draw(c.taps)
		want := make([]float64, ((c.n-1)*c.up+c.taps-1)/c.down+1)
		for m := range want {
			for j, v := range x {
				if k := m*c.down - j*c.up; k >= 0 && k < c.taps {
					want[m] += v * h[k]
				}
			}
		}
		got, err := nd.Slice[float64](t.Context(), signal.UpFirDn{Taps: h, Up: c.up, Down: c.down}.Apply(nd.From(x)))
		if err != nil {
			t.Fatal(err)
		}
		for m, v := range got {
			if math.Abs(v-want[m]) > 1e-11 {
				t.Fatalf("%d to %d, output %d of %d: %g, want %g", c.up, c.down, m, len(want), v, want[m])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d to %d: %d outputs, want %d", c.up, c.down, len(got), len(want))
		}
	}
}

func TestCZTGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	check(t, "czt", signal.CZT{}.Apply(waves(2, 20)), 1e-13)
	check(t, "czt", signal.CZT{}.Apply(waves(2, 20).Cast(nd.Float32)), 1e-6)
	check(t, "czt", signal.CZT{Axis: nd.Axis(0)}.Apply(waves(2, 20).Transpose()).Transpose(), 1e-13)
	check(t, "czt m", signal.CZT{M: 33}.Apply(swirls(2, 20)), 1e-13)
	spiral := signal.CZT{M: 12, W: 0.98 * cmplx.Exp(-0.1i), A: 1.1 * cmplx.Exp(0.2i)}
	check(t, "czt spiral", spiral.Apply(waves(2, 20)), 1e-12)
	check(t, "zoom fft", signal.ZoomFFT{From: 0.2, To: 0.45, M: 16}.Apply(waves(2, 50)), 1e-12)
	check(t, "zoom fft fs", signal.ZoomFFT{From: 100, To: 450, M: 25, FS: 2000, Endpoint: true}.Apply(waves(2, 50)), 1e-12)
	for fact, got := range map[string]*nd.Array{
		"czt: M -1":      signal.CZT{M: -1}.Apply(waves(4)),
		"czt: W ":        signal.CZT{W: cmplx.Inf()}.Apply(waves(4)),
		"zoomfft: FS -1": signal.ZoomFFT{FS: -1}.Apply(waves(4)),
		"zoomfft: M 1":   signal.ZoomFFT{M: 1, Endpoint: true, To: 1}.Apply(waves(4)),
		"From 0 and To ": signal.ZoomFFT{To: 3}.Apply(waves(4)),
		"has no samples": signal.CZT{}.Apply(waves(0)),
	} {
		if err := got.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
}

// TestGoertzel compares with bins of the DFT, and between them with the
// definition.
func TestGoertzel(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 20)
	bins := x.FFT()
	got := signal.Goertzel(x, 20, []float64{0, 3, 10})
	inverts(t, "goertzel", nd.Stack(-1, bins.SliceAxis(1, nd.Range{Stop: 1}).Squeeze(1), bins.SliceAxis(1, nd.Range{Start: 3, Stop: 4}).Squeeze(1),
		bins.SliceAxis(1, nd.Range{Start: 10, Stop: 11}).Squeeze(1)), got, 1e-13)
	z := swirls(2, 20)
	inverts(t, "goertzel complex", z.FFT(), signal.Goertzel(z, 1, fftFrequencies(20)), 1e-13)
	inverts(t, "goertzel axis 0", got, signal.Goertzel(x.Transpose(), 20, []float64{0, 3, 10}, nd.Axis(0)).Transpose(), 1e-13)
	between, err := nd.Slice[complex128](context.Background(), signal.Goertzel(x, 100, []float64{12.3}))
	if err != nil {
		t.Fatal(err)
	}
	sum := complex128(0)
	for j, v := range wave(20) {
		sum += complex(v, 0) * cmplx.Exp(complex(0, -2*math.Pi*12.3/100*float64(j)))
	}
	if cmplx.Abs(between[0]-sum) > 1e-12 {
		t.Errorf("between bins %v, want %v", between[0], sum)
	}
	for fact, a := range map[string]*nd.Array{
		"goertzel: fs 0":               signal.Goertzel(x, 0, []float64{1}),
		"goertzel: no frequencies":     signal.Goertzel(x, 1, nil),
		"goertzel: frequency 0 is NaN": signal.Goertzel(x, 1, []float64{math.NaN()}),
	} {
		if err := a.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
}

func fftFrequencies(n int) []float64 {
	f := make([]float64, n)
	for i := range f {
		f[i] = float64(i) / float64(n)
	}
	return f
}

func TestLombScargleGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	w := wave(60)
	when, what, weights, omega := make([]float64, 60), make([]float64, 60), make([]float64, 60), make([]float64, 25)
	at := 0.0
	for i, v := range w {
		at += 0.3 + v*v
		when[i], what[i], weights[i] = at, math.Sin(2.1*at)+0.3*v, float64(1+i%3)
	}
	for i := range omega {
		omega[i] = 0.1 + (4-0.1)*float64(i)/24
	}
	tt, y, f := nd.From(when), nd.From(what), nd.From(omega)
	for label, s := range map[string]signal.LombScargle{
		"power": {}, "normalize": {Unit: signal.LombNormalized}, "mean": {FloatingMean: true},
		"weights": {Weights: nd.From(weights), Unit: signal.LombNormalized}, "amplitude": {Unit: signal.LombAmplitude, FloatingMean: true},
	} {
		check(t, "lombscargle "+label, s.Apply(tt, y, f), 1e-11)
		two := s.Apply(tt, nd.Stack(0, y, y.MulScalar(2)), f)
		check(t, "lombscargle "+label, two.At(0), 1e-11)
	}
	single := signal.LombScargle{}.Apply(tt.Cast(nd.Float32), y.Cast(nd.Float32), f.Cast(nd.Float32))
	check(t, "lombscargle power", single, 1e-4)
	for fact, a := range map[string]*nd.Array{
		"t is float32, y float64":            signal.LombScargle{}.Apply(tt.Cast(nd.Float32), y, f),
		"t of shape [60], weights of [50]":   signal.LombScargle{}.Apply(tt, y.SliceAxis(0, nd.Range{Stop: 50}), f),
		"frequencies of shape [2 25]: want ": signal.LombScargle{}.Apply(tt, y, nd.Stack(0, f, f)),
		"unknown unit 9":                     signal.LombScargle{Unit: 9}.Apply(tt, y, f),
		"lombscargle: nil Array":             signal.LombScargle{}.Apply(nil, y, f),
	} {
		if err := a.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
}
