package signal_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// TestBatchesWithoutLines: no lines give no results, of the shape that lines would have.
func TestBatchesWithoutLines(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	ctx := t.Context()
	f := binsOf(256, 22050)
	for name, apply := range map[string]func(x, s, z *nd.Array) *nd.Array{
		"bandwidth":  func(_, s, _ *nd.Array) *nd.Array { return signal.Bandwidth(s, f, 0) },
		"centroid":   func(_, s, _ *nd.Array) *nd.Array { return signal.Centroid(s, f) },
		"cepstrum":   func(_, s, _ *nd.Array) *nd.Array { return signal.Cepstrum{N: 5}.Apply(s) },
		"chroma":     func(_, s, _ *nd.Array) *nd.Array { return signal.Chroma{}.Of(s) },
		"constant q": func(x, _, _ *nd.Array) *nd.Array { return signal.ConstantQ{FS: 22050, FMin: 200, Bins: 24}.Apply(x) },
		"contrast":   func(_, s, _ *nd.Array) *nd.Array { return signal.Contrast{}.Apply(s, f) },
		"flatness":   func(_, s, _ *nd.Array) *nd.Array { return signal.Flatness(s, 2) },
		"gccphat":    func(x, _, _ *nd.Array) *nd.Array { return signal.GCCPHAT{}.Apply(x, x).Array },
		"griffinlim": func(_, s, _ *nd.Array) *nd.Array { return signal.GriffinLim{Iterations: 2}.Apply(s) },
		"hpss":       func(_, s, _ *nd.Array) *nd.Array { h, _ := signal.HPSS{}.Apply(s); return h },
		"istft":      func(_, _, z *nd.Array) *nd.Array { return signal.Librosa(256, 64).Inverse(z) },
		"medfilt":    func(x, _, _ *nd.Array) *nd.Array { return signal.MedFilt(x, 3) },
		"pcen":       func(_, s, _ *nd.Array) *nd.Array { return signal.PCEN{FS: 22050, Hop: 64}.Apply(s) },
		"piptrack":   func(_, s, _ *nd.Array) *nd.Array { p, _ := signal.PipTrack{FS: 22050}.Of(s); return p },
		"pitchshift": func(x, _, _ *nd.Array) *nd.Array { return signal.PitchShift(x, 2) },
		"rolloff":    func(_, s, _ *nd.Array) *nd.Array { return signal.Rolloff(s, f, 0) },
		"stft":       func(x, _, _ *nd.Array) *nd.Array { return signal.Librosa(256, 64).Apply(x) },
		"stretch":    func(x, _, _ *nd.Array) *nd.Array { return signal.TimeStretch(x, 2) },
		"vocoder":    func(_, _, z *nd.Array) *nd.Array { return signal.PhaseVocoder(z, 1.3, 64) },
		"wiener":     func(x, _, _ *nd.Array) *nd.Array { return signal.Wiener(x, 0, 3) },
		"welch":      func(x, _, _ *nd.Array) *nd.Array { return signal.Welch(x).Array },
	} {
		x := nd.Zeros(nd.Float64, 1, 8000)
		z := signal.Librosa(256, 64).Apply(x)
		one := apply(x, z.Abs(), z)
		none := func(a *nd.Array) *nd.Array { return a.SliceAxis(0, nd.Range{Stop: 0}) }
		got := apply(none(x), none(z.Abs()), none(z))
		if err := nd.Eval(ctx, one, got); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := one.Shape()
		want[0] = 0
		if got.NDim() != len(want) || got.Len() != 0 || got.Dim(-1) != want[len(want)-1] && len(want) > 1 {
			t.Errorf("%s: shape %v, want %v", name, got.Shape(), want)
		}
	}
}
