package command

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/twiddle-go/twiddle/internal/figure"
)

// draw is the picture as PNG: levels over time and frequency with a scale of
// colours, and below them percentiles over time.
func (l *ltsa) draw() ([]byte, error) {
	const width, height, lower, bar = 760, 520, 190, 62
	return figure.Render(width, height, func(c draw.Canvas) error {
		low, high := l.levels()
		upper := draw.Crop(c, 0, 0, lower, 0)
		p := figure.New()
		p.Title.Text = l.title + ", " + l.line
		p.Add(plotter.NewImage(l.image(low, high), 0, l.place(l.low), l.end.Sub(l.start).Seconds(), l.place(l.high)))
		p.X.Min, p.X.Max = 0, l.end.Sub(l.start).Seconds()
		p.X.Tick.Marker = timeTicks{l.start}
		p.X.Label.Text = "UTC, from " + l.start.Format("2006-01-02 15:04")
		l.frequencyAxis(&p.Y)
		p.Draw(draw.Crop(upper, 0, -bar-8, 0, 0))

		b := figure.New()
		heat := figure.Heat()
		scale := image.NewRGBA(image.Rect(0, 0, 1, len(heat)))
		for i, colour := range heat {
			scale.SetRGBA(0, len(heat)-1-i, colour)
		}
		b.Add(plotter.NewImage(scale, 0, low, 1, high))
		b.X.Min, b.X.Max, b.Y.Min, b.Y.Max = 0, 1, low, high
		b.X.Tick.Marker = plot.ConstantTicks{{Value: -1}}
		b.X.LineStyle.Width, b.X.Tick.LineStyle.Width, b.X.Tick.Length = 0, 0, 0
		b.Y.Tick.Marker = figure.Ticks{About: 6, Unit: 1}
		b.Y.Label.Text = l.unit
		// The bar is as high as the picture beside it.
		below := p.X.Tick.Label.FontExtents().Height + p.X.Label.TextStyle.FontExtents().Height + p.X.Tick.Length + p.X.Label.Padding + p.X.Padding
		above := p.Title.TextStyle.FontExtents().Height + p.Title.Padding
		b.Draw(draw.Crop(upper, upper.Max.X-upper.Min.X-bar, 0, below, -above))

		q, err := l.curves()
		if err != nil {
			return err
		}
		q.Draw(draw.Crop(c, 0, 0, 0, -(height - lower)))
		return nil
	})
}

// levels is the range of colours: what is between the first and the last
// hundredth, so that a few loud moments do not darken the rest.
func (l *ltsa) levels() (low, high float64) {
	var all []float64
	for _, c := range l.columns {
		for i := 0; i < len(c); i += 4 {
			if v := c[i]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				all = append(all, v)
			}
		}
	}
	if len(all) == 0 {
		return 0, 1
	}
	slices.Sort(all)
	low, high = math.Floor(all[len(all)/100]), math.Ceil(all[len(all)-1-len(all)/100])
	return low, max(high, low+1)
}

// nothing is the colour of where there are no samples.
var nothing = color.RGBA{0xf2, 0xf3, 0xf5, 255}

func (l *ltsa) image(low, high float64) image.Image {
	rows := len(l.columns[0])
	img := image.NewRGBA(image.Rect(0, 0, len(l.columns), rows))
	for x, column := range l.columns {
		for y, v := range column {
			colour := nothing
			if !math.IsNaN(v) {
				colour = figure.HeatOf(max(v, low), low, high)
			}
			img.SetRGBA(x, rows-1-y, colour)
		}
	}
	return img
}

func (l *ltsa) frequencyAxis(a *plot.Axis) {
	a.Min, a.Max = l.place(l.low), l.place(l.high)
	a.Label.Text = "frequency in Hz"
	a.Tick.Marker = figure.Ticks{About: 8, Unit: 1}
	if !l.linear {
		a.Tick.Marker = decades{}
	}
}

// place is where a frequency is on its axis: pictures have logarithms there,
// because pixels are as far apart everywhere.
func (l *ltsa) place(f float64) float64 {
	if l.linear {
		return f
	}
	return math.Log10(f)
}

// decades marks an axis of decimal logarithms: powers of ten, and what is between them without a name.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for power := math.Floor(low); power <= high; power++ {
		for m := 1; m < 10; m++ {
			v := float64(m) * math.Pow(10, power)
			t := plot.Tick{Value: math.Log10(v)}
			if t.Value < low-1e-9 || t.Value > high+1e-9 {
				continue
			}
			if m == 1 || m == 2 || m == 5 {
				if t.Label = fmt.Sprintf("%g", v); v >= 1000 {
					t.Label = fmt.Sprintf("%gk", v/1000)
				}
			}
			out = append(out, t)
		}
	}
	return out
}

// timeTicks marks times and dates, whose axis is in seconds from a start.
type timeTicks struct{ start time.Time }

// steps are lengths that times are marked at.
var steps = []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 2 * 24 * time.Hour, 7 * 24 * time.Hour, 14 * 24 * time.Hour, 30 * 24 * time.Hour, 91 * 24 * time.Hour, 365 * 24 * time.Hour}

// Ticks implements plot.Ticker.
func (t timeTicks) Ticks(low, high float64) []plot.Tick {
	span := time.Duration((high - low) * 1e9)
	step := steps[len(steps)-1]
	for _, s := range steps {
		if span/s <= 8 {
			step = s
			break
		}
	}
	var out []plot.Tick
	for at := t.start.Add(time.Duration(low * 1e9)).Truncate(step); ; at = at.Add(step) {
		v := at.Sub(t.start).Seconds()
		if v > high+1e-6 {
			return out
		}
		if v < low-1e-6 {
			continue
		}
		label := at.Format(time.DateOnly)
		switch midnight := at.Truncate(24 * time.Hour).Equal(at); {
		case step < time.Minute:
			label = at.Format("15:04:05")
		case step < 24*time.Hour && !midnight:
			label = at.Format("15:04")
		case step < 24*time.Hour:
			label = at.Format("2 Jan")
		}
		out = append(out, plot.Tick{Value: v, Label: label})
	}
}

// curves are percentiles over time.
func (l *ltsa) curves() (*plot.Plot, error) {
	p := figure.New()
	p.Add(figure.Grid())
	l.frequencyAxis(&p.X)
	p.Y.Label.Text = l.unit
	p.Y.Tick.Marker = figure.Ticks{About: 6, Unit: 1}
	least, most := math.Inf(1), math.Inf(-1)
	for i := len(l.percents) - 1; i >= 0; i-- {
		var points plotter.XYs
		for r, v := range l.percentiles[i] {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				points = append(points, plotter.XY{X: l.place(l.frequencies[r]), Y: v})
				least, most = min(least, v), max(most, v)
			}
		}
		if len(points) == 0 {
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = figure.Line(i), vg.Points(1)
		p.Add(line)
		p.Legend.Add(fmt.Sprintf("%g%% of the time below", l.percents[i]), line)
	}
	if least > most {
		least, most = 0, 1
	}
	room := 0.05*(most-least) + 0.5
	p.Y.Min, p.Y.Max = least-room, most+room
	return p, nil
}
