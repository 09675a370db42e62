package measure_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

type pitchGoldens struct {
	F0, Early   []*float64
	Voiced      []bool
	Probability []float64
	Cepstrum    []float64
}

// Pitches, where there are any, and how sure they are, are librosa's.
func TestPYIN(t *testing.T) {
	want := read[pitchGoldens](t, "pitch_goldens.json")
	const n, fs = 16000, 16000.0
	x := noise(n)
	phase := 0.0
	for i := range x {
		x[i] *= 0.01
		phase += 2 * math.Pi * (110 + 220*float64(i)/(n-1)) / fs
		for k := 1; k <= 5 && i >= n/4 && i < 3*n/4; k++ {
			x[i] += math.Sin(float64(k)*phase) / float64(k)
		}
	}
	p, err := measure.PYIN{FS: fs, FMin: 80, FMax: 600, Frame: 1024, Hop: 256}.Apply(t.Context(), nd.From(x))
	if err != nil {
		t.Fatal(err)
	}
	f0, err := nd.Slice[float64](t.Context(), p.Frequency)
	if err != nil {
		t.Fatal(err)
	}
	voiced, err := nd.Slice[bool](t.Context(), p.Voiced)
	if err != nil {
		t.Fatal(err)
	}
	chance, err := nd.Slice[float64](t.Context(), p.Probability)
	if err != nil {
		t.Fatal(err)
	}
	if len(f0) != len(want.F0) {
		t.Fatalf("%d frames, want %d", len(f0), len(want.F0))
	}
	heard := 0
	for i := range f0 {
		if voiced[i] != want.Voiced[i] || math.IsNaN(f0[i]) == voiced[i] {
			t.Errorf("frame %d: voiced %t, want %t", i, voiced[i], want.Voiced[i])
			continue
		}
		if voiced[i] {
			heard++
			if math.Abs(f0[i]/(*want.F0[i])-1) > 1e-9 {
				t.Errorf("frame %d: %g Hz, want %g", i, f0[i], *want.F0[i])
			}
		}
		if math.Abs(chance[i]-want.Probability[i]) > 1e-4 {
			t.Errorf("frame %d: probability %g, want %g", i, chance[i], want.Probability[i])
		}
	}
	if heard < 20 {
		t.Errorf("%d frames have a pitch", heard)
	}
	// A voice that is there from the first sample on has a pitch from the first frame on.
	if p, err = (measure.PYIN{FS: fs, FMin: 80, FMax: 600, Frame: 1024, Hop: 256}).Apply(t.Context(), nd.From(x[4096:12000])); err != nil {
		t.Fatal(err)
	}
	if f0, err = nd.Slice[float64](t.Context(), p.Frequency); err != nil || len(f0) != len(want.Early) {
		t.Fatalf("%d frames, want %d: %v", len(f0), len(want.Early), err)
	}
	for i, f := range want.Early {
		if f == nil != math.IsNaN(f0[i]) || f != nil && math.Abs(f0[i]/(*f)-1) > 1e-9 {
			t.Errorf("early: frame %d: %g Hz, want %v", i, f0[i], f)
		}
	}
	for _, bad := range []measure.PYIN{{}, {FS: fs, FMin: -1}, {FS: fs, Resolution: 2}, {FS: fs, Switch: 1}, {FS: fs, MaxRate: math.Inf(1)}, {FS: fs, Resolution: 1e-9}} {
		if _, err := bad.Apply(t.Context(), nd.From(x)); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

func TestCepstrum(t *testing.T) {
	want := read[pitchGoldens](t, "pitch_goldens.json").Cepstrum
	x := noise(512)
	y := append([]float64(nil), x...)
	for i := 37; i < len(x); i++ {
		y[i] += 0.5 * x[i-37]
	}
	got, err := nd.Slice[float64](t.Context(), measure.Cepstrum(nd.From(y)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Fatalf("quefrency %d: %g, want %g", i, got[i], want[i])
		}
	}
	if measure.Cepstrum(nd.From([]float64{1})).Err() == nil || measure.Cepstrum(nil).Err() == nil {
		t.Error("no error")
	}
}
