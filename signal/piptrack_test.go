package signal_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestPipTrack(t *testing.T) {
	testdevice.NeedsFloat64(t)
	f, m := signal.PipTrack{}.Apply(waves(12000).SubScalar(0.35))
	check(t, "piptrack", nd.Stack(0, f, m).Slice(nd.All, nd.Between(12, 374), nd.Range{Stop: nd.End, Step: 4}), 1e-9)
	f, m = signal.PipTrack{FS: 8000, FMin: signal.Zero, Threshold: 0.5}.Of(waves(2, 33, 6).Abs())
	check(t, "piptrack options", nd.Stack(0, f, m), 1e-12)
	odd := signal.PipTrack{STFT: signal.Librosa(501, 400), FMax: 9000}
	f, m = odd.Apply(waves(12000).SubScalar(0.35))
	check(t, "piptrack odd", nd.Stack(0, f, m).Slice(nd.All, nd.All, nd.Range{Stop: nd.End, Step: 5}), 1e-9)
	for _, bad := range []signal.PipTrack{{FS: -1}, {FMin: 5000}, {Threshold: -1}} {
		if f, _ := bad.Apply(waves(12000)); f.Err() == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
	if f, _ := (signal.PipTrack{}).Apply(waves(12000).Cast(nd.Complex128)); f.Err() == nil {
		t.Error("complex samples are no error")
	}
	if f, _ := (signal.PipTrack{STFT: signal.STFT{TwoSided: true}}).Apply(waves(12000)); f.Err() == nil {
		t.Error("spectra of two sides are no error")
	}
	if f, _ := (signal.PipTrack{}).Of(waves(2, 4)); f.Err() == nil {
		t.Error("two bins are no error")
	}
}
