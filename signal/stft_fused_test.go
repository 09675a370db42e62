package signal_test

import (
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// What is fused behind an STFT, whose results lie across its frames, has the bits that it
// has behind spectra that were evaluated first. Tiles end within a row of frames, and the
// spectrogram is read across as well.
func TestMapsBehindSTFTKeepBits(t *testing.T) {
	ctx := t.Context()
	for _, c := range []struct{ channels, samples, nfft, hop int }{{1, 5000, 128, 32}, {2, 20000, 512, 128}, {3, 9000, 300, 150}, {1, 700, 256, 128}} {
		x := nd.Normal(3, nd.Float32, c.channels, c.samples)
		if err := nd.Eval(ctx, x); err != nil {
			t.Fatal(err)
		}
		s := signal.STFT{NFFT: c.nfft, Hop: c.hop}
		shape := s.Apply(x).Shape()
		gain := nd.Normal(4, nd.Float32, shape...)
		if err := nd.Eval(ctx, gain); err != nil {
			t.Fatal(err)
		}
		for name, build := range map[string]func(z *nd.Array) *nd.Array{
			"power":   (*nd.Array).AbsSquared,
			"gained":  func(z *nd.Array) *nd.Array { return z.Abs().Mul(gain).Add(gain) },
			"summed":  func(z *nd.Array) *nd.Array { return z.Abs().Mul(gain).Max(-2) },
			"masked":  func(z *nd.Array) *nd.Array { return z.AbsSquared().GreaterScalar(1).Cast(nd.Float32) },
			"flipped": func(z *nd.Array) *nd.Array { return z.Flip(-1).Abs() },
		} {
			fused, err := nd.Slice[float32](ctx, build(s.Apply(x)))
			if err != nil {
				t.Fatal(err)
			}
			z := s.Apply(x)
			if err := nd.Eval(ctx, z); err != nil {
				t.Fatal(err)
			}
			apart, err := nd.Slice[float32](ctx, build(z))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(fused, apart) {
				t.Errorf("%s of %+v: other bits than of spectra that were there", name, c)
			}
		}
	}
}
