package measure_test

import (
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

// A shaft that speeds up from 10 to 30 turns a second: turns by its speed and by the pulses
// of a tachometer are where the formula has them, and the order spectrum has a tone of
// the third order.
func TestTacho(t *testing.T) {
	const fs, seconds, f0, f1 = 8000.0, 4.0, 10.0, 30.0
	n := int(fs * seconds)
	rate := (f1 - f0) / seconds
	at := func(turn float64) float64 { return (-f0 + math.Sqrt(f0*f0+2*rate*turn)) / rate }
	rpm, tacho, x := make([]float64, n), make([]float64, n), make([]float64, n)
	noise := noise(n)
	for i := range rpm {
		s := float64(i) / fs
		angle := f0*s + rate*s*s/2
		rpm[i] = 60 * (f0 + rate*s)
		// An edge of 2% of a turn, noise on it, around the beginning of turns.
		tacho[i] = 5/(1+math.Exp(-400*(angle+0.25-math.Floor(angle+0.25)-0.25))) + 0.3*noise[i]
		x[i] = 0.7 * math.Sin(2*math.Pi*3*angle)
	}
	turns, err := measure.Turns(t.Context(), nd.From(rpm), fs)
	if err != nil || len(turns) != 80 {
		t.Fatalf("%d turns, %v", len(turns), err)
	}
	for i, v := range turns {
		if math.Abs(v-at(float64(i))) > 1e-10 {
			t.Errorf("turn %d at %g s, want %g", i, v, at(float64(i)))
		}
	}
	for _, o := range []measure.Tacho{{FS: fs}, {FS: fs, Low: 2.2, High: 2.8}} {
		pulses, err := o.Pulses(t.Context(), nd.From(tacho))
		if err != nil || len(pulses) != 79 {
			t.Fatalf("%d pulses, %v", len(pulses), err)
		}
		for i, v := range pulses {
			if math.Abs(v-at(float64(i+1))) > 2/fs {
				t.Errorf("pulse %d at %g s, want %g", i, v, at(float64(i+1)))
			}
		}
		falling, err := measure.Tacho{FS: fs, Low: -o.High, High: -o.Low, Falling: true}.Pulses(t.Context(), nd.From(tacho).Neg())
		if err != nil || len(falling) != len(pulses) || falling[5] != pulses[5] {
			t.Errorf("%d falling pulses, %v", len(falling), err)
		}
		l, err := measure.Orders{FS: fs}.Spectrum(t.Context(), nd.From(x), pulses)
		if err != nil {
			t.Fatal(err)
		}
		a, err := nd.Slice[float64](t.Context(), l.Amplitude)
		if err != nil {
			t.Fatal(err)
		}
		top := 0
		for i := range a {
			if a[i] > a[top] {
				top = i
			}
		}
		if math.Abs(l.Frequencies[top]-3) > 1e-2 || math.Abs(a[top]-0.7) > 0.02 {
			t.Errorf("order %g of amplitude %g, want 3 of 0.7", l.Frequencies[top], a[top])
		}
	}
	for want, f := range map[string]func() error{
		"tacho: x of shape [2 4]: want one line, such as x.At(0)": func() error {
			_, err := measure.Tacho{FS: 1}.Pulses(t.Context(), nd.Zeros(nd.Float64, 2, 4))
			return err
		},
		"tacho: Low 2 and High 1: want Low below High": func() error {
			_, err := measure.Tacho{FS: 1, Low: 2, High: 1}.Pulses(t.Context(), nd.Zeros(nd.Float64, 4))
			return err
		},
		"tacho: sample 1 is NaN": func() error {
			_, err := measure.Tacho{FS: 1}.Pulses(t.Context(), nd.From([]float64{0, math.NaN()}))
			return err
		},
		"turns: the speed is -1 at sample 1: want turns in one direction": func() error {
			_, err := measure.Turns(t.Context(), nd.From([]float64{1, -1}), 1)
			return err
		},
		"turns: the speed is -2 at sample 0: want turns in one direction": func() error {
			_, err := measure.Turns(t.Context(), nd.From([]float64{-2}), 1)
			return err
		},
		"want a speed in turns per minute": func() error {
			_, err := measure.Turns(t.Context(), nd.Full(1e15, nd.Float64, 100), 1)
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if p, err := (measure.Tacho{FS: 1}).Pulses(t.Context(), nd.Zeros(nd.Float64, 10)); err != nil || len(p) != 0 {
		t.Errorf("a constant has pulses at %v, %v", p, err)
	}
}
