package signal_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestHilbertGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, n := range []int{1, 2, 21, 30} {
		check(t, fmt.Sprintf("hilbert %d", n), signal.Hilbert(waves(2, n)), 1e-13)
		single := signal.Hilbert(waves(2, n).Cast(nd.Float32))
		check(t, fmt.Sprintf("hilbert %d", n), single, 1e-6)
		if single.DType() != nd.Complex64 {
			t.Errorf("%s of float32", single.DType())
		}
	}
	check(t, "hilbert axis 0", signal.Hilbert(waves(21, 2), signal.Analytic{Axis: nd.Axis(0)}), 1e-13)
	check(t, "hilbert longer", signal.Hilbert(waves(2, 21), signal.Analytic{N: 30}), 1e-13)
	check(t, "hilbert shorter", signal.Hilbert(waves(2, 21), signal.Analytic{N: 16}), 1e-13)
	x := waves(3, 20)
	inverts(t, "envelope", signal.Hilbert(x).Abs(), signal.Envelope(x), 1e-15)
	tone := make([]float64, 50)
	for i := range tone {
		tone[i] = math.Cos(float64(i)*0.7) * (2 + math.Sin(float64(i)*0.05))
	}
	check(t, "instantaneous frequency", signal.InstantaneousFrequency(nd.From(tone), 100), 1e-12)
	for fact, got := range map[string]*nd.Array{
		"hilbert: x is complex128":        signal.Hilbert(swirls(4)),
		"hilbert: N -1":                   signal.Hilbert(x, signal.Analytic{N: -1}),
		"envelope: x of shape [0] has no": signal.Envelope(nd.Zeros(nd.Float32, 0)),
		"instantaneousfrequency: fs 0":    signal.InstantaneousFrequency(x, 0),
	} {
		if err := got.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
}

func TestCorrelateGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, mode := range []signal.Mode{signal.Full, signal.Same, signal.Valid} {
		for _, s := range [][2]int{{20, 7}, {7, 20}, {9, 9}} {
			x, y := waves(s[0]), waves(s[1]).Flip(0)
			name := fmt.Sprintf("%s %d %d", mode, s[0], s[1])
			check(t, "correlate "+name, signal.Correlate(x, y, mode), 1e-13)
			check(t, "correlate "+name, signal.Correlate(x.Cast(nd.Float32), y.Cast(nd.Float32), mode), 1e-6)
			lags, err := signal.CorrelationLags(s[0], s[1], mode)
			if err != nil {
				t.Fatal(err)
			}
			if mode == signal.Same && s[0] < s[1] {
				// SciPy's lags are off by one here from what its own
				// correlate gives; ours go with the elements.
				if lags[0] != -10 {
					t.Errorf("lags %s: %v", name, lags)
				}
				continue
			}
			checkFloats(t, "correlate lags "+name, wide(lags), 0)
		}
		check(t, "correlate complex "+mode.String(), signal.Correlate(swirls(20), swirls(7), mode), 1e-13)
	}
	for fact, got := range map[string]*nd.Array{
		"correlate: mode causal":                signal.Correlate(waves(4), waves(4), signal.Causal),
		"correlate: x is float64, y is complex": signal.Correlate(waves(4), swirls(4), signal.Full),
		"has no samples":                        signal.Correlate(waves(4), waves(0), signal.Full),
	} {
		if err := got.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
	if _, err := signal.CorrelationLags(0, 1, signal.Full); err == nil {
		t.Error("lags of nothing")
	}
}

func TestGCCPHAT(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const n, fs = 256, 1000.0
	source := nd.Normal(nd.Key(5), nd.Float64, n+20)
	y := source.SliceAxis(0, nd.Range{Start: 10, Stop: 10 + n})
	var lines []*nd.Array
	want := []float64{-7, 0, 1, 9}
	for _, d := range want {
		lines = append(lines, source.SliceAxis(0, nd.Range{Start: 10 - int(d), Stop: 10 - int(d) + n}))
	}
	for _, g := range []signal.GCCPHAT{{FS: fs}, {FS: fs, MaxLag: 12}, {FS: fs, MaxLag: 12, Upsample: 4}} {
		d := g.Apply(nd.Stack(0, lines...), y)
		got := floats(t, d.Array)
		for i, w := range want {
			if math.Abs(got[i]-w/fs) > 0.3/fs {
				t.Errorf("%+v: delay %g, want %g", g, got[i], w/fs)
			}
		}
		if d.Correlation.Dim(-1) != len(d.Lags) {
			t.Errorf("%d correlations, %d lags", d.Correlation.Dim(-1), len(d.Lags))
		}
	}
	if err := (signal.GCCPHAT{FS: -1}).Apply(y, y).Err(); err == nil {
		t.Error("FS -1")
	}
	if err := (signal.GCCPHAT{}).Apply(y, nil).Err(); err == nil {
		t.Error("a nil Array")
	}
	silent := signal.GCCPHAT{}.Apply(nd.Zeros(nd.Float32, 8), nd.Zeros(nd.Float32, 8))
	c, err := nd.Slice[float32](context.Background(), silent.Correlation)
	if err != nil || c[0] != 0 {
		t.Errorf("correlation of silence: %v, %v", c, err)
	}
	// Neither silence nor NaN has a delay; other lines keep theirs.
	first := lines[0]
	for name, line := range map[string]*nd.Array{"silence": first.MulScalar(0), "NaN": nd.Where(nd.Arange(0, n, 1).EqualScalar(3), math.NaN(), first)} {
		got := floats(t, signal.GCCPHAT{FS: fs}.Apply(nd.Stack(0, line, first), y).Array)
		if got[0] == got[0] || math.Abs(got[1]-want[0]/fs) > 0.3/fs {
			t.Errorf("delays of %s and a line: %v", name, got)
		}
	}
}

func TestGenerators(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ticks := make([]float64, 50)
	for i := range ticks {
		ticks[i] = float64(i) * 0.02
	}
	for s := signal.SweepLinear; s <= signal.SweepHyperbolic; s++ {
		check(t, "chirp "+s.String(), signal.Chirp{F0: 2, T1: 1, F1: 9, Sweep: s, Phase: 30}.At(nd.From(ticks)), 1e-12)
		check(t, "chirp "+s.String()+" down", signal.Chirp{F0: 9, T1: 1, F1: 2, Sweep: s}.At(nd.From(ticks)), 1e-12)
	}
	angle := make([]float64, 60)
	for i := range angle {
		angle[i] = float64(i)*0.37 - 5
	}
	a := nd.From(angle)
	check(t, "square", signal.Square(a, 0.5), 0)
	check(t, "square duty", signal.Square(a, 0.3), 0)
	check(t, "sawtooth", signal.Sawtooth(a, 1), 1e-14)
	check(t, "sawtooth triangle", signal.Sawtooth(a, 0.5), 1e-14)
	for fact, got := range map[string]*nd.Array{
		"chirp: T1 0":               signal.Chirp{F0: 1, F1: 2}.At(a),
		"a logarithmic sweep wants": signal.Chirp{F0: -1, F1: 2, T1: 1, Sweep: signal.SweepLogarithmic}.At(a),
		"unknown sweep 9":           signal.Chirp{F0: 1, F1: 2, T1: 1, Sweep: 9}.At(a),
		"square: t is int32":        signal.Square(nd.Zeros(nd.Int32, 4), 0.5),
		"unknown colour 9":          signal.Noise(1, 9, nd.Float32, 8),
	} {
		if err := got.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
}

// TestNoise holds noise to its variance and to the slope of its spectrum.
func TestNoise(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for c := signal.White; c <= signal.Brown; c++ {
		x := signal.Noise(7, c, nd.Float64, 64, 1024)
		v := floats(t, x.Var())[0]
		if math.Abs(v-1) > 0.15 {
			t.Errorf("%s: variance %g", c, v)
		}
		p := floats(t, signal.Periodogram(x).Mean(0))
		slope := math.Log2(p[16]+p[17]+p[18]+p[19]) - math.Log2(p[256]+p[257]+p[258]+p[259])
		if want := 3.9 * float64(c); math.Abs(slope-want) > 0.7 {
			t.Errorf("%s: power falls by a factor of 2^%.2f over four octaves, want 2^%.2f", c, slope, want)
		}
	}
}
