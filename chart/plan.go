package chart

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/twiddle-go/twiddle/internal/figure"
	"github.com/twiddle-go/twiddle/nd"
)

// Plan is what nd.Explain found: a bar for each launch over the time that is predicted,
// from top to bottom in order, with a colour for each stream. A dashed line leads to a
// launch from one of another stream that it waits for.
//
//	p, err := nd.Explain(y)
//	err = chart.Plan{}.Save("plan.png", p)
type Plan struct {
	Title string
	Size  Size
}

// rowHeight is the points that a launch takes, and its bar.
const rowHeight, barHeight = 30, 9

// Save draws a plan and writes a PNG or an SVG file.
func (c Plan) Save(name string, p *nd.Plan) error {
	if p == nil {
		return errors.New("chart: plan: the plan is nil")
	}
	if err := drawable("plan", name); err != nil {
		return err
	}
	width, height, err := c.Size.lengths(min(60+rowHeight*float64(max(len(p.Steps), 1)), 10000))
	if err != nil {
		return err
	}
	for i, s := range p.Steps {
		if !(s.PredictedNs >= 0) || math.IsInf(s.PredictedNs, 0) || s.Stream < 0 || slices.ContainsFunc(s.Waits, func(w int) bool { return w < 0 || w >= i }) {
			return fmt.Errorf("chart: plan: step %d takes %g ns on stream %d and waits for %v: want a time, and steps before it", i, s.PredictedNs, s.Stream, s.Waits)
		}
	}
	rows := planRows{steps: p.Steps}
	end := rows.place()
	if end == 0 {
		end = 1 // nothing takes time
	}
	fig := figure.New()
	fig.Title.Text = c.Title
	fig.X.Min, fig.X.Max = 0, end
	unit, spelled := timeUnit(end)
	fig.X.Label.Text = "predicted time in " + spelled
	fig.X.Tick.Marker = figure.Ticks{About: 8, Unit: unit}
	fig.Y.Min, fig.Y.Max = -float64(max(len(p.Steps), 1)), 0
	fig.HideY()
	fig.Add(figure.Grid(), rows)
	return figure.Save(fig, width, height, name)
}

// timeUnit is what a time in ns is said in.
func timeUnit(ns float64) (float64, string) {
	switch {
	case ns >= 2e9:
		return 1e9, "s"
	case ns >= 2e6:
		return 1e6, "ms"
	case ns >= 2e3:
		return 1e3, "us"
	}
	return 1, "ns"
}

// planRows is the launches of a plan, each in a row.
type planRows struct {
	steps      []nd.PlanStep
	start, end []float64
}

// place lets launches begin when those before them on their stream, and those that they
// wait for, have ended. It gives the time of the last end.
func (r *planRows) place() (last float64) {
	free := map[int]float64{}
	for _, s := range r.steps {
		at := free[s.Stream]
		for _, w := range s.Waits {
			at = max(at, r.end[w])
		}
		r.start, r.end = append(r.start, at), append(r.end, at+s.PredictedNs)
		free[s.Stream] = at + s.PredictedNs
		last = max(last, free[s.Stream])
	}
	return last
}

// Plot implements plot.Plotter.
func (r planRows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	text := p.X.Tick.Label
	text.XAlign, text.YAlign = draw.XLeft, draw.YTop
	for i, s := range r.steps {
		top := y(-float64(i)) - vg.Points(3)
		label := fmt.Sprintf("%d  %s %s: %s", i, s.Program, dims(s.Dims), s.Label)
		c.FillText(text, vg.Point{X: c.Min.X + vg.Points(3), Y: top}, label)
		from, to := x(r.start[i]), max(x(r.end[i]), x(r.start[i])+vg.Points(1)) // all are seen
		bottom := top - vg.Points(14+barHeight)
		c.FillPolygon(figure.Line(s.Stream), []vg.Point{{X: from, Y: bottom}, {X: to, Y: bottom}, {X: to, Y: bottom + vg.Points(barHeight)}, {X: from, Y: bottom + vg.Points(barHeight)}})
		for _, w := range s.Waits {
			fence := draw.LineStyle{Color: color.Gray{Y: 0x80}, Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}
			c.StrokeLine2(fence, x(r.end[w]), y(-float64(w))-vg.Points(17+barHeight/2), from, bottom+vg.Points(barHeight/2))
		}
	}
}

// dims is an index space as 64 x 1024.
func dims(list []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", " x ")
}
