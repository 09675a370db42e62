package analyze_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Complex samples have a spectrum of two sides: tones are at their own side only, at their
// levels, and the density is that of signal.Welch.
func TestIQ(t *testing.T) {
	const rate = 1e6
	tones := map[float64]float64{-312345: 0.5, 100000: 0.25, 499000: 0.01}
	for _, frames := range []int{700000, 100001} {
		x := noisy(frames, 2, rate, 1e-3, nil)
		for i := range frames {
			for f, a := range tones {
				sin, cos := math.Sincos(2 * math.Pi * math.Mod(f/rate*float64(i), 1))
				x[2*i] += float32(a * cos)
				x[2*i+1] += float32(a * sin)
			}
		}
		folder := t.TempDir()
		z := make([]complex64, frames)
		for i := range z {
			z[i] = complex(x[2*i], x[2*i+1])
		}
		array, err := npy.From(z, frames)
		if err != nil {
			t.Fatal(err)
		}
		if err := npy.WriteFile(filepath.Join(folder, "a.npy"), array); err != nil {
			t.Fatal(err)
		}
		if err := wav.WriteFile(filepath.Join(folder, "a.wav"), pcm.Format{Encoding: pcm.Float32, Channels: 2, Rate: rate}, x); err != nil {
			t.Fatal(err)
		}
		whole := signal.Welch(nd.From(z).Sub(nd.From(z).Keep(-1).Mean()), signal.Spectral{FS: rate, NPerSeg: 1024, Detrend: signal.TrendNone})
		hz := whole.Frequencies
		fft.Shift(hz)
		want, err := nd.Slice[float32](t.Context(), whole.FFTShift(-1))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a.npy", "a.wav"} {
			f, err := audio.Open(filepath.Join(folder, name), audio.Options{IQ: true, Rate: rate})
			if err != nil {
				t.Fatal(err)
			}
			r, err := analyze.Recording(t.Context(), f, analyze.Options{NPerSeg: 1024})
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if err != nil || len(r.Density) != 1 || len(r.Density[0]) != 1024 || len(r.Channels) != 2 || r.Channels[1].Name != "Q" || r.Frames != int64(frames) {
				t.Fatalf("%s: %v, %+v", name, err, r)
			}
			if s := r.Spectrogram; s.Bottom != -rate/2 || s.Top != rate/2 || r.Frequencies[0] != -rate/2 {
				t.Errorf("%s: from %g to %g Hz", name, s.Bottom, s.Top)
			}
			for k, v := range r.Density[0] {
				// The offset that is taken off is the mean of the first part.
				if w := float64(want[k]); hz[k] != r.Frequencies[k] || math.Abs(v-w) > 1e-3*w && math.Abs(hz[k]) > 3000 {
					t.Fatalf("%s: %g Hz: %g, want %g at %g Hz", name, r.Frequencies[k], v, w, hz[k])
				}
			}
			if len(r.Peaks) != len(tones) {
				t.Errorf("%s: %d frames: peaks %+v", name, frames, r.Peaks)
			}
			for _, p := range r.Peaks {
				found := false
				for f, a := range tones {
					found = found || math.Abs(p.Frequency-f) < 20 && math.Abs(p.Level-20*math.Log10(a)) < 0.1
				}
				if !found {
					t.Errorf("%s: %g Hz at %g dB", name, p.Frequency, p.Level)
				}
			}
		}
	}
}

// Rounding of I and Q has no tones either.
func TestRoundingOfIQ(t *testing.T) {
	x := make([]float32, 2*100000)
	for i := range x {
		x[i] = float32(0.5 * math.Cos(2*math.Pi*float64(i/2*3%32)/32-math.Pi/2*float64(i%2)))
	}
	name := filepath.Join(t.TempDir(), "a.wav")
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Int16, Channels: 2, Rate: 1e6}, x); err != nil {
		t.Fatal(err)
	}
	f, err := audio.Open(name, audio.Options{IQ: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := analyze.Recording(t.Context(), f)
	if err != nil || len(r.Peaks) != 1 || math.Abs(r.Peaks[0].Frequency-93750) > 1 {
		t.Errorf("%v, %+v", err, r.Peaks)
	}
}
