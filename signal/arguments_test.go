package signal_test

import (
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// TestArguments: what a call that is wrong says about it. An error of several arrays is that of
// the first.
func TestArguments(t *testing.T) {
	x, s := nd.Ones(nd.Float32, 64), nd.Ones(nd.Float32, 33, 5)
	for _, c := range []struct {
		err  error
		want string
	}{
		{signal.Centroid(s, nil).Err(), "signal: centroid: 0 frequencies for 33 bins"},
		{signal.Bandwidth(s, nil, 0).Err(), "signal: bandwidth: 0 frequencies for 33 bins"},
		{signal.Rolloff(s, nil, 0).Err(), "signal: rolloff: 0 frequencies for 33 bins"},
		{signal.Contrast{}.Apply(s, nil).Err(), "signal: contrast: 0 frequencies for 33 bins"},
		{signal.UpFirDn{Taps: []float64{1}, Up: math.MaxInt >> 13}.Apply(x).Err(), "signal: upfirdn: Up by Down"},
		{signal.UpFirDn{Taps: []float64{1}, Up: 1 << 29}.Apply(nd.Ones(nd.Float32, 1).BroadcastTo(math.MaxInt>>23 + 1)).Err(), "1099511627776 samples by Up 536870912: too many"},
		{signal.ResamplePoly{Up: 1 << 29, Down: 1}.Apply(nd.Ones(nd.Float32, 1).BroadcastTo(math.MaxInt>>23 + 1)).Err(), "1099511627776 samples by Up 536870912: too many"},
		{second(signal.FIR{Cutoff: [2]float64{1000}}.Taps(11)), "signal: fir: cutoff frequencies [1000]: want them to rise between 0 and 1, since FS is not given"},
		{second(signal.IIR{Order: 4, Cutoff: [2]float64{1000}, FS: 1500}.SOS()), "signal: iir: cutoff frequencies [1000]: want them to rise between 0 and 750"},
		{second(signal.Remez{Bands: [][2]float64{{0, 100}, {200, 400}}, Desired: []float64{1, 0}}.Taps(11)), "between 0 and 1, since FS is not given"},
		{second(signal.IIR{Order: 4, Cutoff: [2]float64{0.1, 0.2}}.SOS()), "signal: iir: Cutoff [0.1 0.2]: lowpass takes one frequency"},
		{second(signal.FIR{Band: signal.Highpass, Cutoff: [2]float64{0.1, 0.2}}.Taps(11)), "signal: fir: Cutoff [0.1 0.2]: highpass takes one frequency"},
		{signal.TF{B: []float64{1}, A: []float64{1, -1}}.FiltFilt(x).Err(), "signal: filtfilt: the filter does not settle: it has a pole at 1"},
		{signal.SOS{{1, 0, 0, 1, -1, 0}}.FiltFilt(x).Err(), "signal: filtfilt: section 0 does not settle"},
		{signal.TF{B: []float64{1, 1}}.FiltFilt(x, signal.FiltFilt{PadLen: -7}).Err(), "PadLen -7: want 1 or more"},
		{signal.Welch(x, signal.Spectral{NOverlap: -5}).Err(), "NOverlap -5: want 1 or more"},
		{signal.Decimate{Q: 2, Order: -1}.Apply(x).Err(), "Q 2 and Order -1: want 1 or more, or an Order of 0"},
		{signal.SoftMask(x.Cast(nd.Int16), x.Cast(nd.Int16), 2, false).Err(), "signal: softmask: x is int16, y is int16: want both float32 or float64"},
		{signal.SoftMask(x, x, -1, false).Err(), "softmask: power -1: want a positive number"},
		{signal.TimeStretch(x.Cast(nd.Int16), 2).Err(), "signal: timestretch: x is int16: want a float"},
		{signal.TimeStretch(x, 0).Err(), "signal: timestretch: 64 samples at rate 0: want a positive number"},
		{signal.TimeStretch(x, 1e9).Err(), "64 samples at rate 1e+09"},
		{signal.PitchShift(x.Cast(nd.Complex64), 2).Err(), "signal: pitchshift: x is complex64: want a float"},
		{signal.Delta(s, 9, 1).Err(), "signal: delta: width 9: want at most the 5 frames"},
		{signal.Delta(s, 3, 4).Err(), "signal: delta: width 3 and order 4"},
		{signal.Chroma{}.Apply(x.Cast(nd.Complex64)).Err(), "signal: chroma: a spectrum of two sides"},
		{second(signal.MinimumPhase(make([]float64, 5), false)), "minimumphase: all taps are 0"},
		{second(signal.MinimumPhase([]float64{1, math.NaN(), 1}, false)), "minimumphase: tap 1 is NaN"},
		{signal.Wiener(x, math.NaN(), 3).Err(), "wiener: noise NaN"},
		{second(signal.STFT{}.Times(100)), "signal: stft: 100 samples are too few to be reflected by 1024"},
		{signal.STFT{NFFT: 64}.Inverse(s.Cast(nd.Complex64), signal.Inverse{Length: -1}).Err(), "Length -1: want 0 or more"},
		{signal.Welch(x.Cast(nd.Int16)).Err(), "signal: welch: x is int16: want a float or a complex dtype, use Cast"},
		{signal.Hilbert(x.Cast(nd.Int16)).Err(), "signal: hilbert: x is int16: want a float dtype, use Cast"},
		{signal.CSD(x, x.Cast(nd.Float64)).Err(), "signal: csd: x is float32, y is float64: want one dtype, use Cast"},
		{signal.Conv{}.Apply(x, x.Cast(nd.Float64)).Err(), "signal: conv: k is float64, x is float32: want one dtype, use Cast"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
