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
	exp2 := func(n int) int { return 1 << n } // constants would be too large for ints of 32 bits
	long := nd.Zeros(nd.Float32, 1).BroadcastTo(exp2(40))
	grid := FIRGrid{Frequencies: []float64{0, 1}, Gains: []float64{1, 0}}
	for _, n := range []int{exp2(40), exp2(52), exp2(53) + 1, exp2(60), math.MaxInt} {
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
			"resample":      func() error { return Resample{N: n}.Apply(x).Err() },
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
			"noise":              func() error { return Noise(1, Pink, nd.Float32, n/64).Err() },
			"czt":                func() error { return CZT{M: n}.Apply(x).Err() },
			"dct":                func() error { return DCT{N: n}.Apply(x).Err() },
			"hartley":            func() error { return Hartley{N: n}.Apply(x).Err() },
			"dst":                func() error { return DST{N: n, Type: 4}.Inverse(x).Err() },
			"chroma filter bank": func() error { return Chroma{}.FilterBank(nd.Float32, n).Err() },
			"chroma classes":     func() error { return Chroma{Classes: n}.FilterBank(nd.Float32, 64).Err() },
			"savgol":             func() error { _, err := SavGol{Window: n, Order: 2}.Coefficients(); return err },
			"savgol order":       func() error { _, err := SavGol{Window: 1 << 20, Order: 1<<20 - 1}.Coefficients(); return err },
			"tempogram":          func() error { return Tempogram(x, n).Err() },
			"medfilt":            func() error { return MedFilt(x, n|1).Err() },
			"delta":              func() error { return Delta(long, n-1, 3).Err() },
			"detrend":            func() error { return Detrend(long, TrendLinear).Err() },
			"times":              func() error { _, err := STFT{}.Times(n); return err },
			"segments":           func() error { return Spectrogram(long, PSD, Spectral{NPerSeg: 8}).Err() },
			"pitch":              func() error { return PitchShift(long, -1).Err() },
			"stretch":            func() error { return TimeStretch(x, 1/float64(n)/1e6).Err() },
			"fir grid":           func() error { _, err := grid.Taps(n | 1); return err },
			"grid":               func() error { g := grid; g.NFreqs = n; _, err := g.Taps(5); return err },
			"mfcc bands":         func() error { return Cepstrum{N: n, Lifter: 1}.Apply(nd.Zeros(nd.Float32, 1).BroadcastTo(n, 1)).Err() },
		}
		for name, f := range failures {
			if err := f(); err == nil || !strings.HasPrefix(err.Error(), "signal: ") && !strings.HasPrefix(err.Error(), "nd: ") {
				t.Errorf("%s of %d: error %v", name, n, err)
			}
		}
	}
	if w := Frequencies(exp2(40), true); len(w) != 0 {
		t.Errorf("%d frequencies", len(w))
	}
	// More derivatives than the polynomial has.
	if w, err := (SavGol{Window: 5, Order: 2, Deriv: math.MaxInt}).Coefficients(); err != nil || len(w) != 5 || w[2] != 0 {
		t.Errorf("%v, %v: want zeros", w, err)
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
