package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/twiddle-go/twiddle/internal/figure"
)

// plotCosts draws measured over predicted times, both in microseconds on a
// logarithmic scale, with the lines between which predictions should lie.
func plotCosts(name string, r *costReport) error {
	p := figure.New()
	p.Title.Text = fmt.Sprintf("What the cost model predicts, on %s", r.Device)
	p.X.Label.Text, p.Y.Label.Text = "predicted, us", "measured, us"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	points := make(plotter.XYs, len(r.Rows))
	low, high := r.Rows[0].NS/1e3, r.Rows[0].NS/1e3
	for i, row := range r.Rows {
		points[i] = plotter.XY{X: row.Predicted / 1e3, Y: row.NS / 1e3}
		low, high = min(low, points[i].X, points[i].Y), max(high, points[i].X, points[i].Y)
	}
	for _, factor := range []float64{1 / costGoal, 1, costGoal} {
		l, err := plotter.NewLine(plotter.XYs{{X: low, Y: factor * low}, {X: high, Y: factor * high}})
		if err != nil {
			return fmt.Errorf("plot: %w", err)
		}
		l.Color = color.RGBA{0x99, 0x9f, 0xa8, 0xff}
		if factor != 1 {
			l.Dashes = []vg.Length{vg.Points(3), vg.Points(3)}
		}
		p.Add(l)
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	s.GlyphStyle = draw.GlyphStyle{Color: figure.Accent, Radius: vg.Points(2.5), Shape: draw.CircleGlyph{}}
	p.Add(s)
	if err := figure.Save(p, 14*vg.Centimeter, 12*vg.Centimeter, name); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}
