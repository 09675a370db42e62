package loss_test

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// tones is a batch of two sines of the given amplitudes.
func tones(a, b float64) *nd.Array {
	t := nd.Linspace(0.0, 40, 400)
	return nd.Stack(0, t.Sin().MulScalar(a), t.MulScalar(3).Sin().MulScalar(b))
}

func show(a *nd.Array) {
	v, err := nd.Slice[float64](context.Background(), a)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range v {
		fmt.Printf("%.4f ", x)
	}
	fmt.Println()
}

func ExampleFrame() {
	show(loss.Frame{Size: 32, Reduction: loss.Item}.Of(tones(0.5, 1), tones(1, 1)))
	// Output: 12994.9994 0.0000
}

func ExampleFrame_gradient() {
	x := tones(0.5, 1)
	g := nd.Grad(loss.Frame{Size: 32}.Of(x, tones(1, 1)), x)[0]
	louder := x.Sub(g.MulScalar(1e-4)) // a step against the gradient
	show(louder.AbsSquared().Sum(-1).Div(x.AbsSquared().Sum(-1)))
	// Output: 1.0521 1.0000
}

func ExampleSTFT() {
	show(loss.STFT{NFFT: 64, Hop: 16, Reduction: loss.Item}.Of(tones(0.5, 1), tones(1, 1)))
	// Output: 0.8776 0.0000
}

func ExampleMultiResolutionSTFT() {
	m := loss.MultiResolutionSTFT{Resolutions: []loss.Resolution{{64, 16, 64}, {128, 32, 100}}}
	show(m.Of(tones(0.5, 1), tones(1, 1)))
	// Output: 0.5969
}

func ExampleRandomResolutionSTFT() {
	r := loss.RandomResolutionSTFT{Key: 7, MaxFFT: 256}
	each, err := r.Draw()
	fmt.Println(len(each), err, each[0].NFFT)
	// Output: 3 <nil> 128
}

func ExampleMel() {
	m := loss.Mel{Bands: signal.Mel{FS: 8000, NMels: 20}, STFT: loss.STFT{NFFT: 128, Hop: 32}}
	show(m.Of(tones(0.5, 1), tones(1, 1)))
	// Output: 0.6104
}

func ExampleMultiScale() {
	show(loss.MultiScale{Sizes: []int{128, 64}}.Of(tones(0.5, 1), tones(1, 1)))
	// Output: 0.5149
}

func ExampleSISDR() {
	x := tones(0.5, 1).Add(tones(0, 1).Flip(-1).MulScalar(0.1))
	show(loss.SISDR{Reduction: loss.Item}.Of(x, tones(1, 1)))
	// Output: -97.0227 -23.9397
}

func ExampleSDR() {
	show(loss.SDR{Reduction: loss.Item}.Of(tones(0.5, 0.9), tones(1, 1)))
	// Output: -6.0206 -20.0000
}

func ExampleESR() {
	show(loss.ESR{Reduction: loss.Item}.Of(tones(0.5, 0.9), tones(1, 1)))
	// Output: 0.2500 0.0100
}

func ExampleDC() {
	show(loss.DC{Reduction: loss.Item}.Of(tones(1, 1).AddScalar(0.5), tones(1, 1)))
	// Output: 0.4944 0.5027
}

func ExampleLogCosh() {
	show(loss.LogCosh{Reduction: loss.Item}.Of(tones(0.5, 0.9), tones(1, 1)))
	// Output: 0.0613 0.0025
}
