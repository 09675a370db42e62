package bench_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// noise is an array in memory.
func noise(b *testing.B, t nd.DType, shape ...int) *nd.Array {
	b.Helper()
	x := nd.Normal(1, t, shape...)
	if err := nd.Eval(context.Background(), x); err != nil {
		b.Fatal(err)
	}
	return x
}

// evaluated repeats a computation; it is built anew each time, as a user's
// loop would.
func evaluated(b *testing.B, build func() *nd.Array) {
	b.Helper()
	for b.Loop() {
		y := build()
		if err := nd.Eval(context.Background(), y); err != nil {
			b.Fatal(err)
		}
		y.Release()
	}
}

// The benchmarks below have the names and sizes of signal_peers.py.

func BenchmarkWelch(b *testing.B) {
	x := noise(b, nd.Float32, 64, 1<<20)
	evaluated(b, func() *nd.Array { return signal.Welch(x, signal.Spectral{NPerSeg: 1024}).Array })
}

func BenchmarkSTFT(b *testing.B) {
	x := noise(b, nd.Float32, 600*44100)
	evaluated(b, func() *nd.Array { return signal.Librosa(2048, 512).Apply(x) })
}

// BenchmarkSTFTCentred is torch.stft's conventions: in one pass, with the signal
// padded in a pass of its own, and without what is beyond its ends. With
// TWIDDLE_TEST_DEVICE=cuda:0 it runs there.
func BenchmarkSTFTCentred(b *testing.B) {
	dev, err := nd.Open(cmp.Or(os.Getenv("TWIDDLE_TEST_DEVICE"), "cpu"))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ items, samples, nfft, hop int }{{16, 44100, 1024, 256}, {16, 44100, 512, 50}, {64, 441000, 2048, 512}} {
		x := noise(b, nd.Float32, c.items, c.samples).On(dev.Stream())
		s := signal.STFT{NFFT: c.nfft, Hop: c.hop}
		bare := s
		bare.Border = signal.BorderNone
		for name, f := range map[string]func(in ...*nd.Array) []*nd.Array{
			"centred": func(in ...*nd.Array) []*nd.Array { return []*nd.Array{s.Apply(in[0])} },
			"padded": func(in ...*nd.Array) []*nd.Array {
				p := in[0].PadAxis(-1, nd.Margin{Before: c.nfft / 2, After: c.nfft / 2}, nd.Pad{Mode: nd.PadReflect})
				return []*nd.Array{bare.Apply(p), p} // which is why it is made
			},
			"bare": func(in ...*nd.Array) []*nd.Array { return []*nd.Array{bare.Apply(in[0])} },
		} {
			b.Run(fmt.Sprintf("%d x %d/%d by %d/%s", c.items, c.samples, c.nfft, c.hop, name), func(b *testing.B) {
				compiled := nd.Compile(f)
				for b.Loop() {
					out, err := compiled.Call(context.Background(), x)
					if err != nil {
						b.Fatal(err)
					}
					for _, a := range out {
						a.Release()
					}
				}
			})
		}
	}
}

func BenchmarkISTFT(b *testing.B) {
	s := signal.Librosa(2048, 512)
	z := s.Apply(noise(b, nd.Float32, 60*44100))
	if err := nd.Eval(context.Background(), z); err != nil {
		b.Fatal(err)
	}
	evaluated(b, func() *nd.Array { return s.Inverse(z) })
}

func BenchmarkSOSFilt(b *testing.B) {
	x := noise(b, nd.Float32, 16, 1<<20)
	sos, err := signal.IIR{Order: 6, Cutoff: [2]float64{0.2}}.SOS()
	if err != nil {
		b.Fatal(err)
	}
	evaluated(b, func() *nd.Array { return sos.Filter(x) })
}

func BenchmarkResamplePoly(b *testing.B) {
	x := noise(b, nd.Float32, 4, 1<<20)
	evaluated(b, func() *nd.Array { return signal.ResamplePoly{Up: 160, Down: 147}.Apply(x) })
}

func BenchmarkFindPeaks(b *testing.B) {
	x := noise(b, nd.Float64, 4096, 513)
	for _, c := range []struct {
		name string
		opt  signal.PeakConditions
	}{
		{"all", signal.PeakConditions{}},
		{"prominence", signal.PeakConditions{Prominence: signal.AtLeast(0.5)}},
		{"together", signal.PeakConditions{Height: signal.AtLeast(0), Distance: 5, Prominence: signal.AtLeast(0.5), Width: signal.AtLeast(1)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := signal.FindPeaks(context.Background(), x, c.opt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
