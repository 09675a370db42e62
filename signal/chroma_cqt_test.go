package signal_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestChromaCQT(t *testing.T) {
	testdevice.NeedsFloat64(t)
	check(t, "cq_to_chroma", signal.ChromaCQT{PerOctave: 12}.FilterBank(nd.Float64, 50), 0)
	check(t, "cq_to_chroma 36", signal.ChromaCQT{}.FilterBank(nd.Float64, 50), 0)
	check(t, "cq_to_chroma A", signal.ChromaCQT{PerOctave: 12, FMin: 110}.FilterBank(nd.Float64, 50), 0)
	check(t, "cq_to_chroma 24", signal.ChromaCQT{Classes: 24, PerOctave: 48, FMin: 60}.FilterBank(nd.Float64, 50), 0)
	_, c := want(t, "cqt librosa")
	s := nd.From(c, 30, len(c)/30).Abs().SliceAxis(0, nd.Head(24))
	check(t, "chroma_cqt", signal.ChromaCQT{PerOctave: 12, FMin: 440}.Of(s), 1e-12)
	check(t, "chroma_cqt threshold", signal.ChromaCQT{PerOctave: 12, FMin: 440, Threshold: 3}.Of(s), 1e-12)
	// librosa leaves out a hundredth of its filters.
	check(t, "chroma_cqt whole", signal.ChromaCQT{FMin: 440, Octaves: 2, Hop: 127}.Apply(glide(6000)), 0.02)
	for _, bad := range []signal.ChromaCQT{{PerOctave: 13}, {Classes: -1}, {Octaves: -1}, {FMin: -1}, {FS: -1}, {Threshold: math.NaN()}, {Octaves: 1 << 30}} {
		if y := bad.Apply(glide(6000)); y.Err() == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}
