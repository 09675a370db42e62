package measure_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestTuning(t *testing.T) {
	testdevice.NeedsFloat64(t)
	want := read[struct {
		Cents, Tuning, Fine, Frequencies, Of []float64
		Silence                              float64
	}](t, "tuning_goldens.json")
	const fs, n = 22050, 22050
	for i, cents := range want.Cents {
		x := make([]float64, n)
		for _, note := range []float64{57, 61, 64} {
			f := 440 * math.Pow(2, (note-69+cents/100)/12)
			for k := 1.0; k < 6; k++ {
				for j := range x {
					x[j] += math.Sin(2*math.Pi*k*f*(float64(j)/fs)) / k
				}
			}
		}
		for _, c := range []struct {
			opt  measure.Tuning
			want float64
		}{{measure.Tuning{FS: fs}, want.Tuning[i]}, {measure.Tuning{FS: fs, NFFT: 4096, Resolution: 0.001, PerOctave: 36}, want.Fine[i]}} {
			got, err := c.opt.Apply(t.Context(), nd.From(x))
			if err != nil || math.Abs(got-c.want) > 1e-12 {
				t.Errorf("%g cents, %+v: %g, %v, want %g", cents, c.opt, got, err, c.want)
			}
		}
		// The same in float32, to the step beside it.
		x32 := make([]float32, 2*n)
		for j := range x32 {
			x32[j] = float32(x[j%n])
		}
		got, err := measure.Tuning{FS: fs}.Apply(t.Context(), nd.From(x32, 2, n))
		if err != nil || math.Abs(got-want.Tuning[i]) > 0.0101 {
			t.Errorf("%g cents in float32: %g, %v, want %g", cents, got, err, want.Tuning[i])
		}
	}
	for i, o := range []measure.Tuning{{}, {Resolution: 0.003, PerOctave: 24}, {Resolution: 0.3}} {
		if got, err := o.Of(want.Frequencies); err != nil || math.Abs(got-want.Of[i]) > 1e-12 {
			t.Errorf("%+v: %g, %v, want %g", o, got, err, want.Of[i])
		}
	}
	if got, err := (measure.Tuning{FS: fs}).Apply(t.Context(), nd.Zeros(nd.Float64, n)); err != nil || got != want.Silence {
		t.Errorf("silence: %g, %v", got, err)
	}
	for _, bad := range []measure.Tuning{{}, {FS: -1}, {FS: fs, NFFT: -1}, {FS: fs, Hop: -1}, {FS: fs, PerOctave: -1}, {FS: fs, Resolution: 2}, {FS: fs, Resolution: math.NaN()}} {
		if _, err := bad.Apply(t.Context(), nd.Zeros(nd.Float64, n)); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

func ExampleTuning() {
	// A chord 20 cents flat.
	x := make([]float64, 22050)
	for _, note := range []float64{57, 61, 64} {
		f := signal.MIDIToHz(note - 0.2)
		for i := range x {
			x[i] += math.Sin(2 * math.Pi * f / 22050 * float64(i))
		}
	}
	tuning, err := measure.Tuning{FS: 22050}.Apply(context.Background(), nd.From(x))
	fmt.Printf("%.1f semitones, %v\n", tuning, err)
	// Output: -0.2 semitones, <nil>
}

// TestTuningOfExtremes: frequencies may be any numbers.
func TestTuningOfExtremes(t *testing.T) {
	all := []float64{math.SmallestNonzeroFloat64, math.MaxFloat64, math.Inf(1), math.NaN(), -1, 0}
	v, err := measure.Tuning{FS: 22050}.Of(all)
	if err != nil || !(v >= -0.5 && v <= 0.5) {
		t.Errorf("%g, %v", v, err)
	}
}
