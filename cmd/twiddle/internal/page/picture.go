package page

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/internal/figure"
)

// Picture is a drawing with axes.
type Picture struct {
	Name  string // waveform, spectrogram or psd
	Title string
	PNG   []byte
}

// heading is the title of a picture. Channels share a waveform and a spectrogram.
func heading(name string, r *analyze.Result) string {
	switch several := Several(r); {
	case name == "waveform" && several:
		return "Waveform: the range of all channels"
	case name == "spectrogram" && several:
		return "Spectrogram: the mean power of all channels"
	}
	return map[string]string{"waveform": "Waveform", "spectrogram": "Spectrogram", "psd": "Power spectral density"}[name]
}

// Pictures draws a recording.
func Pictures(r *analyze.Result) ([]Picture, error) {
	var out []Picture
	for _, d := range []struct {
		name   string
		height vg.Length
		draw   func(*analyze.Result, draw.Canvas) error
	}{
		{"waveform", 130, drawWaveform},
		{"spectrogram", 260, drawSpectrogram},
		{"psd", 240, drawPSD},
	} {
		png, err := figure.Render(720, d.height, func(c draw.Canvas) error { return d.draw(r, c) })
		if err != nil {
			return nil, fmt.Errorf("page: %s: %w", d.name, err)
		}
		out = append(out, Picture{d.name, heading(d.name, r), png})
	}
	return out, nil
}

func drawWaveform(r *analyze.Result, c draw.Canvas) error {
	w := r.Waveform
	figure.Waveform(w.Low, w.High, float64(len(w.Low))*float64(w.Span)/r.Rate, r.HasRate()).Draw(c)
	return nil
}

func drawSpectrogram(r *analyze.Result, c draw.Canvas) error {
	s := r.Spectrogram
	low, high := figure.Levels(s.Columns)
	figure.Spectrogram(c, figure.Map{Columns: s.Columns, Seconds: s.Span * float64(len(s.Columns)), Bottom: s.Bottom, Top: s.Top, Low: low, High: high, Sampled: r.HasRate()})
	return nil
}

func drawPSD(r *analyze.Result, c draw.Canvas) error {
	p := figure.New()
	p.Add(figure.Grid())
	low, high := math.Inf(1), math.Inf(-1)
	curves := make([]plotter.XYs, min(len(r.Density), figure.Lines))
	for i := range curves {
		curves[i] = envelope(r.Frequencies, r.Density[i])
		for _, at := range curves[i] {
			low, high = min(low, at.Y), max(high, at.Y)
		}
	}
	for i := len(curves) - 1; i >= 0; i-- {
		line, err := plotter.NewLine(curves[i])
		if err != nil {
			return err
		}
		if high <= figure.Silence {
			break
		}
		line.Color, line.Width = figure.Line(i), vg.Points(0.9)
		p.Add(line)
	}
	if len(curves) > 1 {
		for i := range curves {
			p.Legend.Add(curveName(i, r), swatch{figure.Line(i)})
		}
	}
	sampled := r.HasRate()
	figure.FrequencyAxis(&p.X, r.Rate/2, 12, sampled)
	p.X.Min = bottom(r)
	if high <= figure.Silence {
		low, high = -140, 0 // nothing to see
	}
	low = max(low, high-140)
	room := max(high-low, 10)
	p.Y.Min, p.Y.Max = low-0.04*room, high+0.16*room
	p.Y.Label.Text = "density in dB/Hz"
	if !sampled {
		p.Y.Label.Text = "density in dB, per cycle per sample"
	}
	p.Y.Tick.Marker = figure.Ticks{About: 9, Unit: 1}
	marks, err := peakMarks(r)
	if err != nil {
		return err
	}
	p.Add(marks...)
	p.Draw(c)
	return nil
}

// envelope is a density in dB with at most a few points per pixel: of many bins
// the least and the greatest, in their order.
func envelope(frequencies, density []float64) plotter.XYs {
	const points = 4000
	db := func(v float64) float64 { return 10 * math.Log10(max(v, 1e-30)) }
	group := 1 + 2*len(density)/points
	// Segments are without their mean, so the first bin says nothing.
	var out plotter.XYs
	for from := min(1, len(density)-1); from < len(density); from += group {
		least, most := from, from
		for k := from; k < min(from+group, len(density)); k++ {
			if density[k] < density[least] {
				least = k
			}
			if density[k] > density[most] {
				most = k
			}
		}
		out = append(out, plotter.XY{X: frequencies[min(least, most)], Y: db(density[min(least, most)])})
		if least != most {
			out = append(out, plotter.XY{X: frequencies[max(least, most)], Y: db(density[max(least, most)])})
		}
	}
	return out
}

// swatch is a colour in the legend.
type swatch struct{ color color.Color }

// Thumbnail implements plot.Thumbnailer.
func (s swatch) Thumbnail(c *draw.Canvas) {
	y := (c.Min.Y + c.Max.Y) / 2
	c.StrokeLine2(draw.LineStyle{Color: s.color, Width: vg.Points(1.6)}, c.Min.X, y, c.Max.X, y)
}

// bottom is the lowest frequency there is.
func bottom(r *analyze.Result) float64 {
	if r.Info.IQ {
		return -r.Rate / 2
	}
	return 0
}

// peakMarks are dots on the peaks, with the frequencies of the first few that
// have room.
func peakMarks(r *analyze.Result) ([]plot.Plotter, error) {
	if len(r.Peaks) == 0 {
		return nil, nil
	}
	at := make(plotter.XYs, len(r.Peaks))
	var labels plotter.XYLabels
	for i, p := range r.Peaks {
		bin := min(max(int(math.Round((p.Frequency-r.Frequencies[0])*float64(r.NPerSeg)/r.Rate)), 0), len(r.Frequencies)-1)
		top := 0.0
		for _, c := range curvesOf(p, r) {
			top = max(top, r.Density[c][bin])
		}
		at[i] = plotter.XY{X: p.Frequency, Y: 10 * math.Log10(max(top, 1e-30))}
		crowded := slices.ContainsFunc(labels.XYs, func(o plotter.XY) bool { return math.Abs(o.X-p.Frequency) < 0.07*r.Rate/2 })
		if !crowded {
			labels.XYs = append(labels.XYs, at[i])
			labels.Labels = append(labels.Labels, Frequency(p.Frequency, r.HasRate()))
		}
	}
	dots, err := plotter.NewScatter(at)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: figure.Accent, Radius: vg.Points(2), Shape: draw.CircleGlyph{}}
	text, err := plotter.NewLabels(labels)
	if err != nil {
		return nil, err
	}
	for i := range text.TextStyle {
		text.TextStyle[i].Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(8)}
		text.TextStyle[i].Color = figure.Ink
		text.TextStyle[i].XAlign = draw.XCenter
		switch at := (labels.XYs[i].X - bottom(r)) / (r.Rate/2 - bottom(r)); {
		case at < 0.04: // not over the axis
			text.TextStyle[i].XAlign = draw.XLeft
		case at > 0.96:
			text.TextStyle[i].XAlign = draw.XRight
		}
	}
	text.Offset = vg.Point{Y: vg.Points(5)}
	return []plot.Plotter{dots, text}, nil
}
