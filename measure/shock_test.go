package measure_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

// shockGoldens is what testdata/make_shock_goldens.py wrote.
type shockGoldens struct {
	SRS, PVSS        struct{ Pos, Neg []float64 }
	Q50              []float64
	Cycles, Standard [][5]float64
}

func TestShockResponse(t *testing.T) {
	g := read[shockGoldens](t, "shock_goldens.json")
	x := noise(3000)
	for i := range x {
		x[i] += 50 * math.Sin(math.Pi*min(max((float64(i)/10000-0.05)/0.011, 0), 1))
	}
	s := measure.ShockResponse{FS: 10000, Frequencies: []float64{5, 12.5, 40, 90, 200, 450, 1000, 2300, 4100}}
	same := func(what string, got *nd.Array, want []float64) {
		t.Helper()
		v, err := nd.Slice[float64](t.Context(), got)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if math.Abs(v[len(v)-len(want)+i]-want[i]) > 1e-9*math.Abs(want[i]) {
				t.Errorf("%s: %g Hz: %.12g, want %.12g", what, s.Frequencies[i], v[len(v)-len(want)+i], want[i])
			}
		}
	}
	two := nd.From(append(make([]float64, len(x)), x...), 2, len(x))
	r, err := s.Apply(t.Context(), two)
	if err != nil {
		t.Fatal(err)
	}
	same("positive", r.Positive, g.SRS.Pos)
	same("negative", r.Negative, g.SRS.Neg)
	if still, err := nd.Item[float64](t.Context(), r.Maximax.At(0).Max()); err != nil || still != 0 {
		t.Errorf("silence has a response of %g, %v", still, err)
	}
	v := s
	v.PseudoVelocity = true
	if r, err = v.Apply(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	same("pseudo-velocity, positive", r.Positive, g.PVSS.Pos)
	same("pseudo-velocity, negative", r.Negative, g.PVSS.Neg)
	v = s
	v.Q = 50
	if r, err = v.Apply(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	same("maximax", r.Maximax, g.Q50)
	// A pulse that drives a strongly damped oscillator to one side: it does not swing to the other.
	one := measure.ShockResponse{FS: 1000, Frequencies: []float64{20}, Q: 0.5001, PseudoVelocity: true}
	if r, err = one.Apply(t.Context(), nd.From([]float64{1})); err != nil {
		t.Fatal(err)
	}
	for _, side := range []*nd.Array{r.Positive, r.Negative.Sub(r.Maximax)} {
		if v, err := nd.Item[float64](t.Context(), side); err != nil || v != 0 {
			t.Errorf("a response to one side: %g, %v", v, err)
		}
	}
	for _, bad := range []measure.ShockResponse{{}, {FS: 1}, {FS: 1, Frequencies: []float64{0.5}}, {FS: 1, Frequencies: []float64{math.NaN()}},
		{FS: 1, Frequencies: []float64{0.1}, Q: 0.5}, {FS: math.Inf(1), Frequencies: []float64{0.1}}} {
		if _, err := bad.Apply(t.Context(), two); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

func TestRainflow(t *testing.T) {
	g := read[shockGoldens](t, "shock_goldens.json")
	load, sum := noise(400), 0.0
	for i, v := range load {
		sum += v
		load[i] = math.RoundToEven(sum * 8)
	}
	for what, c := range map[string]struct {
		x    []float64
		want [][5]float64
	}{"noise": {load, g.Cycles}, "standard": {[]float64{-2, 1, -3, 5, -1, 3, -4, 4, -2}, g.Standard}} {
		got, err := measure.Rainflow(t.Context(), nd.From(c.x))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(c.want) {
			t.Fatalf("%s: %d cycles, want %d", what, len(got), len(c.want))
		}
		for i, w := range c.want {
			if y := got[i]; [3]float64{y.Range, y.Mean, y.Count} != [3]float64(w[:3]) || c.x[y.From] != c.x[int(w[3])] || c.x[y.To] != c.x[int(w[4])] {
				t.Errorf("%s: cycle %d is %+v, want %v", what, i, y, w)
			}
		}
	}
	for _, flat := range [][]float64{{1}, {2, 2, 2}} {
		if got, err := measure.Rainflow(t.Context(), nd.From(flat)); err != nil || len(got) > 1 || len(got) == 1 && got[0].Range != 0 {
			t.Errorf("%v: %v, %v", flat, got, err)
		}
	}
	for _, bad := range []*nd.Array{nd.From([]float64{1, math.NaN(), 2}), nd.Zeros(nd.Float64, 2, 3), nd.Zeros(nd.Int32, 3), nil} {
		if _, err := measure.Rainflow(t.Context(), bad); err == nil {
			t.Error("no error")
		}
	}
}
