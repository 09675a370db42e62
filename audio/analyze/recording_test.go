package analyze_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func ExampleRecording() {
	x := make([]float32, 16000)
	for i := range x {
		x[i] = float32(0.5 * math.Sin(2*math.Pi*1234.5/8000*float64(i)))
	}
	name := filepath.Join(os.TempDir(), "twiddle-tone.wav")
	defer os.Remove(name)
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000}, x); err != nil {
		panic(err)
	}
	f, err := audio.Open(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	r, err := analyze.Recording(context.Background(), f)
	if err != nil {
		panic(err)
	}
	for _, p := range r.Peaks {
		fmt.Printf("%.1f Hz at %.1f dB\n", p.Frequency, p.Level)
	}
	// Output: 1234.5 Hz at -6.0 dB
}

// record writes float32 samples, interleaved, and opens them.
func record(t *testing.T, channels int, rate float64, x []float32) *audio.File {
	t.Helper()
	return recordAs(t, pcm.Float32, channels, rate, x)
}

// recordAs is record with another encoding.
func recordAs(t *testing.T, e pcm.Encoding, channels int, rate float64, x []float32) *audio.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.wav")
	if err := wav.WriteFile(name, pcm.Format{Encoding: e, Channels: channels, Rate: rate}, x); err != nil {
		t.Fatal(err)
	}
	return opened(t, name)
}

// opened is a recording, open until the test ends.
func opened(t *testing.T, name string) *audio.File {
	t.Helper()
	f, err := audio.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// noisy is channels of noise with tones, each of an amplitude.
func noisy(frames, channels int, rate, noise float64, tones map[float64]float64) []float32 {
	r := rand.New(rand.NewPCG(1, uint64(frames)))
	x := make([]float32, frames*channels)
	for i := range frames {
		v := 0.0
		for hz, a := range tones {
			v += a * math.Sin(2*math.Pi*hz/rate*float64(i)+hz)
		}
		for c := range channels {
			x[i*channels+c] = float32(v + noise*r.NormFloat64())
		}
	}
	return x
}

// TestNoLineAtZero: segments of a tone have means, which are no offset; an offset is
// taken off.
func TestNoLineAtZero(t *testing.T) {
	const rate = 44100
	x := noisy(4*rate, 1, rate, 0.001, map[float64]float64{1000: 0.3})
	for i := range x {
		x[i] += 0.25
	}
	r, err := analyze.Recording(t.Context(), record(t, 1, rate, x), analyze.Options{NPerSeg: 4096})
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range r.Level[:4] {
		if v > r.Level[20]+6 { // 200 Hz: noise
			t.Errorf("bin %d has %.1f dB, noise %.1f", k, v, r.Level[20])
		}
	}
}

// TestDensity compares the spectrum in parts with that of one call, for
// lengths around those of parts and slices.
func TestDensity(t *testing.T) {
	for _, c := range []struct{ frames, channels, nperseg int }{
		{1000, 1, 256}, {256, 1, 256}, {257, 2, 256}, {383, 1, 256}, {100, 1, 256}, {1, 1, 256}, {5000, 3, 255}, {1 << 18, 1, 256}, {1<<18 + 127, 1, 256}, {1<<18 + 128, 1, 256},
		{700000, 1, 64}, {300001, 2, 1000}, {900001, 1, 1001}, {40000, 100, 777},
	} {
		x := noisy(c.frames, c.channels, 1000, 0.1, map[float64]float64{100: 0.5})
		r, err := analyze.Recording(t.Context(), record(t, c.channels, 1000, x), analyze.Options{NPerSeg: c.nperseg})
		if err != nil {
			t.Fatal(err)
		}
		lines := nd.From(x, c.frames, c.channels).Transpose()
		lines = lines.Sub(lines.Cast(nd.Float64).Keep(-1).Mean().Cast(nd.Float32))
		whole := signal.Welch(lines, signal.Spectral{FS: 1000, NPerSeg: c.nperseg, Detrend: signal.TrendNone})
		want, err := nd.Slice[float32](t.Context(), whole.Array)
		if err != nil {
			t.Fatal(err)
		}
		bins := len(whole.Frequencies)
		if r.Frames != int64(c.frames) || len(r.Density) != c.channels || len(r.Density[0]) != bins || r.Frequencies[bins-1] != whole.Frequencies[bins-1] {
			t.Fatalf("%+v: %d frames, %d bins, want %d", c, r.Frames, len(r.Density[0]), bins)
		}
		size := min(c.nperseg, c.frames)
		if want := int64((c.frames-size)/(size-size/2) + 1); r.Segments != want {
			t.Errorf("%+v: %d segments, want %d", c, r.Segments, want)
		}
		for ch, d := range r.Density {
			for k, v := range d {
				if k < 2 && c.frames*c.channels >= 1<<18 {
					continue // the offset is the mean of the first part
				}
				if w := float64(want[ch*bins+k]); math.Abs(v-w) > 1e-4*w+1e-12 {
					t.Fatalf("%+v: channel %d, bin %d: %v, want %v", c, ch, k, v, w)
				}
			}
		}
		// Columns cover everything, and rows all frequencies.
		s := r.Spectrogram
		if n := float64(len(s.Columns)); s.Span*n < float64(c.frames-size)/1000 || len(s.Columns) == 0 || s.Top < 499 || s.Top > 500+2000/float64(size)*float64(1+bins/1024) {
			t.Errorf("%+v: %d columns of %v s, up to %v Hz", c, len(s.Columns), s.Span, s.Top)
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range x {
			low, high = min(low, float64(v)), max(high, float64(v))
		}
		w := r.Waveform
		gotLow, gotHigh := math.Inf(1), math.Inf(-1)
		for i := range w.Low {
			gotLow, gotHigh = min(gotLow, w.Low[i]), max(gotHigh, w.High[i])
		}
		if gotLow != low || gotHigh != high || int64(len(w.Low)) != (r.Frames+w.Span-1)/w.Span {
			t.Errorf("%+v: a waveform from %v to %v in %d spans of %d, want %v to %v", c, gotLow, gotHigh, len(w.Low), w.Span, low, high)
		}
	}
}

func TestTonesAreFound(t *testing.T) {
	tones := map[float64]float64{123.4: 0.5, 777: 0.05, 3210.9: 0.01}
	r, err := analyze.Recording(t.Context(), record(t, 2, 16000, noisy(160000, 2, 16000, 0.02, tones)))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Peaks) != len(tones) {
		t.Fatalf("%d peaks: %+v", len(r.Peaks), r.Peaks)
	}
	bin := r.Rate / float64(r.NPerSeg)
	for i, hz := range []float64{123.4, 777, 3210.9} {
		p := r.Peaks[i]
		if math.Abs(p.Frequency-hz) > 0.1*bin || math.Abs(p.Level-20*math.Log10(tones[hz])) > 0.5 || p.Width < bin || p.Width > 3*bin || p.Prominence < 6 {
			t.Errorf("%v Hz: %+v, bins of %v Hz", hz, p, bin)
		}
	}
	if c := r.Channels[1]; math.Abs(c.RMS-math.Sqrt((0.25+0.0025+0.0001)/2+0.0004)) > 1e-3 || math.Abs(c.Mean) > 1e-3 || c.Peak < 0.5 || c.Peak > 0.7 {
		t.Errorf("%+v", c)
	}
}

// Channels have tones of their own: a mean of their spectra would have one between.
func TestTonesOfChannels(t *testing.T) {
	const frames, rate = 88200, 44100
	x := make([]float32, 2*frames)
	for i := range frames {
		at := 2 * math.Pi / rate * float64(i)
		x[2*i] = float32(0.5*math.Sin(1000*at) + 0.1*math.Sin(5000*at))
		x[2*i+1] = float32(0.5*math.Sin(1010*at) + 0.2*math.Sin(5000*at))
	}
	r, err := analyze.Recording(t.Context(), record(t, 2, rate, x))
	if err != nil || len(r.Peaks) != 3 {
		t.Fatalf("%+v, %v", r.Peaks, err)
	}
	for c, hz := range []float64{1000, 1010} {
		if p := r.Channels[c].Peaks; len(p) != 2 || math.Abs(p[0].Frequency-hz) > 1 {
			t.Errorf("channel %d: %+v", c, p)
		}
	}
	if p := r.Peaks[2]; math.Abs(p.Frequency-5000) > 1 || fmt.Sprint(p.Channels) != "[0 1]" || math.Abs(p.Level+14) > 0.5 {
		t.Errorf("the tone of both: %+v", p)
	}
}

// A gear: harmonics of a shaft, and a mesh with sidebands of another.
func TestFamilies(t *testing.T) {
	tones := map[float64]float64{444: 0.0005, 3 * 444: 0.2, 50: 0.2, 100: 0.1, 150: 0.05, 250: 0.02, 1830: 0.3, 1830 - 35: 0.03, 1830 + 35: 0.04, 1830 - 70: 0.01, 1830 + 70: 0.01, 2777: 0.05}
	r, err := analyze.Recording(t.Context(), record(t, 1, 8000, noisy(160000, 1, 8000, 0.001, tones)), analyze.Options{NPerSeg: 4096, Peaks: 20})
	if err != nil || len(r.Peaks) != len(tones) {
		t.Fatalf("%d peaks: %+v, %v", len(r.Peaks), r.Peaks, err)
	}
	want := map[string]int{"50 fundamental 0": 1, "100 harmonic 2": 1, "150 harmonic 3": 1, "250 harmonic 5": 1, "1830  0": 1,
		"1795 sideband -1": 1, "1865 sideband 1": 1, "1760 sideband -2": 1, "1900 sideband 2": 1, "2777  0": 1, "444  0": 1, "1332  0": 1}
	for _, p := range r.Peaks {
		delete(want, fmt.Sprintf("%.0f %s %d", p.Frequency, p.Role, p.Order))
	}
	if len(want) > 0 {
		t.Errorf("not found: %v in %+v", want, r.Peaks)
	}
}

// The rounding of 53 bits has no tones worth listing.
func TestRoundingHasNoTones(t *testing.T) {
	x := make([]float64, 1<<16)
	for i := range x {
		x[i] = 0.5 * math.Sin(2*math.Pi*0.0625*float64(i))
	}
	f := stored(t, x)
	r, err := analyze.Recording(t.Context(), f)
	if err != nil || len(r.Peaks) != 1 {
		t.Errorf("%+v, %v", r.Peaks, err)
	}
}

// Rounding to few bits turns into tones where the signal repeats, and these are not listed:
// a pure tone is one. In noise, tones far below a step are real.
func TestRoundingToBits(t *testing.T) {
	const rate = 44100
	for _, e := range []pcm.Encoding{pcm.Uint8, pcm.Int16, pcm.Int24} {
		for _, hz := range []float64{1000, 441, 997.3} {
			for _, amplitude := range []float64{0.9, 0.5, 0.1} {
				x := noisy(5*rate, 1, rate, 0, map[float64]float64{hz: amplitude})
				f := recordAs(t, e, 1, rate, x)
				r, err := analyze.Recording(t.Context(), f)
				if err != nil || len(r.Peaks) != 1 || math.Abs(r.Peaks[0].Frequency-hz) > 1 {
					t.Errorf("%v of %g Hz, amplitude %g: %+v, %v", e, hz, amplitude, r.Peaks, err)
				}
			}
		}
	}
	faint := noisy(5*rate, 1, rate, 1.0/(1<<15), map[float64]float64{1000: 0.5, 3000: 3e-6})
	r, err := analyze.Recording(t.Context(), recordAs(t, pcm.Int16, 1, rate, faint))
	if err != nil || len(r.Peaks) != 2 || math.Abs(r.Peaks[1].Frequency-3000) > 3 {
		t.Errorf("a tone of a tenth of a step in noise: %+v, %v", r.Peaks, err)
	}
}

// Noise alone has no tones, however few its segments.
func TestNoiseHasNoTones(t *testing.T) {
	for _, frames := range []int{300, 4000, 200000} {
		r, err := analyze.Recording(t.Context(), record(t, 1, 8000, noisy(frames, 1, 8000, 0.1, nil)))
		if err != nil || len(r.Peaks) != 0 {
			t.Errorf("%d frames: %+v, %v", frames, r.Peaks, err)
		}
	}
}

// A pure tone is one, though the window spreads it over all bins.
func TestOneToneIsOne(t *testing.T) {
	for _, window := range []string{"hann", "boxcar", "blackmanharris", "kaiser:8"} {
		w, err := signal.ParseWindow(window)
		if err != nil {
			t.Fatal(err)
		}
		r, err := analyze.Recording(t.Context(), record(t, 1, 8000, noisy(40000, 1, 8000, 0, map[float64]float64{1003.7: 0.9})), analyze.Options{Window: w})
		if err != nil || len(r.Peaks) != 1 || math.Abs(r.Peaks[0].Frequency-1003.7) > 2 {
			t.Errorf("%s: %+v, %v", window, r.Peaks, err)
		}
	}
}

func TestSilence(t *testing.T) {
	r, err := analyze.Recording(t.Context(), record(t, 1, 8000, make([]float32, 5000)))
	if err != nil || len(r.Peaks) != 0 || r.Channels[0].RMS != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestFailures(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(-1)} {
		x := noisy(20000, 2, 8000, 0.1, nil)
		x[2*12345+1] = float32(bad)
		if _, err := analyze.Recording(t.Context(), record(t, 2, 8000, x)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("channel 2, frame 12345: a sample is %v", bad)) || !strings.Contains(err.Error(), "a.wav") {
			t.Errorf("%v", err)
		}
	}
	if _, err := analyze.Recording(t.Context(), record(t, 1, 8000, nil)); err == nil || !strings.Contains(err.Error(), "no samples") {
		t.Errorf("%v", err)
	}
	for fact, o := range map[string]analyze.Options{
		"NPerSeg -1":     {NPerSeg: -1},
		"NPerSeg 2":      {NPerSeg: 1 << 30},
		"Peaks -1":       {Peaks: -1},
		"Prominence NaN": {Prominence: math.NaN()},
		"unknown window": {Window: signal.Window{Name: "hamm"}},
	} {
		if fact == "NPerSeg 2" {
			fact = "NPerSeg 1073741824"
		}
		if _, err := analyze.Recording(t.Context(), record(t, 1, 8000, noisy(1000, 1, 8000, 1, nil)), o); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := analyze.Recording(ctx, record(t, 1, 8000, noisy(1000, 1, 8000, 1, nil))); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// An array has no rate, and keeps its float64 digits.
func TestArray(t *testing.T) {
	x := make([]float64, 4096)
	for i := range x {
		x[i] = 1e6 + 1e-3*math.Sin(2*math.Pi*0.125*float64(i))
	}
	f := stored(t, x)
	var told int64
	r, err := analyze.Recording(t.Context(), f, analyze.Options{Progress: func(n, of int64) { told = n }})
	if err != nil || len(r.Peaks) != 1 || math.Abs(r.Peaks[0].Frequency-0.125) > 1e-4 || math.Abs(r.Peaks[0].Level+60) > 0.1 || r.Rate != 1 || told != 4096 {
		t.Errorf("%+v, %v, %d", r.Peaks, err, told)
	}
}

// TestCourse finds when a tone changes, for numbers of channels with which
// parts, slices and columns do not divide one another.
func TestCourse(t *testing.T) {
	for _, channels := range []int{1, 3, 7} {
		const frames, change = 400000, 300000
		x := make([]float32, frames*channels)
		for i := range frames {
			hz := 125.0
			if i >= change {
				hz = 375
			}
			for c := range channels {
				x[i*channels+c] = float32(math.Sin(2 * math.Pi * hz / 1000 * float64(i)))
			}
		}
		r, err := analyze.Recording(t.Context(), record(t, channels, 1000, x), analyze.Options{NPerSeg: 64})
		if err != nil {
			t.Fatal(err)
		}
		s := r.Spectrogram
		at := -1
		for i, column := range s.Columns {
			if column[24] > column[8] { // rows of 375 and 125 Hz
				at = i
				break
			}
		}
		if when := float64(at) * s.Span; math.Abs(when-change/1000) > 2*s.Span || math.Abs(float64(len(s.Columns))*s.Span-frames/1000) > 2*s.Span {
			t.Errorf("%d channels: the tone changes at %v s of %v, in %d columns of %v s", channels, when, r.Seconds(), len(s.Columns), s.Span)
		}
	}
}

// The main lobe of a window is no parabola: tones between bins are found where they are.
func TestTonesBetweenBins(t *testing.T) {
	for _, window := range []string{"hann", "hamming", "blackman", "flattop", "kaiser:8.6"} {
		w, err := signal.ParseWindow(window)
		if err != nil {
			t.Fatal(err)
		}
		for _, hz := range []float64{1000, 1000.7, 1001.3, 440} {
			r, err := analyze.Recording(t.Context(), record(t, 1, 8000, noisy(40000, 1, 8000, 0, map[float64]float64{hz: 0.5})), analyze.Options{Window: w})
			if err != nil {
				t.Fatal(err)
			}
			level := 20 * math.Log10(0.5)
			if p := r.Peaks[0]; math.Abs(p.Frequency-hz) > 0.005 || math.Abs(p.Level-level) > 0.005 {
				t.Errorf("%s: %.4f Hz of %.4f dB, want %g Hz of %.4f dB", window, p.Frequency, p.Level, hz, level)
			}
		}
	}
}

// Everything is computed on the stream of the options: nothing of the CPU meets it there.
func TestRecordingElsewhere(t *testing.T) {
	dev, err := nd.Open("null")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []pcm.Encoding{pcm.Float32, pcm.Float64} {
		f := recordAs(t, e, 2, 8000, make([]float32, 16000))
		if _, err := analyze.Recording(t.Context(), f, analyze.Options{Stream: dev.Stream()}); err != nil {
			t.Errorf("%v: %v", e, err)
		}
	}
}

// stored is an array file of the samples, open until the test ends.
func stored(t *testing.T, x []float64) *audio.File {
	t.Helper()
	a, err := npy.From(x, len(x))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "a.npy")
	if err := npy.WriteFile(name, a); err != nil {
		t.Fatal(err)
	}
	return opened(t, name)
}
