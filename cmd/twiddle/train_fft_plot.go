package main

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/twiddle-go/twiddle/internal/figure"
	"github.com/twiddle-go/twiddle/learn/butterfly"
)

// plotTwiddles draws the numbers of a network over those of an exact one: in the
// complex plane, or if they are real factor by factor. Both are without the
// scales that may lie between factors anywhere. Products of two butterflies have
// more freedom than that, so some factors of a learned one have other numbers.
func plotTwiddles(name string, t butterfly.Transform, net *butterfly.Network, seed uint64) error {
	exact, err := butterfly.Exact(t, net.N, seed)
	if err != nil {
		return err
	}
	p := figure.New()
	p.Title.Text = fmt.Sprintf("%s of %d: learned and exact twiddles", t, net.N)
	p.Add(figure.Grid())
	places, width, height := inPlane, 6*vg.Inch, 6.6*vg.Inch // a circle is round
	if net.Real {
		places, width, height = byFactor, 8*vg.Inch, 5*vg.Inch
		p.X.Label.Text, p.Y.Label.Text = "factor, its values in ascending order", "value"
		p.X.Min, p.X.Max = 0.5, float64(len(net.Spans))+0.5
		p.X.Tick.Marker, p.Y.Tick.Marker = figure.Ticks{About: len(net.Spans), Unit: 1}, signedTicks{}
	} else {
		p.X.Label.Text, p.Y.Label.Text = "real part", "imaginary part"
		p.X.Tick.Marker, p.Y.Tick.Marker = figure.Ticks{About: 8, Unit: 1}, figure.Ticks{About: 8, Unit: 1}
	}
	for _, s := range []struct {
		name  string
		net   *butterfly.Network
		style draw.GlyphStyle
	}{
		{"exact", exact, draw.GlyphStyle{Color: color.RGBA{0x99, 0x9f, 0xa8, 0xff}, Radius: vg.Points(3.2), Shape: draw.RingGlyph{}}},
		{"learned", net, draw.GlyphStyle{Color: figure.Accent, Radius: vg.Points(1.2), Shape: draw.CircleGlyph{}}},
	} {
		points, err := plotter.NewScatter(places(s.net.Canonical()))
		if err != nil {
			return fmt.Errorf("plot: %w", err)
		}
		points.GlyphStyle = s.style
		p.Add(points)
		p.Legend.Add(s.name, points)
	}
	room := 0.12 * (p.Y.Max - p.Y.Min) // for the legend, above all points
	p.Y.Max += room
	if err := figure.Save(p, width, height, name); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}

// inPlane is where complex numbers are.
func inPlane(net *butterfly.Network) plotter.XYs {
	var out plotter.XYs
	for k := range net.Spans {
		for _, w := range twiddles(net, k) {
			out = append(out, plotter.XY{X: real(w), Y: imag(w)})
		}
	}
	return out
}

// byFactor is where real numbers are: those of a factor side by side, from the
// least to the greatest, their logarithms up and down.
func byFactor(net *butterfly.Network) plotter.XYs {
	var out plotter.XYs
	for k := range net.Spans {
		values := twiddles(net, k)
		slices.SortFunc(values, func(a, b complex128) int { return cmp.Compare(real(a), real(b)) })
		for i, w := range values {
			out = append(out, plotter.XY{X: float64(k+1) + 0.7*(float64(i)/float64(len(values))-0.5), Y: math.Asinh(real(w))})
		}
	}
	return out
}

// twiddles is the numbers of the second column of every block of a factor, which
// the first has been divided by.
func twiddles(net *butterfly.Network, factor int) []complex128 {
	half := net.N / 2
	var out []complex128
	for row := range 2 {
		out = append(out, net.W[((factor*2+row)*2+1)*half:][:half]...)
	}
	return out
}

// signedTicks marks powers of ten, and 0, where the axis has the inverse
// hyperbolic sine of a number: a logarithm for numbers of either sign.
type signedTicks struct{}

// Ticks implements plot.Ticker.
func (signedTicks) Ticks(low, high float64) []plot.Tick {
	out := []plot.Tick{{Value: 0, Label: "0"}}
	for v := 1.0; math.Asinh(v) <= max(high, -low); v *= 10 {
		for _, signed := range []float64{-v, v} {
			if at := math.Asinh(signed); low <= at && at <= high {
				out = append(out, plot.Tick{Value: at, Label: strconv.FormatFloat(signed, 'g', -1, 64)})
			}
		}
	}
	return out
}
