package figure

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Map is levels over time and frequency.
type Map struct {
	Columns   [][]float32 // in dB, low frequencies first
	Seconds   float64     // that the columns cover
	Bottom    float64     // frequency of the lower end of the first row
	Top       float64     // frequency of the upper end of the last row
	Rows      []float64   // frequency of each row, rising, if they are not even steps from Bottom to Top
	Low, High float64     // the range of colours
	Sampled   bool        // the rate is known: otherwise time is in samples
	Title     string
}

// Spectrogram draws a map with a scale of colours at its right.
func Spectrogram(c draw.Canvas, m Map) {
	rows := len(m.Columns[0])
	img := image.NewRGBA(image.Rect(0, 0, len(m.Columns), rows))
	for x, column := range m.Columns {
		for y, v := range column {
			img.SetRGBA(x, rows-1-y, HeatOf(float64(v), m.Low, m.High))
		}
	}
	p := New()
	p.Title.Text = m.Title
	timeAxis(&p.X, m.Seconds, m.Sampled)
	FrequencyAxis(&p.Y, m.Top, 8, m.Sampled)
	p.Y.Min = m.Bottom
	if m.Rows != nil {
		p.Y.Min, p.Y.Max = 0, 1
		p.Y.Tick.Marker = plot.ConstantTicks(m.Marks(p.Y.Tick.Marker.(Ticks).Unit, 0.05))
	}
	p.Add(plotter.NewImage(img, 0, p.Y.Min, m.Seconds, p.Y.Max))

	bar := New()
	if m.Title != "" {
		// The bar begins as far down as the picture.
		bar.Title.Text, bar.Title.TextStyle.Color = "Ag", color.White
	}
	heat := Heat()
	scale := image.NewRGBA(image.Rect(0, 0, 1, len(heat)))
	for i, colour := range heat {
		scale.SetRGBA(0, len(heat)-1-i, colour)
	}
	bar.Add(plotter.NewImage(scale, 0, m.Low, 1, m.High))
	bar.X.Min, bar.X.Max = 0, 1
	bar.X.Tick.Marker = plot.ConstantTicks{{Value: -1}}
	bar.X.LineStyle.Width, bar.X.Tick.LineStyle.Width, bar.X.Tick.Length = 0, 0, 0
	bar.Y.Min, bar.Y.Max = m.Low, m.High
	bar.Y.Tick.Marker = ended{Ticks{About: 6, Unit: 1}}
	p.Y.Tick.Marker = ended{p.Y.Tick.Marker}
	bar.Y.Label.Text = "level in dB"
	const barWidth = 56
	width := c.Max.X - c.Min.X
	// The bar is as high as the picture: both end where the axis of time does.
	below := p.X.Tick.Label.FontExtents().Height + p.X.Label.TextStyle.FontExtents().Height + p.X.Tick.Length + p.X.Label.Padding + p.X.Padding
	p.Draw(draw.Crop(c, 0, -barWidth-10, 0, 0))
	bar.Draw(draw.Crop(c, width-barWidth, 0, below, 0))
}

// ended adds marks without text at the ends of an axis, so that axes beside one another
// leave the same room for text there.
type ended struct{ plot.Ticker }

// Ticks implements plot.Ticker.
func (t ended) Ticks(low, high float64) []plot.Tick {
	return append(t.Ticker.Ticks(low, high), plot.Tick{Value: low, Label: " "}, plot.Tick{Value: high, Label: " "})
}

// Silence is a level in dB that no signal but one of zeros is down at.
const Silence = -250

// Levels is the range of colours: from the usual noise, or 90 dB down, to the
// loudest.
func Levels(columns [][]float32) (low, high float64) {
	var all []float32
	for i := 0; i < len(columns); i += 1 + len(columns)/256 {
		all = append(all, columns[i]...)
	}
	slices.Sort(all)
	high = float64(all[len(all)-1])
	if high <= Silence {
		return -90, 0
	}
	if all[0] == all[len(all)-1] { // silence at some other floor: dark as well
		high += 90
	}
	low = max(float64(all[len(all)/20]), high-90)
	if high-low < 10 {
		low = high - 10
	}
	return 5 * math.Floor(low/5), 5 * math.Ceil(high/5)
}
