package nd

import (
	"context"
	"testing"
)

// TestGradPlans holds what gradients are fused into: on chip, from the input of
// the forward transform to the gradient, whatever is between.
func TestGradPlans(t *testing.T) {
	planForTwoCores(t)
	ready := func(key Key, shape ...int) *Array {
		a := Normal(key, Float32, shape...)
		if err := Eval(context.Background(), a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	x, h := ready(1, 8, 64, 1024), ready(2, 64, 1024)
	signal, window := ready(3, 1<<16), ready(4, 512)
	conv := x.RFFT().Mul(h.RFFT()).IRFFT(FFT{N: 1024}).AbsSquared().Sum()
	long := FFT{N: 2048}
	causal := x.RFFT(long).Mul(h.RFFT(long)).IRFFT(long).SliceAxis(-1, Range{Stop: 1024}).AbsSquared().Sum()
	spectrogram := signal.Frames(512, 128).Mul(window).RFFT().AbsSquared().AddScalar(1e-8).Log().Sum()
	hop1 := signal.Frames(64, 1).Mul(window.SliceAxis(0, Range{Stop: 64})).RFFT().Abs().Sum()
	tests := []struct {
		name     string
		grads    []*Array
		ffts     int // programs of their own: filters, whose spectra all lines share
		lines    int
		launches int // at most
	}{
		{"convolution by its input", Grad(conv, x), 1, 1, 4},
		{"convolution by its filter", Grad(conv, h), 1, 1, 4},
		{"causal convolution by both", Grad(causal, x, h), 1, 1, 4},
		{"spectrogram", Grad(spectrogram, signal), 0, 1, 4},
		{"frames at every sample", Grad(hop1, signal), 0, 1, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := Explain(tt.grads...)
			if err != nil {
				t.Fatal(err)
			}
			count := map[string]int{}
			for _, s := range plan.Steps {
				count[s.Program]++
			}
			if count["fft"] != tt.ffts || count["line"] != tt.lines || plan.Launches > tt.launches {
				t.Fatalf("want %d transforms apart, %d line programs, at most %d launches:\n%s", tt.ffts, tt.lines, tt.launches, plan)
			}
		})
	}
}

// TestGradBits evaluates gradients twice, from graphs built anew.
func TestGradBits(t *testing.T) {
	x := Normal(1, Float32, 4, 1000)
	grad := func() []float32 {
		y := x.Frames(64, 3).RFFT().Abs().Log1p()
		g, err := Slice[float32](context.Background(), Grad(y.Mul(y).Mean(), x)[0])
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	first, second := grad(), grad()
	for i := range first {
		if first[i] != second[i] {
			t.Fatalf("%v and %v at %d", first[i], second[i], i)
		}
	}
}
