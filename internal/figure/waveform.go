package figure

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Waveform is the course of samples over seconds: low and high are the least and the
// greatest of each of the spans they are cut into.
func Waveform(low, high []float64, seconds float64, sampled bool) *plot.Plot {
	p := New()
	most := 0.0
	for i := range low {
		most = max(most, math.Abs(low[i]), math.Abs(high[i]))
	}
	if most == 0 {
		most = 1
	}
	most *= 1.05
	p.Add(Grid(), plotter.NewImage(waveImage(low, high, most), 0, -most, seconds, most))
	timeAxis(&p.X, seconds, sampled)
	p.Y.Min, p.Y.Max = -most, most
	p.Y.Label.Text = "amplitude"
	p.Y.Tick.Marker = Ticks{About: 7, Unit: 1}
	return p
}

// waveImage is a waveform with values up to most as pixels: a column for each
// span or a few, a pixel as solid as the part of it that is covered.
func waveImage(low, high []float64, most float64) image.Image {
	const height, widest = 240, 1500
	group := 1 + (len(low)-1)/widest
	width := (len(low) + group - 1) / group
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	line := Line(0)
	place := func(v float64) float64 { return (1 - v/most) / 2 * height }
	for x := range width {
		least, greatest := low[x*group], high[x*group]
		for i := x * group; i < min((x+1)*group, len(low)); i++ {
			least, greatest = min(least, low[i]), max(greatest, high[i])
		}
		// Even Silence is a line.
		top, bottom := place(greatest)-0.6, place(least)+0.6
		for y := max(0, int(top)); y < min(height, int(bottom)+1); y++ {
			covered := min(bottom, float64(y+1)) - max(top, float64(y))
			img.SetNRGBA(x, y, color.NRGBA{line.R, line.G, line.B, uint8(255 * min(max(covered, 0), 1))})
		}
	}
	return img
}
