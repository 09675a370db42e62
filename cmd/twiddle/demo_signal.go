package main

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// tone is a sine wave.
type tone struct {
	Hz        float64 `json:"hz"`
	Amplitude float64 `json:"amplitude"`
}

// The demo's signal: three tones under white noise of variance 1, so that
// together they have a fifth of its power. The frequencies are the notes A4,
// E6 and A7.
var demoTones = []tone{{440, 0.5}, {1318.51, 0.3}, {3520, 0.25}}

const (
	demoRate    = 16000 // samples per second
	demoSamples = 1 << 16
	demoWindow  = 4096
	demoHop     = demoWindow / 2
	demoKey     = nd.Key(2024)
)

// demoSignal is the samples.
func demoSignal() *nd.Array {
	t := nd.Arange[float32](0, demoSamples, 1).MulScalar(1.0 / demoRate)
	x := nd.Normal(demoKey, nd.Float32, demoSamples)
	for _, tone := range demoTones {
		x = x.Add(t.MulScalar(2 * math.Pi * tone.Hz).Sin().MulScalar(tone.Amplitude))
	}
	return x
}

// demoSpectrum is the power spectrum of x, scaled so that a tone's peak is the
// square of its amplitude: windows that overlap by half, averaged.
func demoSpectrum(x *nd.Array) *nd.Array {
	phase := nd.Arange[float32](0, demoWindow, 1).Beside(x).MulScalar(2 * math.Pi / demoWindow)
	hann := phase.Cos().MulScalar(-0.5).AddScalar(0.5)
	const half = demoWindow / 4 // the sum of the window, over two
	return x.Frames(demoWindow, demoHop).Mul(hann).RFFT().AbsSquared().Mean(0).MulScalar(1.0 / (half * half))
}

// demoPeaks is where a spectrum is higher than on either side, the highest
// first, k of them.
func demoPeaks(power *nd.Array, k int) (bins *nd.Array) {
	middle := power.Slice(nd.Range{Start: 1, Stop: -1})
	left, right := power.Slice(nd.Range{Stop: -2}), power.Slice(nd.Range{Start: 2, Stop: nd.End})
	isPeak := middle.Greater(left).And(middle.GreaterEqual(right))
	_, at := nd.Where(isPeak, middle, nd.FullLike(middle, 0)).TopK(k, 0)
	return at.AddScalar(1)
}

// refine finds a tone between bins: a parabola through the logarithms of a
// peak and its neighbours. What noise adds to the power is taken off.
func refine(power []float32, bin int, floor float64) tone {
	l := func(i int) float64 { return math.Log(math.Max(float64(power[i])-floor, 1e-12)) }
	a, b, c := l(bin-1), l(bin), l(bin+1)
	shift := 0.5 * (a - c) / (a - 2*b + c)
	height := b - 0.25*(a-c)*shift
	return tone{Hz: (float64(bin) + shift) * demoRate / demoWindow, Amplitude: math.Sqrt(math.Exp(height))}
}
