package measure_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

// The multiples of the shaft's speed that SKF publishes for a 6205-2RS, as the Case Western
// Reserve University's bearing data center lists them.
func TestBearing(t *testing.T) {
	f, err := measure.Bearing{Elements: 9, Diameter: 0.3126, Pitch: 1.537}.Faults(60)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string][2]float64{"shaft": {f.Shaft, 1}, "cage": {f.Cage, 0.39828}, "spin": {2 * f.Spin, 4.7135}, "outer": {f.Outer, 3.5848}, "inner": {f.Inner, 5.4152}} {
		if math.Abs(c[0]-c[1]) > 1e-4*c[1] {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
	for _, b := range []measure.Bearing{{}, {Elements: 9, Diameter: 2, Pitch: 1}, {Elements: 9, Diameter: 1, Pitch: math.NaN()}, {Elements: 9, Diameter: 1, Pitch: 4, Angle: 90}, {Diameter: 1, Pitch: 4}} {
		if _, err := b.Faults(60); err == nil {
			t.Errorf("%+v: no error", b)
		}
	}
	if _, err := (measure.Bearing{Elements: 9, Diameter: 1, Pitch: 4}).Faults(0); err == nil {
		t.Error("no speed: no error")
	}
}

// Shocks that ring at 3 kHz in noise are found there, and their rate in the envelope.
func TestKurtogram(t *testing.T) {
	const n, fs = 100000, 20000
	x := noise(2 * n)
	for i := range n {
		at := math.Mod(float64(i)/fs, 0.02)
		x[n+i] = x[n+i] + math.Exp(-at*800)*math.Sin(2*math.Pi*3000*at)
	}
	r, err := measure.Kurtogram{FS: fs}.Apply(t.Context(), nd.From(x, 2, n)) // in the second line
	if err != nil || r.Kurtosis < 2 || r.Band[0] > 3000 || r.Band[1] < 3000 {
		t.Fatalf("%+v, %v", r, err)
	}
	l, err := measure.EnvelopeSpectrum{FS: fs, Band: r.Band, NPerSeg: 8192}.Apply(nd.From(x[n:]))
	if err != nil {
		t.Fatal(err)
	}
	best, a := 0, slice(t, l.Amplitude)
	for k, v := range a {
		if v > a[best] {
			best = k
		}
	}
	if math.Abs(l.Frequencies[best]-50) > 3 {
		t.Errorf("the envelope's line is at %v Hz", l.Frequencies[best])
	}
	for _, k := range []measure.Kurtogram{{}, {FS: 1, Shortest: 12}, {FS: 1, Shortest: 512, Longest: 64}, {FS: math.Inf(1)}} {
		if _, err := k.Apply(t.Context(), nd.From(x)); err == nil {
			t.Errorf("%+v: no error", k)
		}
	}
	for _, y := range []*nd.Array{nd.From(x[:500]), nd.Zeros(nd.Float64, 5000), nd.Full(math.NaN(), nd.Float64, 5000)} {
		if _, err := (measure.Kurtogram{FS: 1}).Apply(t.Context(), y); err == nil {
			t.Error("nothing to find: no error")
		}
	}
}

// Samples near the largest numbers are as good as others.
func TestHugeSamples(t *testing.T) {
	const fs = 8000
	x, music := make([]float64, fs), noise(8*fs)
	for i := range x {
		x[i] = math.Copysign(1, math.Sin(2*math.Pi*10*float64(i)/fs))
	}
	for i := range music {
		music[i] *= math.Exp(-math.Mod(float64(i)/fs, 0.5) * 20)
	}
	pulses, err := measure.Tacho{FS: fs}.Pulses(t.Context(), nd.From(x))
	if err != nil {
		t.Fatal(err)
	}
	beats, err := measure.Beats{FS: fs}.Apply(t.Context(), nd.From(music))
	if err != nil {
		t.Fatal(err)
	}
	for _, huge := range []float64{0x1p1023, 0x1p700} {
		got, err := measure.Tacho{FS: fs}.Pulses(t.Context(), nd.From(x).MulScalar(huge))
		if err != nil || len(got) != len(pulses) || got[3] != pulses[3] {
			t.Errorf("%g: %d pulses, %v, want %d", huge, len(got), err, len(pulses))
		}
		loud, err := measure.Beats{FS: fs}.Apply(t.Context(), nd.From(music).MulScalar(huge))
		if err != nil || loud.Tempo != beats.Tempo || len(loud.Times) != len(beats.Times) {
			t.Errorf("%g: %+v, %v, want %+v", huge, loud, err, beats)
		}
	}
	got, err := measure.Tacho{FS: fs, Low: -0x1p1022, High: 0x1p1022, Falling: true}.Pulses(t.Context(), nd.From(x).MulScalar(0x1p1023))
	if err != nil || len(got) != len(pulses)+1 { // x begins high
		t.Errorf("falling: %d pulses, %v", len(got), err)
	}
}
