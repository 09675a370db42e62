package bench_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Beside SciPy and librosa: signal_complete_peers.py has the same names and sizes.

func BenchmarkLFilter64(b *testing.B) {
	x := noise(b, nd.Float64, 64, 480000)
	f, err := signal.IIR{Order: 4, Cutoff: [2]float64{0.2}}.TF()
	if err != nil {
		b.Fatal(err)
	}
	evaluated(b, func() *nd.Array { return f.Filter(x) })
}

func BenchmarkSOSFilt64(b *testing.B) {
	x := noise(b, nd.Float64, 64, 480000)
	f, err := signal.IIR{Order: 4, Cutoff: [2]float64{0.2}}.SOS()
	if err != nil {
		b.Fatal(err)
	}
	evaluated(b, func() *nd.Array { return f.Filter(x) })
}

func BenchmarkConvolveLine(b *testing.B) {
	x := noise(b, nd.Float64, 1000000)
	for _, taps := range []int{3, 31, 255, 4096} {
		b.Run(strconv.Itoa(taps), func(b *testing.B) {
			k := noise(b, nd.Float64, taps)
			evaluated(b, func() *nd.Array { return signal.Convolve{Mode: signal.Same}.Apply(x, k) })
		})
	}
}

func BenchmarkConvolve2D(b *testing.B) {
	x, k := noise(b, nd.Float64, 512, 512), noise(b, nd.Float64, 31, 31)
	evaluated(b, func() *nd.Array { return signal.Convolve{}.Apply(x, k) })
}

func BenchmarkMedFilt(b *testing.B) {
	x := noise(b, nd.Float64, 1<<20)
	evaluated(b, func() *nd.Array { return signal.MedFilt(x, 31) })
}

func BenchmarkSavGol(b *testing.B) {
	x := noise(b, nd.Float64, 16, 1<<18)
	evaluated(b, func() *nd.Array { return signal.SavGol{Window: 31, Order: 3}.Apply(x) })
}

func BenchmarkResamplePoly4(b *testing.B) {
	x := noise(b, nd.Float64, 4, 1<<20)
	evaluated(b, func() *nd.Array { return signal.ResamplePoly{Up: 160, Down: 147}.Apply(x) })
}

func BenchmarkChroma(b *testing.B) {
	x := noise(b, nd.Float32, 60*22050)
	evaluated(b, func() *nd.Array { return signal.Chroma{}.Apply(x) })
}

func BenchmarkMFCC(b *testing.B) {
	x := noise(b, nd.Float32, 60*22050)
	evaluated(b, func() *nd.Array { return signal.Mel{}.MFCC(x, 20) })
}

func BenchmarkHPSS(b *testing.B) {
	s := signal.Librosa(2048, 512).Apply(noise(b, nd.Float32, 30*22050)).Abs()
	if err := nd.Eval(context.Background(), s); err != nil {
		b.Fatal(err)
	}
	evaluated(b, func() *nd.Array {
		h, p := signal.HPSS{}.Apply(s)
		return nd.Stack(0, h, p)
	})
}
