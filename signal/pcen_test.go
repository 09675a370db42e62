package signal_test

import (
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestPCEN(t *testing.T) {
	testdevice.NeedsFloat64(t)
	s := waves(2, 9, 40).Abs().MulScalar(1e3)
	check(t, "pcen", signal.PCEN{}.Apply(s), 1e-12)
	check(t, "pcen max", signal.PCEN{MaxBands: 3, Gain: 0.8, Bias: 10, Power: 0.25, TimeConstant: 0.06, Hop: 256, Eps: 1e-3}.Apply(s), 1e-12)
	check(t, "pcen max even", signal.PCEN{MaxBands: 4}.Apply(s), 1e-12)
	check(t, "pcen log", signal.PCEN{Power: signal.Zero, B: 0.2}.Apply(s), 1e-12)
	check(t, "pcen no bias", signal.PCEN{Bias: signal.Zero, Gain: 1}.Apply(s), 1e-12)
	// In parts as in one piece.
	var p signal.PCEN
	whole, end := p.ApplyFrom(s, nil)
	check(t, "pcen end", end, 1e-12)
	first, state := p.ApplyFrom(s.SliceAxis(-1, nd.Head(25)), nil)
	second, state := p.ApplyFrom(s.SliceAxis(-1, nd.Skip(25)), state)
	check(t, "pcen from", second, 1e-12)
	for name, d := range map[string]*nd.Array{"parts": nd.Concat(-1, first, second).Sub(whole), "state": state.Sub(end)} {
		for i, v := range floats(t, d.Flatten()) {
			if v != 0 {
				t.Fatalf("%s: element %d is off by %g", name, i, v)
			}
		}
	}
	// A window wider than all bands takes the greatest of all, and float32 stays float32.
	wide, all := signal.PCEN{MaxBands: 100}.Apply(s), signal.PCEN{MaxBands: 18}.Apply(s)
	if !near(floats(t, wide.Flatten()), floats(t, all.Flatten()), 0) {
		t.Error("a window wider than all bands is not that of all bands")
	}
	if y := p.Apply(s.Cast(nd.Float32)); y.DType() != nd.Float32 {
		t.Errorf("%v of float32", y.DType())
	}
	for _, bad := range []signal.PCEN{{FS: -1}, {Hop: -1}, {Gain: -1}, {Bias: math.NaN()}, {Power: math.Inf(1)}, {TimeConstant: -1}, {B: 2}, {Eps: -1}, {MaxBands: -1}} {
		if y := bad.Apply(s); y.Err() == nil || !strings.Contains(y.Err().Error(), "signal: pcen: ") {
			t.Errorf("%+v: %v", bad, y.Err())
		}
	}
	if y, _ := p.ApplyFrom(s, nd.Zeros(nd.Float64, 5)); y.Err() == nil {
		t.Error("a state of another shape is no error")
	}
}

func TestPCENGradient(t *testing.T) {
	testdevice.NeedsFloat64(t)
	s := waves(2, 5, 12).Abs().AddScalar(0.1)
	for name, p := range map[string]signal.PCEN{"default": {}, "max": {MaxBands: 3}, "log": {Power: signal.Zero}, "no bias": {Bias: signal.Zero}} {
		checkGradient(t, name, func(s *nd.Array) *nd.Array { return p.Apply(s).Mul(waves(2, 5, 12)).Sum() }, s, 1e-6)
	}
}

// checkGradient compares the gradient of a scalar with differences, at some elements.
func checkGradient(t *testing.T, name string, f func(*nd.Array) *nd.Array, x *nd.Array, tolerance float64) {
	t.Helper()
	got := floats(t, nd.Grad(f(x), x)[0].Flatten())
	for i := 0; i < x.Len(); i += 7 {
		const h = 1e-5
		at := make([]float64, x.Len())
		at[i] = h
		step := nd.From(at, x.Shape()...)
		up, down := floats(t, f(x.Add(step)).Reshape(1)), floats(t, f(x.Sub(step)).Reshape(1))
		if want := (up[0] - down[0]) / (2 * h); math.Abs(got[i]-want) > tolerance*(1+math.Abs(want)) {
			t.Errorf("%s: the gradient of element %d is %g, want %g", name, i, got[i], want)
		}
	}
}
