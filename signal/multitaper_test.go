package signal_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// steep is the script's: noise summed twice.
func steep(lines, n int) *nd.Array {
	return waves(lines, n).SubScalar(0.35).CumSum(-1).CumSum(-1)
}

func TestMultitaper(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 200)
	m := signal.Multitaper{FS: 500}
	check(t, "multitaper", m.Apply(x).Array, 1e-12)
	check(t, "multitaper", signal.Multitaper{FS: 500, Axis: nd.Axis(0)}.Apply(x.Transpose()).Transpose(), 1e-12)
	check(t, "multitaper options", signal.Multitaper{NW: 2.5, Tapers: 3, NFFT: 301}.Apply(x).Array, 1e-12)
	check(t, "multitaper adaptive", signal.Multitaper{FS: 500, Adaptive: true}.Apply(steep(2, 201)).Array, 1e-9)
	c := nd.Complex(waves(90), waves(2, 90).At(1))
	check(t, "multitaper complex", signal.Multitaper{}.Apply(c).FFTShift().IFFTShift(), 1e-12)
	check(t, "multitaper csd", m.CSD(x.At(0), x.At(1)).Array, 1e-12)
	check(t, "multitaper coherence", m.Coherence(x.At(0), x.At(1)).Array, 1e-12)
	checkGradient(t, "multitaper", func(x *nd.Array) *nd.Array { return signal.Multitaper{NW: 2}.Apply(x).Array.PowScalar(2).Sum() }, waves(2, 30), 1e-6)
	if f := m.Apply(x).Frequencies; len(f) != 101 || f[1] != 2.5 {
		t.Errorf("frequencies %v", f)
	}
	for i, v := range floats(t, signal.Multitaper{Adaptive: true}.Apply(nd.Zeros(nd.Float64, 2, 64)).Array) {
		if v != 0 {
			t.Fatalf("silence has a power of %g in bin %d", v, i)
		}
	}
	half, err := nd.Slice[float32](t.Context(), signal.Multitaper{FS: 500, Adaptive: true}.Apply(steep(2, 201).Cast(nd.Float32)).Array)
	if err != nil {
		t.Fatal(err)
	}
	_, w := want(t, "multitaper adaptive")
	for i, v := range half {
		if e := math.Abs(float64(v)/real(w[i]) - 1); e > 2e-2 {
			t.Errorf("float32: bin %d is off by %g", i, e)
		}
	}
	for _, bad := range []*nd.Array{signal.Multitaper{NW: -1}.Apply(x).Array, signal.Multitaper{NW: 100}.Apply(x).Array,
		signal.Multitaper{NW: math.NaN()}.Apply(x).Array, signal.Multitaper{Tapers: -1}.Apply(x).Array, signal.Multitaper{Tapers: 201}.Apply(x).Array,
		signal.Multitaper{NFFT: 10}.Apply(x).Array, signal.Multitaper{FS: -1}.Apply(x).Array, m.CSD(x, x.At(0)).Array, m.Coherence(x, x.Cast(nd.Float32)).Array,
		signal.Multitaper{Detrend: 9}.Apply(x).Array, signal.Multitaper{}.Apply(x.Cast(nd.Int32)).Array} {
		if bad.Err() == nil {
			t.Error("no error")
		}
	}
}

func TestMorlet(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 600).SubScalar(0.35)
	some := func(y *nd.Array) *nd.Array { return y.SliceAxis(-1, nd.Range{Stop: nd.End, Step: 13}) }
	m := signal.Morlet{FS: 500, Frequencies: []float64{12, 20, 33.3, 70}}
	check(t, "morlet", some(m.Apply(x)), 1e-12)
	checkGradient(t, "morlet", func(x *nd.Array) *nd.Array { return m.Apply(x).AbsSquared().Sum() }, waves(40), 1e-6)
	e := m
	e.Energy = true
	check(t, "morlet energy", some(e.Apply(x)), 1e-12)
	m.Cycles, e.Cycles = []float64{3, 4, 2, 5}, []float64{3, 4, 2, 5}
	check(t, "morlet few", some(m.Apply(x)), 1e-12)
	check(t, "morlet energy few", some(e.Apply(x)), 1e-12)
	m.Cycles = []float64{4}
	check(t, "morlet complex", some(m.Apply(nd.Complex(x.At(0), x.At(1)).Reshape(1, 600))), 1e-12)
	checkShortMorlet(t)
	for _, bad := range []signal.Morlet{{}, {Frequencies: []float64{.1}, Cycles: []float64{0.05}}, {Frequencies: []float64{1e-12}}, {Frequencies: []float64{0}}, {Frequencies: []float64{0.6}}, {Frequencies: []float64{math.NaN()}}, {FS: -1, Frequencies: []float64{1}},
		{Frequencies: []float64{.1}, Cycles: []float64{0}}, {Frequencies: []float64{.1, .2, .3}, Cycles: []float64{4, 5}}, {Frequencies: []float64{.1}, Cycles: []float64{math.Inf(1)}}} {
		if bad.Apply(x).Err() == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

// checkShortMorlet compares transforms of lines that are shorter than their wavelets with the sum over samples.
func checkShortMorlet(t *testing.T) {
	t.Helper()
	m := signal.Morlet{FS: 100, Frequencies: []float64{1, 2.5, 9, 20}, Cycles: []float64{7, 3, 12, 8}}
	for _, n := range []int{1, 2, 17, 60} {
		x := floats(t, waves(n))
		re, im := m.Apply(waves(n)).Real(), m.Apply(waves(n)).Imag()
		got := [2][]float64{floats(t, re), floats(t, im)}
		for i, f := range m.Frequencies {
			c := m.Cycles[i]
			deviation := c / (2 * math.Pi * f)
			scale := 2 / (deviation * math.Sqrt(2*math.Pi) * m.FS * (1 - math.Exp(-c*c)))
			for at := range n {
				want := complex(0, 0)
				for j, v := range x {
					s := float64(at-j) / m.FS
					sin, cos := math.Sincos(2 * math.Pi * f * s)
					size := scale * v * math.Exp(-s*s/(2*deviation*deviation))
					want += complex(size*(cos-math.Exp(-c*c/2)), size*sin)
				}
				if k := i*n + at; math.Abs(got[0][k]-real(want)) > 1e-11 || math.Abs(got[1][k]-imag(want)) > 1e-11 {
					t.Fatalf("sample %d of %d at %g Hz: %g%+gi, want %g", at, n, f, got[0][k], got[1][k], want)
				}
			}
		}
	}
	// Narrow wavelets keep the digits of float32.
	long, x := signal.Morlet{Frequencies: []float64{.11234, .2345}, Cycles: []float64{10000}}, waves(5000).SubScalar(0.35)
	exact := long.Apply(x)
	off := long.Apply(x.Cast(nd.Float32)).Cast(nd.Complex128).Sub(exact).Abs().Max()
	if e := floats(t, off.Div(exact.Abs().Max()))[0]; e > 1e-5 {
		t.Errorf("float32 is off by %g", e)
	}
}
