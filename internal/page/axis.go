package page

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// ticks marks round numbers, about as many as asked for, divided by a unit.
type ticks struct {
	about int
	unit  float64
}

// Ticks implements plot.Ticker.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	step := roundStep((high - low) / t.unit / float64(t.about))
	var out []plot.Tick
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	first := math.Ceil(low/t.unit/step - 1e-9)
	for i := first; i*step*t.unit <= high+1e-9*(high-low); i++ {
		v := i * step
		if v == 0 {
			v = 0 // no minus
		}
		out = append(out, plot.Tick{Value: v * t.unit, Label: fmt.Sprintf("%.*f", digits, v)})
	}
	return out
}

// roundStep is 1, 2 or 5 times a power of ten, at least as great as v.
func roundStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// timeAxis labels seconds in the unit that suits their number.
func timeAxis(a *plot.Axis, seconds float64, sampled bool) {
	unit, name := 1.0, "time in s"
	switch {
	case !sampled:
		name = "time in samples"
	case seconds < 1:
		unit, name = 1e-3, "time in ms"
	case seconds >= 2*3600:
		unit, name = 3600, "time in hours"
	case seconds >= 5*60:
		unit, name = 60, "time in minutes"
	}
	a.Label.Text = name
	a.Tick.Marker = ticks{10, unit}
	a.Min, a.Max = 0, seconds
}

// frequencyAxis labels frequencies up to the highest.
func frequencyAxis(a *plot.Axis, highest float64, about int, sampled bool) {
	unit, name := 1.0, "frequency in Hz"
	switch {
	case !sampled:
		name = "frequency in cycles per sample"
	case highest >= 4000:
		unit, name = 1000, "frequency in kHz"
	}
	a.Label.Text = name
	a.Tick.Marker = ticks{about, unit}
	a.Min, a.Max = 0, highest
}

// newPlot is an empty picture in the style of all.
func newPlot() *plot.Plot {
	p := plot.New()
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font.Variant = "Sans"
		a.Label.TextStyle.Font.Size = vg.Points(9)
		a.Label.TextStyle.Color = ink
		a.Label.Padding = vg.Points(3)
		a.Tick.Label.Font.Variant = "Sans"
		a.Tick.Label.Font.Size = vg.Points(8)
		a.Tick.Label.Color = ink
		a.Tick.Length = vg.Points(3)
		a.Tick.LineStyle.Color = faint
		a.LineStyle.Color = faint
		a.LineStyle.Width = vg.Points(0.6)
		a.Padding = 0
	}
	p.Legend.TextStyle.Font.Variant = "Sans"
	p.Legend.TextStyle.Font.Size = vg.Points(8)
	p.Legend.TextStyle.Color = ink
	p.Legend.Top = true
	p.Legend.ThumbnailWidth = vg.Points(14)
	p.Legend.YOffs, p.Legend.XOffs = vg.Points(-4), vg.Points(-6)
	return p
}
