package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/twiddle-go/twiddle/learn/butterfly"
)

// plotTwiddles draws the numbers of a network in the complex plane, over those
// of an exact one. Both are without the scales that may lie between factors
// anywhere.
func plotTwiddles(name string, t butterfly.Transform, net *butterfly.Network, seed uint64) error {
	exact, err := butterfly.Exact(t, net.N, seed)
	if err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s of %d: learned and exact twiddles", t, net.N)
	p.X.Label.Text, p.Y.Label.Text = "real part", "imaginary part"
	p.Add(plotter.NewGrid())
	for _, s := range []struct {
		name  string
		net   *butterfly.Network
		style draw.GlyphStyle
	}{
		{"exact", exact, draw.GlyphStyle{Color: color.RGBA{R: 0x99, G: 0x99, B: 0x99, A: 0xff}, Radius: vg.Points(4), Shape: draw.RingGlyph{}}},
		{"learned", net, draw.GlyphStyle{Color: color.RGBA{R: 0xc0, G: 0x30, B: 0x20, A: 0xff}, Radius: vg.Points(1.4), Shape: draw.CircleGlyph{}}},
	} {
		points, err := plotter.NewScatter(twiddlesOf(s.net))
		if err != nil {
			return fmt.Errorf("plot: %w", err)
		}
		points.GlyphStyle = s.style
		p.Add(points)
		p.Legend.Add(s.name, points)
	}
	p.Legend.Top = true
	if err := p.Save(16*vg.Centimeter, 15*vg.Centimeter, name); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}

// twiddlesOf is the numbers of the second column of every block, which the
// first has been divided by.
func twiddlesOf(net *butterfly.Network) plotter.XYs {
	c := net.Canonical()
	half := c.N / 2
	var out plotter.XYs
	for k := range c.Spans {
		for row := range 2 {
			for _, w := range c.W[((k*2+row)*2+1)*half:][:half] {
				out = append(out, plotter.XY{X: real(w), Y: imag(w)})
			}
		}
	}
	return out
}
