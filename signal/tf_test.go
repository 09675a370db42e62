package signal_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"runtime"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Filters of every kind lose no more digits than one that goes from sample to
// sample in float64, however near to 1 their poles are: against 60 digits. The
// state of float32 samples is float64, too.
func TestFilterKeepsItsDigits(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const keep = 100
	x := wave(4000)
	for i := 0; ; i++ {
		all, err := goldens()
		if err != nil {
			t.Fatal(err)
		}
		g, ok := all[fmt.Sprintf("design %d sos", i)]
		if !ok {
			if i < 17 {
				t.Fatalf("%d designs", i)
			}
			break
		}
		var sos signal.SOS
		for s := range slices.Chunk(g.Values, 6) {
			sos = append(sos, [6]float64(s))
		}
		exact := all[fmt.Sprintf("design %d exact", i)].Values
		plain := slices.Clone(x)
		for _, c := range sos {
			u, v := 0.0, 0.0
			for t, in := range plain {
				out := c[0]*in + u
				u, v = c[1]*in-c[4]*out+v, c[2]*in-c[5]*out
				plain[t] = out
			}
		}
		top := 0.0
		for _, v := range exact {
			top = max(top, math.Abs(v))
		}
		worst := func(y []float64) (e float64) {
			for k, v := range exact {
				e = max(e, math.Abs(y[(k+1)*keep-1]-v))
			}
			return e / top
		}
		single := make([]float32, len(x))
		for k, v := range x {
			single[k] = float32(v)
		}
		limit := 10*worst(plain) + 1e-15
		if got := worst(floats(t, sos.Filter(nd.From(x)))); got > limit {
			t.Errorf("design %d: float64 is off by %.2g, one after another by %.2g", i, got, worst(plain))
		}
		// float32 samples are an input that is off by 2^-24.
		rounded := make([]float64, len(x))
		for k, v := range single {
			rounded[k] = float64(v)
		}
		want := floats(t, sos.Filter(nd.From(rounded)))
		for k, v := range floats(t, sos.Filter(nd.From(single)).Cast(nd.Float64)) {
			if math.Abs(v-want[k]) > 1e-7*math.Abs(want[k])+1e-30 {
				t.Errorf("design %d: sample %d of float32 is %g, want %g", i, k, v, want[k])
				break
			}
		}
	}
}

// What failed: 1 Hz at 48 kHz, float32 off by 2.8 and float64 by 5.6e-6.
func TestSlowFiltFilt(t *testing.T) {
	testdevice.NeedsFloat64(t)
	sos, err := signal.IIR{Order: 2, Cutoff: [2]float64{1}, FS: 48000}.SOS()
	if err != nil {
		t.Fatal(err)
	}
	for _, dtype := range []nd.DType{nd.Float32, nd.Float64} {
		for i, v := range floats(t, sos.FiltFilt(nd.Ones(dtype, 48000)).Cast(nd.Float64)) {
			if math.Abs(v-1) > 1e-6 {
				t.Errorf("%v: sample %d is %g, want 1", dtype, i, v)
				break
			}
		}
	}
}

func lowpass(t *testing.T) signal.TF {
	f, err := signal.IIR{Order: 3, Cutoff: [2]float64{0.3}}.TF()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLFilter(t *testing.T) {
	testdevice.NeedsFloat64(t)
	f, x, z := lowpass(t), waves(3, 50), swirls(2, 40)
	check(t, "lfilter", f.Filter(x), 1e-13)
	scaled := signal.TF{B: slices.Clone(f.B), A: slices.Clone(f.A)}
	for i := range f.B {
		scaled.B[i], scaled.A[i] = 2*f.B[i], 4*f.A[i]
	}
	check(t, "lfilter scaled", scaled.Filter(x), 1e-13)
	check(t, "lfilter axis 0", f.Filter(x, nd.Axis(0)), 1e-13)
	check(t, "lfilter complex", f.Filter(z), 1e-13)
	check(t, "lfilter fir", signal.TF{B: []float64{0.5, 0.25, 0.125}, A: []float64{2}}.Filter(x), 1e-13)
	check(t, "lfilter gain", signal.TF{B: []float64{3}, A: []float64{2}}.Filter(x), 1e-13)
	check(t, "lfilter longer b", signal.TF{B: []float64{1, 2, 3, 4, 5}, A: []float64{1, -0.5}}.Filter(x), 1e-13)
	steady, err := f.Steady()
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "lfilter_zi", steady, 1e-13)
	longer, err := signal.TF{B: []float64{1, 2, 3, 4, 5}, A: []float64{1, -0.5}}.Steady()
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "lfilter_zi longer b", longer, 1e-13)
	y, end := f.FilterFrom(x, nd.From([]float64{1, 2, 3}, 3, 1).Mul(nd.From(steady)))
	check(t, "lfilter from", y, 1e-13)
	check(t, "lfilter end", end, 1e-13)
	for name, e := range map[string]signal.Extension{"odd": 0, "even": signal.ExtendReflect, "constant": signal.ExtendEdge} {
		check(t, "filtfilt "+name, f.FiltFilt(x, signal.FiltFilt{Extension: e}), 1e-12)
	}
	check(t, "filtfilt none", f.FiltFilt(x, signal.FiltFilt{PadLen: signal.None}), 1e-12)
	check(t, "filtfilt padlen", f.FiltFilt(x, signal.FiltFilt{PadLen: 7}), 1e-12)
	check(t, "filtfilt complex", f.FiltFilt(z), 1e-12)
	check(t, "sosfilt complex", testSOS(t).Filter(z), 1e-12)
	check(t, "sosfiltfilt even", testSOS(t).FiltFilt(waves(3, 80), signal.FiltFilt{Extension: signal.ExtendReflect}), 1e-12)
}

// TestGustafssonOfLongLines: what is kept for the states of a filter is as long as they matter, and
// not as the line.
func TestGustafssonOfLongLines(t *testing.T) {
	testdevice.NotOnGPU(t, "the memory is the host's")
	f, err := signal.IIR{Order: 6, Cutoff: [2]float64{0.3}}.TF()
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 18
	x := nd.Normal(nd.Key(2), nd.Float64, n)
	if err := nd.Eval(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	y := f.FiltFilt(x, signal.FiltFilt{Gustafsson: true})
	if err := nd.Eval(t.Context(), y); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if lines := float64(after.TotalAlloc-before.TotalAlloc) / (8 * n); lines > 30 {
		t.Errorf("%.0f times the line was allocated", lines)
	}
	known := f.FiltFilt(x, signal.FiltFilt{Gustafsson: true, ImpulseLen: 2000})
	if off := floats(t, y.Sub(known).Abs().Max())[0]; off > 1e-9 {
		t.Errorf("a known length of the impulse response makes a difference of %g", off)
	}
}

func TestGustafsson(t *testing.T) {
	testdevice.NeedsFloat64(t)
	f, err := signal.IIR{Order: 3, Cutoff: [2]float64{0.3}}.TF()
	if err != nil {
		t.Fatal(err)
	}
	g := signal.FiltFilt{Gustafsson: true}
	check(t, "filtfilt gust", f.FiltFilt(waves(3, 50), g), 1e-12)
	g1 := signal.FiltFilt{Gustafsson: true, ImpulseLen: 1}
	long, err := signal.IIR{Order: 6, Cutoff: [2]float64{0.3}}.TF()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 3, 5} { // fewer samples than states, too
		check(t, fmt.Sprintf("filtfilt gust %d", n), f.FiltFilt(waves(2, n), g), 1e-10)
		check(t, fmt.Sprintf("filtfilt gust irlen %d", n), long.FiltFilt(waves(2, n), g1), 1e-10)
	}
	check(t, "filtfilt gust axis 0", f.FiltFilt(waves(50, 3), signal.FiltFilt{Gustafsson: true, Axis: nd.Axis(0)}), 1e-12)
	check(t, "filtfilt gust irlen", f.FiltFilt(waves(3, 200), signal.FiltFilt{Gustafsson: true, ImpulseLen: 40}), 1e-12)
	check(t, "filtfilt gust gain", signal.TF{B: []float64{3}, A: []float64{2}}.FiltFilt(waves(2, 9), g), 1e-14)
	check(t, "filtfilt gust fir", signal.TF{B: []float64{1, 0.5, 0.25}}.FiltFilt(waves(2, 30), g), 1e-12)
	e, err := signal.IIR{Family: signal.Elliptic, Order: 4, Ripple: 0.1, Attenuation: 60, Cutoff: [2]float64{0.125}}.TF()
	if err != nil {
		t.Fatal(err)
	}
	check(t, "filtfilt gust elliptic", e.FiltFilt(waves(300), g), 1e-11)
	for _, bad := range []signal.FiltFilt{{Gustafsson: true, ImpulseLen: -1}, {Gustafsson: true, PadLen: 3}} {
		if f.FiltFilt(waves(30), bad).Err() == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
	if testSOS(t).FiltFilt(waves(30), g).Err() == nil {
		t.Error("sections were accepted")
	}
}

func TestComb(t *testing.T) {
	for _, c := range []signal.Comb{{}, {Keep: true}, {PassZero: true}, {Keep: true, PassZero: true}} {
		c.Frequency, c.Quality, c.FS = 125, 30, 1000
		f, err := c.TF()
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("iircomb %s %s", map[bool]string{false: "notch", true: "peak"}[c.Keep], map[bool]string{false: "False", true: "True"}[c.PassZero])
		checkFloats(t, name+" b", f.B, 1e-14)
		checkFloats(t, name+" a", f.A, 1e-14)
	}
	for _, bad := range []signal.Comb{{}, {Frequency: 130, Quality: 30, FS: 1000}, {Frequency: 125, FS: 1000}, {Frequency: 600, Quality: 30, FS: 1000}} {
		if _, err := bad.TF(); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}

func TestComplexTF(t *testing.T) {
	testdevice.NeedsFloat64(t)
	f := signal.ComplexTF{B: []complex128{1 + 1i, 0.5, -0.25i}, A: []complex128{2, -0.5 + 0.5i, 0.25, 0.1i}}
	x := swirls(3, 30)
	check(t, "lfilter complex b a", f.Filter(waves(3, 30)), 1e-13)
	check(t, "lfilter complex all", f.Filter(x), 1e-13)
	check(t, "lfilter complex axis 0", f.Filter(swirls(7, 3), nd.Axis(0)), 1e-13)
	check(t, "lfilter complex fir", signal.ComplexTF{B: f.B}.Filter(waves(3, 30)), 1e-13)
	check(t, "lfilter complex gain", signal.ComplexTF{B: []complex128{1i}, A: []complex128{2}}.Filter(waves(3, 30)), 1e-13)
	y, end := f.FilterFrom(x, swirls(3, 3))
	check(t, "lfilter complex from", y, 1e-13)
	check(t, "lfilter complex end", end, 1e-13)
	var w []float64
	for i := range 25 {
		w = append(w, 0.05+2.95*float64(i)/24)
	}
	check(t, "freqz complex", nd.From(f.Response(w)), 1e-13)
	steady, err := f.Steady()
	if err != nil {
		t.Fatal(err)
	}
	check(t, "lfilter_zi complex", nd.From(steady), 1e-13)
	check(t, "filtfilt complex b a", f.FiltFilt(x), 1e-12)
	// With real coefficients it is a TF, and so is its gradient.
	real := signal.TF{B: []float64{1, 0.5, -0.25}, A: []float64{2, -0.5, 0.25, 0.1}}
	energy := func(y *nd.Array) *nd.Array { return y.Mul(swirls(3, 30)).Abs().Sum() }
	a, b := nd.Grad(energy(real.Filter(x)), x)[0], nd.Grad(energy(real.Complex().Filter(x)), x)[0]
	for _, part := range []func(*nd.Array) *nd.Array{(*nd.Array).Real, (*nd.Array).Imag} {
		if !near(floats(t, part(a)), floats(t, part(b)), 1e-12) {
			t.Error("gradients with real and complex coefficients differ")
		}
	}
	for _, bad := range []signal.ComplexTF{{}, {B: []complex128{1}, A: []complex128{0, 1}}, {B: []complex128{cmplx.NaN()}}} {
		if bad.Filter(x).Err() == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}

func sorted(z []complex128) []complex128 {
	z = slices.Clone(z)
	slices.SortFunc(z, func(a, b complex128) int {
		if d := real(a) - real(b); math.Abs(d) > 1e-9 {
			return cmp.Compare(d, 0)
		}
		return cmp.Compare(imag(a), imag(b))
	})
	return z
}

func TestFilterForms(t *testing.T) {
	f := signal.TF{B: []float64{0.2, 0.3, 0.1, 0.05}, A: []float64{1, -0.4, 0.3, -0.1}}
	z, err := f.ZPK()
	if err != nil {
		t.Fatal(err)
	}
	_, zeros := want(t, "tf2zpk z")
	_, poles := want(t, "tf2zpk p")
	compare(t, "tf2zpk z", sorted(z.Z), zeros, 1e-13)
	compare(t, "tf2zpk p", sorted(z.P), poles, 1e-13)
	checkFloats(t, "tf2zpk k", []float64{z.K}, 1e-15)
	flat := func(s signal.SOS, err error) []float64 {
		if err != nil {
			t.Fatal(err)
		}
		var v []float64
		for _, c := range s {
			v = append(v, c[:]...)
		}
		return v
	}
	checkFloats(t, "tf2sos", flat(f.SOS()), 1e-13)
	back, err := testSOS(t).TF()
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "sos2tf b", back.B, 1e-12)
	checkFloats(t, "sos2tf a", back.A, 1e-12)
	both, err := testSOS(t).ZPK()
	if err != nil {
		t.Fatal(err)
	}
	again, err := both.SOS()
	if err != nil {
		t.Fatal(err)
	}
	w := []float64{0, 0.3, 1, 2, 3}
	compare(t, "sos to zpk to sos", again.Response(w), testSOS(t).Response(w), 1e-10)
	tf := signal.ZPK{Z: []complex128{1i, -1i, -1}, P: []complex128{0.5 + 0.2i, 0.5 - 0.2i, 0.1}, K: 0.7}.TF()
	checkFloats(t, "zpk2tf b", tf.B, 1e-14)
	checkFloats(t, "zpk2tf a", tf.A, 1e-14)
	grid := make([]float64, 25)
	for i := range grid {
		grid[i] = 0.05 + 2.95*float64(i)/24
	}
	_, h := want(t, "freqz tf")
	compare(t, "freqz tf", f.Response(grid), h, 1e-13)
	if _, err := (signal.ZPK{Z: []complex128{1i}}).SOS(); err == nil {
		t.Error("a zero without its conjugate was accepted")
	}
}

func TestBesselAndAnalog(t *testing.T) {
	for _, norm := range []signal.BesselNorm{signal.BesselPhase, signal.BesselDelay, signal.BesselMagnitude} {
		for _, n := range []int{1, 2, 5, 10, 20} {
			a, err := signal.IIR{Family: signal.Bessel, Order: n, Cutoff: [2]float64{1}, Norm: norm, Analog: true}.ZPK()
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("bessel %s %d", norm, n)
			_, p := want(t, name)
			compare(t, name, sorted(a.P), p, 1e-13)
		}
	}
	tf, err := signal.IIR{Family: signal.Chebyshev1, Order: 4, Ripple: 1, Band: signal.Bandpass, Cutoff: [2]float64{2, 5}, Analog: true}.TF()
	if err != nil {
		t.Fatal(err)
	}
	checkFloats(t, "analog b", tf.B[len(tf.B)-5:], 1e-12)
	checkFloats(t, "analog a", tf.A, 1e-12)
}

// The gradient of a filter is the filter backwards, and its state's is exact.
func TestFilterGradient(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for name, f := range map[string]signal.TF{"iir": lowpass(t), "fir": {B: []float64{1, -2, 0.5, 3}, A: []float64{2}}} {
		t.Run(name, func(t *testing.T) { filterGradient(t, f) })
	}
}

func filterGradient(t *testing.T, f signal.TF) {
	x, state, w := waves(2, 30), waves(2, 3), waves(2, 30).Flip(-1)
	loss := func(x, state *nd.Array) *nd.Array {
		y, end := f.FilterFrom(x, state)
		return y.Mul(w).Sum().Add(end.Mul(waves(2, 3)).Sum())
	}
	g := nd.Grad(loss(x, state), x, state)
	const h = 1e-3
	for k, p := range []*nd.Array{x, state} {
		grads := floats(t, g[k])
		for _, i := range []int{0, 2, 5} {
			bump := make([]float64, p.Len())
			bump[i] = h
			d := nd.From(bump, p.Shape()...)
			up, down := loss(x.Add(d), state), loss(x.Sub(d), state)
			if k == 1 {
				up, down = loss(x, state.Add(d)), loss(x, state.Sub(d))
			}
			v, err := nd.Slice[float64](context.Background(), up.Sub(down).DivScalar(2*h))
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(v[0]-grads[i]) > 1e-9 {
				t.Errorf("gradient %d, element %d is %g, want %g", k, i, grads[i], v[0])
			}
		}
	}
}

// A batch without lines has no outputs, with feedback or without.
func TestFilterNoLines(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for name, f := range map[string]signal.TF{"iir": lowpass(t), "fir": {B: []float64{1, -2, 0.5, 3}}} {
		y, end := f.FilterFrom(nd.Zeros(nd.Float64, 0, 5), nil)
		for _, a := range []*nd.Array{y, end, f.FiltFilt(nd.Zeros(nd.Float64, 0, 50))} {
			if v, err := nd.Slice[float64](t.Context(), a); err != nil || len(v) != 0 || a.Dim(0) != 0 {
				t.Errorf("%s: %v of shape %v, %v", name, v, a.Shape(), err)
			}
		}
	}
}

// A signal in parts has the bits of one piece, however many lines there are.
func TestFilterInParts(t *testing.T) {
	testdevice.NeedsFloat64(t)
	sos, err := signal.IIR{Order: 7, Cutoff: [2]float64{0.1}}.SOS()
	if err != nil {
		t.Fatal(err)
	}
	tf, err := sos.TF()
	if err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]func(x, state *nd.Array) (y, end *nd.Array){
		"sections": sos.FilterFrom, "polynomials": tf.FilterFrom, "taps": signal.TF{B: wave(37)}.FilterFrom, "many taps": signal.TF{B: wave(1100)}.FilterFrom,
	} {
		for _, lines := range []int{1, 3, 9} {
			for _, n := range []int{30, 3000} {
				x := nd.Normal(3, nd.Float64, lines, n)
				whole, end := from(x, nil)
				for _, cut := range []int{1, 3, 17, n - 1} {
					a, state := from(x.SliceAxis(-1, nd.Head(cut)), nil)
					b, state := from(x.SliceAxis(-1, nd.Skip(cut)), state)
					got, want := nd.Concat(-1, a, b).Flatten(), whole.Flatten()
					if err := (nd.Close{Exactly: true}).Check(t.Context(), nd.Concat(0, got, state.Flatten()), nd.Concat(0, want, end.Flatten())); err != nil {
						t.Errorf("%s, %d lines of %d samples, cut at %d: %v", name, lines, n, cut, err)
					}
				}
			}
		}
	}
}

// A filter of taps is a convolution, from group to group of outputs, in parts and from a
// state; and what is not a number is gone when the last tap has passed it.
func TestFilterOfTaps(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, taps := range []int{2, 101, 1500, 3000} {
		b := floats(t, nd.Normal(7, nd.Float64, taps))
		f := signal.TF{B: b}
		for _, n := range []int{1, 40, 2500} {
			x := nd.Normal(nd.Key(n), nd.Float64, 2, n)
			state := nd.Normal(5, nd.Float64, 2, taps-1)
			whole := signal.Convolve{Method: signal.DirectMethod, Axes: []int{-1}}.Apply(x, nd.From(b, 1, taps)).
				Add(state.PadAxis(-1, nd.Margin{After: n}, nd.Pad{}))
			y, end := f.FilterFrom(x, state)
			if err := (nd.Close{Abs: 1e-11}).Check(context.Background(), nd.Concat(-1, y, end), whole); err != nil {
				t.Errorf("%d taps, %d samples: %v", taps, n, err)
			}
			single := f.Apply(x.Cast(nd.Float32).Cast(nd.Float64)).Cast(nd.Float32)
			if err := (nd.Close{Exactly: true}).Check(context.Background(), f.Apply(x.Cast(nd.Float32)), single); err != nil {
				t.Errorf("float32, %d taps, %d samples: %v", taps, n, err)
			}
		}
	}
	x := make([]float64, 50)
	x[20] = math.NaN()
	for i, v := range floats(t, signal.TF{B: []float64{1, 2, 1}}.Apply(nd.From(x))) {
		if want := i >= 20 && i < 23; math.IsNaN(v) != want {
			t.Errorf("output %d is %g behind a NaN at 20 and three taps", i, v)
		}
	}
}
