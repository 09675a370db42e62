package signal_test

import (
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestMelGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 600)
	base := signal.Mel{STFT: signal.Librosa(64, 16), FS: 8000, NMels: 8}
	for _, c := range []struct {
		label string
		mel   signal.Mel
	}{
		{"slaney", signal.Mel{}}, {"htk", signal.Mel{HTK: true, Flat: true}}, {"band", signal.Mel{FMin: 300, FMax: 3000}},
	} {
		c.mel.STFT, c.mel.FS, c.mel.NMels = base.STFT, base.FS, base.NMels
		check(t, "mel "+c.label, c.mel.FilterBank(nd.Float64, 64), 1e-13)
		check(t, "melspectrogram "+c.label, c.mel.Spectrogram(x), 1e-12)
		check(t, "melspectrogram "+c.label, c.mel.Spectrogram(x.Cast(nd.Float32)), 2e-6)
	}
	reflected := signal.Mel{STFT: signal.STFT{NFFT: 64, Hop: 16}, FS: 8000, NMels: 8}
	check(t, "melspectrogram torchaudio slaney", reflected.Spectrogram(x), 2e-6)
	reflected.HTK, reflected.Flat = true, true
	check(t, "melspectrogram torchaudio", reflected.Spectrogram(x), 2e-6)
	amplitude := base
	amplitude.Power = 1
	check(t, "melspectrogram magnitude", amplitude.Spectrogram(x), 1e-12)
	check(t, "mfcc", base.MFCC(x.At(0), 5), 1e-12)
	first := base
	first.STFT.Axis = nd.Axis(0)
	check(t, "mfcc", first.MFCC(x.Transpose(), 5).SliceAxis(1, nd.Range{Stop: 1}).Squeeze(1), 1e-12)
	for _, htk := range []bool{false, true} {
		for _, f := range []float64{0, 440, 1000, 8000} {
			if back := signal.MelToHz(signal.HzToMel(f, htk), htk); math.Abs(back-f) > 1e-9 {
				t.Errorf("%g Hz to mel and back is %g", f, back)
			}
		}
	}
}

// Banks of many bands are multiplied strip by strip: they are what the dense product is.
func TestMelStripsAreTheDenseProduct(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 6000)
	for _, m := range []signal.Mel{
		{}, {NMels: 80, HTK: true, Flat: true}, {NMels: 40, FMin: 50, FMax: 4000}, {NMels: 600}, {NMels: 33},
	} {
		s := signal.Librosa(2048, 512).Apply(x).AbsSquared()
		want := m.FilterBank(nd.Float64, 2048).MatMul(s)
		inverts(t, "mel spectrogram", want, m.Spectrogram(x), 1e-13)
	}
}

func TestMelErrors(t *testing.T) {
	x := waves(600)
	for fact, got := range map[string]*nd.Array{
		"melspectrogram: FS -1":              signal.Mel{FS: -1}.Spectrogram(x),
		"NMels -1":                           signal.Mel{NMels: -1}.Spectrogram(x),
		"FMin 9000 and FMax 8000":            signal.Mel{FMin: 9000, FMax: 8000}.Spectrogram(x),
		"mfcc: 9 coefficients: want 1 to":    signal.Mel{NMels: 8}.MFCC(x, 9),
		"melfilterbank: nfft 0":              signal.Mel{}.FilterBank(nd.Float32, 0),
		"melspectrogram: x is complex128":    signal.Mel{}.Spectrogram(swirls(600)),
		"powertodb: x is int32":              signal.PowerToDB(nd.Zeros(nd.Int32, 3)),
		"amplitudetodb: Ref -1":              signal.AmplitudeToDB(x, signal.Decibels{Ref: -1}),
		"powertodb: AMin -1":                 signal.PowerToDB(x, signal.Decibels{AMin: -1}),
		"melspectrogram: TwoSided: mel band": signal.Mel{STFT: signal.STFT{NFFT: 64, TwoSided: true}}.Spectrogram(x),
	} {
		if err := got.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
}

func TestDecibelGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	p := waves(5, 12)
	p = p.Mul(p).Mul(p).Mul(p)
	check(t, "power to db", signal.PowerToDB(p), 1e-13)
	check(t, "power to db", signal.PowerToDB(p.Cast(nd.Float32)), 1e-6)
	check(t, "power to db max", signal.PowerToDB(p, signal.Decibels{RefMax: true, TopDB: 20}), 1e-13)
	check(t, "power to db ref", signal.PowerToDB(p, signal.Decibels{Ref: 2.5, AMin: 1e-3, TopDB: -1}), 1e-13)
	check(t, "amplitude to db", signal.AmplitudeToDB(p), 1e-13)
	back := signal.DBToPower(signal.PowerToDB(p, signal.Decibels{Ref: 3, TopDB: -1, AMin: 1e-300}), 3)
	inverts(t, "power to dB and back", p, back, 1e-13)
	back = signal.DBToAmplitude(signal.AmplitudeToDB(p, signal.Decibels{TopDB: -1, AMin: 1e-300}), 0)
	inverts(t, "amplitude to dB and back", p, back, 1e-13)
}
