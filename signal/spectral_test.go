package signal_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestWindowGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, name := range []string{"bartlett", "blackman", "blackmanharris", "boxcar", "cosine", "flattop", "gaussian:3.5", "hamming", "hann",
		"kaiser:8.6", "nuttall", "parzen", "tukey:0.3"} {
		w, err := signal.ParseWindow(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 9, 16} {
			w.Symmetric = false
			check(t, fmt.Sprintf("window %s %d periodic", name, n), w.Array(nd.Float64, n), 1e-14)
			check(t, fmt.Sprintf("window %s %d periodic", name, n), w.Array(nd.Float32, n), 1e-7)
			w.Symmetric = true
			check(t, fmt.Sprintf("window %s %d symmetric", name, n), w.Array(nd.Float64, n), 1e-14)
		}
	}
}

func TestWindowErrors(t *testing.T) {
	for text, fact := range map[string]string{
		"hanning":   `unknown window "hanning" (did you mean "hann"?): want one of [barthann`,
		"Blackmann": `(did you mean "blackman"?)`,
		"hamm":      `(did you mean "hamming"?)`,
		"frobenius": `unknown window "frobenius": want one of [barthann bartlett blackman`,
		"kaiser:x":  `"x" is not a number`,
		"hann:3":    "hann takes no parameter",
		"gaussian":  "gaussian needs a parameter, as in gaussian:",
		"tukey:nan": "tukey of parameter NaN",
	} {
		if _, err := signal.ParseWindow(text); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%q: %v, want %q", text, err, fact)
		}
	}
	for _, w := range []signal.Window{{Name: "kaiser", Param: 800}, {Name: "chebwin", Param: 1e9}, {Name: "taylor", Param: 700}} {
		if _, err := w.Samples(16); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s of parameter %g: too large for float64", w.Name, w.Param)) {
			t.Errorf("%+v: %v", w, err)
		}
	}
	if got, err := (signal.Window{}).Samples(0); err != nil || len(got) != 0 {
		t.Errorf("no samples: %v, %v", got, err)
	}
	if err := (signal.Window{}).Array(nd.Int32, 4).Err(); err == nil {
		t.Error("a window of int32")
	}
	if _, err := signal.CustomWindow([]float64{1, 2}).Samples(3); err == nil {
		t.Error("a custom window of another length")
	}
}

func TestDetrendGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, trend := range []signal.Trend{signal.TrendConstant, signal.TrendLinear} {
		check(t, "detrend "+trend.String(), signal.Detrend(waves(3, 21), trend), 1e-14)
		check(t, "detrend "+trend.String()+" axis 0", signal.Detrend(waves(21, 3), trend, nd.Axis(0)), 1e-14)
		check(t, "detrend "+trend.String()+" complex", signal.Detrend(swirls(2, 15), trend), 1e-14)
	}
	if got := floats(t, signal.Detrend(nd.From([]float64{5}), signal.TrendLinear)); got[0] != 0 {
		t.Errorf("one sample without its trend is %v", got)
	}
}

// spectralCases are the options of goldens by their labels.
var spectralCases = []struct {
	label string
	opt   signal.Spectral
}{
	{"default", signal.Spectral{}},
	{"even", signal.Spectral{NPerSeg: 16}},
	{"odd", signal.Spectral{NPerSeg: 15, NOverlap: 4}},
	{"nfft", signal.Spectral{NPerSeg: 12, NFFT: 21, NOverlap: signal.None}},
	{"linear", signal.Spectral{NPerSeg: 16, Detrend: signal.TrendLinear}},
	{"raw", signal.Spectral{NPerSeg: 16, Detrend: signal.TrendNone, Window: signal.Window{Name: "blackman"}}},
	{"spectrum", signal.Spectral{NPerSeg: 16, Scaling: signal.Power, FS: 48000}},
	{"median", signal.Spectral{NPerSeg: 8, Average: signal.Median}},
	{"median odd", signal.Spectral{NPerSeg: 14, Average: signal.Median}},
	{"twosided", signal.Spectral{NPerSeg: 16, TwoSided: true}},
}

func TestSpectralGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 60)
	y := x.Flip(-1).Mul(x.Flip(-1))
	for _, c := range spectralCases {
		w := signal.Welch(x, c.opt)
		check(t, "welch "+c.label, w.Array, 1e-13)
		checkFloats(t, "welch "+c.label+" frequencies", w.Frequencies, 1e-14)
		if w.Clipped != (c.label == "default") {
			t.Errorf("welch %s: Clipped is %v", c.label, w.Clipped)
		}
		single := signal.Welch(x.Cast(nd.Float32), c.opt).Array
		check(t, "welch "+c.label, single, 2e-6)
		if single.DType() != nd.Float32 {
			t.Errorf("welch %s: %s of float32", c.label, single.DType())
		}
		check(t, "csd "+c.label, signal.CSD(x, y, c.opt).Array, 1e-13)
		if c.opt.Average == signal.Mean {
			for m := signal.PSD; m <= signal.Phase; m++ {
				s := signal.Spectrogram(x, m, c.opt)
				if m == signal.PSD {
					checkFloats(t, "spectrogram "+c.label+" times", s.Times, 1e-14)
				}
				// Bin 0 of a segment without its mean is rounding, and so is
				// its angle.
				name := "spectrogram " + c.label + " " + m.String()
				switch {
				case m == signal.Angle && c.opt.Detrend == signal.TrendNone:
					checkAngles(t, name, s.Array, 1e-12)
				case m < signal.Angle || c.opt.Detrend == signal.TrendNone:
					check(t, name, s.Array, 1e-12)
				}
			}
			if c.opt.Scaling == signal.Density && !c.opt.TwoSided {
				check(t, "coherence "+c.label, signal.Coherence(x, y, c.opt).Array, 1e-12)
			}
		}
	}
	check(t, "welch axis 0", signal.Welch(waves(60, 2), signal.Spectral{NPerSeg: 16, Axis: nd.Axis(0)}).Array, 1e-13)
	check(t, "welch complex", signal.Welch(swirls(2, 60), signal.Spectral{NPerSeg: 16}).Array, 1e-13)
	check(t, "csd shorter", signal.CSD(x, y.SliceAxis(1, nd.Range{Stop: 45}), signal.Spectral{NPerSeg: 16}).Array, 1e-13)
	check(t, "spectrogram axis 0", signal.Spectrogram(waves(60, 2), signal.PSD, signal.Spectral{NPerSeg: 16, Axis: nd.Axis(0)}).Array, 1e-13)
	check(t, "periodogram even", signal.Periodogram(x).Array, 1e-13)
	check(t, "periodogram odd", signal.Periodogram(x.SliceAxis(1, nd.Range{Stop: 31}), signal.Spectral{FS: 10}).Array, 1e-13)
	check(t, "periodogram hann long", signal.Periodogram(x, signal.Spectral{Window: signal.Window{Name: "hann"}, NFFT: 77, Scaling: signal.Power}).Array, 1e-13)
	check(t, "periodogram short", signal.Periodogram(x, signal.Spectral{NFFT: 32}).Array, 1e-13)
	twoPi := 6.283185307179586
	turned := waves(3, 40).CumSum(-1)
	turned = turned.Sub(turned.DivScalar(twoPi).Floor().MulScalar(twoPi))
	check(t, "unwrap", signal.Unwrap(turned), 1e-13)
	check(t, "unwrap", signal.Unwrap(turned.Transpose(), nd.Axis(0)).Transpose(), 1e-13)
}

// TestWelchWorked is worked values: 16 samples, ones at 0 and 8.
func TestWelchWorked(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := make([]float64, 16)
	x[0], x[8] = 1, 1
	for _, c := range []struct {
		opt  signal.Spectral
		want []float64
	}{
		{signal.Spectral{NPerSeg: 8}, []float64{.08333333, .15277778, .22222222, .22222222, .11111111}},
		{signal.Spectral{NPerSeg: 9}, []float64{.12477455, .23430933, .17072113, .17072113, .17072113}},
		{signal.Spectral{NPerSeg: 8, Average: signal.Median}, []float64{.1, .05, 0, 0, 0}},
	} {
		if got := floats(t, signal.Welch(nd.From(x), c.opt).Array); !near(got, c.want, 1e-8) {
			t.Errorf("%+v: %v, want %v", c.opt, got, c.want)
		}
	}
}

// TestWelchIsOneLaunch holds that segments never exist in memory: a spectrum and
// where its maxima are take one pass over the samples.
func TestWelchIsOneLaunch(t *testing.T) {
	testdevice.NotOnGPU(t, "a GPU takes the segments of few channels side by side")
	x := waves(max(8, 4*runtime.GOMAXPROCS(0)), 1<<14).Cast(nd.Float32) // work for every core
	if err := nd.Eval(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	for _, trend := range []signal.Trend{signal.TrendConstant, signal.TrendLinear, signal.TrendNone} {
		w := signal.Welch(x, signal.Spectral{NPerSeg: 1024, Detrend: trend}).Array
		plan, err := nd.Explain(w, signal.RelMax(w, 1))
		if err != nil {
			t.Fatal(err)
		}
		if plan.Launches != 1 {
			t.Errorf("trend %s: %d launches:\n%s", trend, plan.Launches, plan)
		}
		if most := 4 * x.Len() * 11 / 10; plan.DeviceTrafficBytes > most {
			t.Errorf("trend %s: %d bytes moved, want at most %d:\n%s", trend, plan.DeviceTrafficBytes, most, plan)
		}
	}
}

func TestSpectralErrors(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 60)
	f32 := x.Cast(nd.Float32)
	for fact, got := range map[string]signal.Spectrum{
		"welch: NOverlap 16: want less than the 16":                          signal.Welch(x, signal.Spectral{NPerSeg: 16, NOverlap: 16}),
		"welch: NOverlap -7":                                                 signal.Welch(x, signal.Spectral{NPerSeg: 16, NOverlap: -7}),
		"csd: NFFT 15: want at least the 16":                                 signal.CSD(x, x, signal.Spectral{NPerSeg: 16, NFFT: 15}),
		`unknown window "han" (did you mean "hann"?): want one of [barthann`: signal.Welch(x, signal.Spectral{Window: signal.Window{Name: "han"}}),
		"welch: FS -1":      signal.Welch(x, signal.Spectral{FS: -1}),
		"welch: NPerSeg -2": signal.Welch(x, signal.Spectral{NPerSeg: -2}),
		"welch: axis 2 out of range for shape [2 60]":     signal.Welch(x, signal.Spectral{Axis: nd.Axis(2)}),
		"welch: x of shape [3 0] has no samples":          signal.Welch(nd.Zeros(nd.Float32, 3, 0)),
		"welch: x is int32":                               signal.Welch(nd.Zeros(nd.Int32, 30)),
		"welch: nil Array":                                signal.Welch(nil),
		"welch: unknown trend 9":                          signal.Welch(x, signal.Spectral{Detrend: 9}),
		"coherence: x is float64, y is float32":           signal.Coherence(x, f32),
		"spectrogram: unknown mode 7":                     signal.Spectrogram(x, 7),
		"welch: axis -1 out of range for shape []":        signal.Welch(nd.Scalar(1.0)),
		"NPerSeg 8, and the window has 5":                 signal.Welch(x, signal.Spectral{NPerSeg: 8, Window: signal.CustomWindow(make([]float64, 5))}),
		"periodogram: NFFT -1":                            signal.Periodogram(x, signal.Spectral{NFFT: -1}),
		"csd: x of shape [2 60] and y of shape [60] have": signal.CSD(x, x.At(0)),
	} {
		if err := got.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
	one := signal.Welch(nd.From([]float64{3}))
	if got := floats(t, one.Array); !slices.Equal(got, []float64{0}) || !one.Clipped {
		t.Errorf("one sample: %v", got)
	}
}

// TestCoherenceHasNoUnit: samples in tesla or in metres per second have powers within the range of
// float32, whose products are not. A line is coherent with itself.
func TestCoherenceHasNoUnit(t *testing.T) {
	testdevice.NeedsFloat64(t)
	r := nd.Key(3).Split(2)
	x := nd.Normal(r[0], nd.Float32, 4, 400)
	y := x.Roll(3, -1).Add(nd.Normal(r[1], nd.Float32, 4, 400))
	for label, f := range map[string]func(x, y *nd.Array) *nd.Array{
		"welch":      func(x, y *nd.Array) *nd.Array { return signal.Coherence(x, y, signal.Spectral{NPerSeg: 64}).Array },
		"multitaper": func(x, y *nd.Array) *nd.Array { return signal.Multitaper{}.Coherence(x, y).Array },
	} {
		want := floats(t, f(x, y).Cast(nd.Float64))
		for _, unit := range [][2]float32{{1e-13, 1e-13}, {1e-14, 1}, {1e12, 1e12}, {1e-9, 1e6}} {
			if got := floats(t, f(x.MulScalar(unit[0]), y.MulScalar(unit[1])).Cast(nd.Float64)); !near(got, want, 1e-4) {
				t.Errorf("%s: in units of %g and %g it is %.3g, not %.3g", label, unit[0], unit[1], got[:4], want[:4])
			}
		}
		for _, v := range floats(t, f(x, x).Cast(nd.Float64)) {
			if math.Abs(v-1) > 1e-6 {
				t.Fatalf("%s: %v with itself", label, v)
			}
		}
	}
}
