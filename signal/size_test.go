package signal

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// Sizes that no memory holds are errors that name the size, at every door. Each
// of these calls used to panic or to end the process.
func TestSizesThatNoMemoryHolds(t *testing.T) {
	x := nd.From([]float32{1, 2, 3, 4, 5, 6, 7, 8})
	for _, n := range []int{1 << 40, 1 << 52, 1<<53 + 1, 1 << 60, math.MaxInt} {
		failures := map[string]func() error{
			"window":        func() error { _, err := Window{}.Samples(n); return err },
			"window array":  func() error { return Window{}.Array(nd.Float32, n).Err() },
			"stft":          func() error { return STFT{NFFT: n}.Apply(x).Err() },
			"stft hop":      func() error { _, err := STFT{Hop: n}.COLA(1e-9); return err },
			"cola":          func() error { _, err := STFT{NFFT: n}.COLA(1e-9); return err },
			"nola":          func() error { _, err := STFT{NFFT: n, Hop: 1}.NOLA(1e-9); return err },
			"frequencies":   func() error { _, err := STFT{NFFT: n}.Frequencies(); return err },
			"istft":         func() error { return STFT{NFFT: n}.Inverse(nd.Zeros(nd.Complex64, 3, 4)).Err() },
			"welch":         func() error { return Welch(x, Spectral{NFFT: n}).Err() },
			"periodogram":   func() error { return Periodogram(x, Spectral{NFFT: n}).Err() },
			"spectrogram":   func() error { return Spectrogram(x, 0, Spectral{NFFT: n}).Err() },
			"coherence":     func() error { return Coherence(x, x, Spectral{NFFT: n}).Err() },
			"filter bank":   func() error { return Mel{FS: 8000, NMels: n}.FilterBank(nd.Float32, 64).Err() },
			"filter bins":   func() error { return Mel{FS: 8000}.FilterBank(nd.Float32, n).Err() },
			"resample":      func() error { return Resample(x, n).Err() },
			"resample poly": func() error { return ResamplePoly{Up: n, Down: 3}.Apply(x).Err() },
			"down":          func() error { return ResamplePoly{Up: 2, Down: n}.Apply(x).Err() },
			"gccphat":       func() error { return GCCPHAT{Upsample: n}.Apply(x, x).Err() },
			"lags":          func() error { _, err := CorrelationLags(n, n, Full); return err },
			"hilbert":       func() error { return Hilbert(x, Analytic{N: n}).Err() },
			"envelope":      func() error { return Envelope(x, Analytic{N: n}).Err() },
			"frequency":     func() error { return InstantaneousFrequency(x, 1, Analytic{N: n}).Err() },
			"fir":           func() error { _, err := FIR{Cutoff: [2]float64{0.1}}.Taps(n | 1); return err },
			"least squares": func() error {
				_, err := LeastSquares{Bands: [][2]float64{{0, 0.2}, {0.3, 0.5}}, Desired: [][2]float64{{1, 1}, {0, 0}}}.Taps(n | 1)
				return err
			},
			"noise": func() error { return Noise(1, Pink, nd.Float32, n/64).Err() },
			"czt":   func() error { return CZT{M: n}.Apply(x).Err() },
		}
		for name, f := range failures {
			if err := f(); err == nil || !strings.HasPrefix(err.Error(), "signal: ") && !strings.HasPrefix(err.Error(), "nd: ") {
				t.Errorf("%s of %d: error %v", name, n, err)
			}
		}
	}
	for _, err := range (STFT{}).Stream(context.Background(), nil) {
		if err == nil {
			t.Error("frames of no chunks")
		}
	}
	for _, err := range (STFT{}).StreamInverse(context.Background(), nil) {
		if err == nil {
			t.Error("samples of no spectra")
		}
	}
}
