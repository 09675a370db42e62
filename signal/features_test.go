package signal_test

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func binsOf(nfft int, fs float64) []float64 {
	f := make([]float64, nfft/2+1)
	for i := range f {
		f[i] = float64(i) * fs / float64(nfft)
	}
	return f
}

func TestFeatures(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(12000)
	s := signal.Librosa(2048, 512).Apply(x).Abs()
	f := binsOf(2048, 22050)
	check(t, "centroid", signal.Centroid(s, f), 1e-12)
	check(t, "bandwidth", signal.Bandwidth(s, f, 0), 1e-12)
	check(t, "rolloff", signal.Rolloff(s, f, 0), 1e-12)
	check(t, "flatness", signal.Flatness(s, 0), 1e-12)
	check(t, "contrast", signal.Contrast{}.Apply(s, f), 1e-10)
	check(t, "rms", signal.RMS(x, 2048, 512), 1e-7)
	check(t, "zcr", signal.ZeroCrossingRate(x.SubScalar(0.3), 2048, 512), 1e-12)
	check(t, "chroma filters", signal.Chroma{}.FilterBank(nd.Float64, 512), 1e-11)
	check(t, "chroma", signal.Chroma{}.Apply(x), 1e-6)
	mel := signal.PowerToDB(signal.Mel{}.Spectrogram(x))
	check(t, "mfcc lifter", signal.Cepstrum{N: 13, Lifter: 22}.Apply(mel), 1e-6)
	check(t, "mfcc dct 3", signal.Cepstrum{N: 13, Type: 3, Unnormalized: true}.Apply(mel), 1e-7)
	few := mel.SliceAxis(0, nd.Range{Stop: 5})
	check(t, "delta", signal.Delta(few, 0, 0), 1e-7)
	check(t, "delta 2", signal.Delta(few, 0, 2), 1e-7)
	check(t, "onset", signal.OnsetStrength(x), 1e-7)
	check(t, "tempogram", signal.Tempogram(waves(60).Abs(), 16), 1e-12)
}

func TestHPSS(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	s := signal.Librosa(2048, 512).Apply(waves(12000)).Abs().SliceAxis(0, nd.Range{Stop: 60})
	h, p := signal.HPSS{Harmonic: 7, Percussive: 9}.Apply(s)
	check(t, "hpss harmonic", h, 1e-12)
	check(t, "hpss percussive", p, 1e-12)
	h, p = signal.HPSS{Harmonic: 7, Percussive: 7, HarmonicMargin: 2, PercussiveMargin: 2, Masks: true}.Apply(s)
	check(t, "hpss masks", nd.Stack(0, h, p), 1e-9)
}

func TestVocoder(t *testing.T) {
	testdevice.NeedsFloat64(t)
	s := signal.Librosa(256, 64)
	y := signal.PhaseVocoder(s.Apply(waves(12000)), 1.3, 64)
	check(t, "phase_vocoder", y.SliceAxis(0, nd.Range{Stop: 40}).SliceAxis(1, nd.Range{Stop: 30}), 1e-11)
	// Phases of float32 do not lose digits from frame to frame, at any frequency.
	long := s.Apply(waves(120000))
	exact := signal.PhaseVocoder(long, 1.3, 64)
	off := signal.PhaseVocoder(long.Cast(nd.Complex64), 1.3, 64).Cast(nd.Complex128).Sub(exact).Abs().Max()
	if e := floats(t, off.Div(exact.Abs().Max()))[0]; e > 1e-3 {
		t.Errorf("float32 is off by %g", e)
	}
	if n := signal.TimeStretch(waves(8000), 2).Dim(-1); n != 4000 {
		t.Errorf("%d samples of a signal twice as fast", n)
	}
	// An octave up, a tone has twice the frequency.
	n := 16384
	tone := make([]float64, n)
	for i := range tone {
		tone[i] = math.Sin(2 * math.Pi * 64 * float64(i) / float64(n) * 4)
	}
	p := floats(t, signal.PitchShift(nd.From(tone), 12).RFFT().Abs())
	best := 0
	for i, v := range p {
		if v > p[best] {
			best = i
		}
	}
	if best < 508 || best > 516 {
		t.Errorf("an octave above bin 256 is bin %d", best)
	}
}

// The signal that is found has the magnitudes that were asked for, nearly.
func TestGriffinLim(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	s := signal.Librosa(512, 128)
	want := s.Apply(waves(6000)).Abs()
	g := signal.GriffinLim{STFT: s, Iterations: 30, Length: 6000}
	got := s.Apply(g.Apply(want)).Abs()
	v, err := nd.Slice[float64](ctx, got.Sub(want).Mul(got.Sub(want)).Sum().Div(want.Mul(want).Sum()).Sqrt())
	if err != nil {
		t.Fatal(err)
	}
	if v[0] > 0.35 { // librosa: 0.27 to 0.32, by seed
		t.Errorf("magnitudes are off by %g", v[0])
	}
}
