package main

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/twiddle-go/twiddle/internal/figure"
	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

// The tone: C3 as a piano plays it, roughly. Harmonics above half the sampling
// rate fold back, in the target as in the synthesis.
const (
	pianoRate      = 2048   // samples per second
	pianoSamples   = 2048   // one second
	pianoF0        = 131.64 // Hz
	pianoHarmonics = 12
	pianoHidden    = 16
	pianoGain      = 1.0 / 6 // of the sum, so that 12 loud harmonics fit a file
)

// pianoTone is what is trained towards, and what the training drives.
type pianoTone struct {
	times     *nd.Array // (samples, 1), in seconds
	harmonics *nd.Array // (samples, harmonics): sines of amplitude 1
	target    *nd.Array // (samples)
}

// newPianoTone makes the target: harmonic h begins within 5 ms at an amplitude
// of 0.9/h^1.2 and decays by exp(-(2 + 0.5 h) t), the higher the faster, as
// strings do.
func newPianoTone() *pianoTone {
	times := make([]float32, pianoSamples)
	sines := make([]float32, 0, pianoSamples*pianoHarmonics)
	target := make([]float32, pianoSamples)
	for i := range times {
		t := float64(i) / pianoRate
		times[i] = float32(t)
		attack := 1 - math.Exp(-t/0.005)
		sum := 0.0
		for h := 1; h <= pianoHarmonics; h++ {
			s := math.Sin(2 * math.Pi * pianoF0 * float64(h) * t)
			sines = append(sines, float32(s))
			sum += s * 0.9 / math.Pow(float64(h), 1.2) * attack * math.Exp(-(2+0.5*float64(h))*t)
		}
		target[i] = float32(sum * pianoGain)
	}
	return &pianoTone{
		times:     nd.From(times, pianoSamples, 1),
		harmonics: nd.From(sines, pianoSamples, pianoHarmonics),
		target:    nd.From(target, pianoSamples),
	}
}

// on is the tone on a device.
func (p *pianoTone) on(dev *nd.Device) *pianoTone {
	at := dev.Stream()
	return &pianoTone{p.times.On(at), p.harmonics.On(at), p.target.On(at)}
}

// network is the parameters of time -> tanh -> sigmoid, drawn from a key.
func (p *pianoTone) network(key nd.Key) []learn.Param {
	k := key.Split(4)
	normal := func(k nd.Key, scale float64, shape ...int) *nd.Array {
		return nd.Normal(k, nd.Float32, shape...).MulScalar(scale)
	}
	return []learn.Param{
		{Name: "hidden.weight", Value: normal(k[0], 1, 1, pianoHidden)},
		{Name: "hidden.bias", Value: normal(k[1], 1, pianoHidden)},
		{Name: "out.weight", Value: normal(k[2], 1/math.Sqrt(pianoHidden), pianoHidden, pianoHarmonics)},
		{Name: "out.bias", Value: normal(k[3], 0, pianoHarmonics)},
	}
}

// synth is the tone of a network: the sum of the harmonics, each as loud as the
// network says it is at that time.
func (p *pianoTone) synth(w []*nd.Array) *nd.Array {
	hidden := p.times.MatMul(w[0]).Add(w[1]).Tanh()
	loud := hidden.MatMul(w[2]).Add(w[3]).Sigmoid()
	return loud.Mul(p.harmonics).Sum(-1).MulScalar(pianoGain)
}

// plotLoss draws the loss over epochs, on a logarithmic scale.
func plotLoss(name string, curve []float64) error {
	p := figure.New()
	p.Title.Text = "Training a piano-like tone"
	p.X.Label.Text = "epoch"
	p.Y.Label.Text = "frame loss + 0.1 mse"
	p.X.Tick.Marker = figure.Ticks{About: 10, Unit: 1}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	points := make(plotter.XYs, len(curve))
	for i, v := range curve {
		points[i] = plotter.XY{X: float64(i), Y: max(v, 1e-12)}
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = figure.Line(0), vg.Points(1.4)
	p.Add(figure.Grid(), line)
	return figure.Save(p, 6*vg.Inch, 3.6*vg.Inch, name)
}
