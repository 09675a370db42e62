// Package chart draws spectrograms, curves, waveforms and plans, with axes, as PNG and
// SVG files.
//
//	z := signal.STFT{NFFT: 1024}.Apply(x)
//	err := chart.Spectrogram{FS: 48000, Hop: 512}.Save(ctx, "z.png", signal.AmplitudeToDB(z.Abs()))
//
// Pictures of pixels are in package picture.
package chart

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/figure"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
)

// Size is that of a chart in points, 72 to an inch. A zero is the usual size.
type Size struct{ Width, Height float64 }

func (s Size) lengths(usual float64) (vg.Length, vg.Length, error) {
	width, height := cmp.Or(s.Width, 720), cmp.Or(s.Height, usual)
	if !(width >= 60 && width <= 10000 && height >= 60 && height <= 10000) {
		return 0, 0, fmt.Errorf("chart: a size of %g x %g points: want 60 to 10000", width, height)
	}
	return vg.Points(width), vg.Points(height), nil
}

// drawable says what is wrong with the name of a picture of lines.
func drawable(op, name string) error {
	if ext := strings.ToLower(filepath.Ext(name)); ext != ".png" && ext != ".svg" {
		return fmt.Errorf("chart: %s: %q: want a name that ends in .png or .svg", op, name)
	}
	return nil
}

// Spectrogram is levels over time and frequency, as colours.
type Spectrogram struct {
	Title string
	FS    float64 // sampling frequency; 0 is unknown
	Hop   int     // samples between frames; 0 is 1
	// TwoSided is for spectra of complex samples, such as those of a radio: bins from minus
	// half the rate to half of it, in the order that nd.Array.FFTShift gives them.
	TwoSided bool
	// Frequencies is that of each row, rising and above 0, where rows are not even steps from 0 to
	// half the rate: those of signal.Mel or signal.ConstantQ, as their methods of this name
	// give them.
	Frequencies []float64
	// Low and High are the levels of the darkest and the brightest colour; if both are 0
	// they are chosen.
	Low, High float64
	Size      Size
}

// mostColumns bounds the pixels of a spectrogram: of more frames the loudest are shown.
const mostColumns = 4096

// Save draws levels in dB of shape (bins, frames), the bins from 0 to half the rate unless
// TwoSided or Frequencies say otherwise, and writes a PNG file.
func (s Spectrogram) Save(ctx context.Context, name string, levels *nd.Array) error {
	if levels == nil || levels.Err() != nil {
		return failure(levels)
	}
	if ext := strings.ToLower(filepath.Ext(name)); ext != ".png" {
		return fmt.Errorf("chart: spectrogram: %q: want a name that ends in .png", name)
	}
	width, height, err := s.Size.lengths(300)
	if err != nil {
		return err
	}
	m, err := s.columns(ctx, levels)
	if err != nil {
		return err
	}
	png, err := figure.Render(width, height, func(c draw.Canvas) error {
		figure.Spectrogram(c, m)
		return nil
	})
	if err != nil {
		return fmt.Errorf("chart: spectrogram: %w", err)
	}
	return replace.Bytes(name, png)
}

// columns computes the levels, as many columns as a picture has.
func (s Spectrogram) columns(ctx context.Context, levels *nd.Array) (figure.Map, error) {
	m := figure.Map{Title: s.Title, Low: s.Low, High: s.High, Sampled: s.FS > 0}
	if levels == nil || levels.Err() != nil {
		return m, failure(levels)
	}
	if levels.NDim() != 2 || levels.Len() == 0 {
		return m, fmt.Errorf("chart: spectrogram: levels of shape %v: want (bins, frames)", levels.Shape())
	}
	if t := levels.DType(); t.IsComplex() {
		return m, fmt.Errorf("chart: spectrogram: levels are %s: want real numbers", t)
	}
	s.Hop = cmp.Or(s.Hop, 1)
	if s.Hop < 1 || !(s.FS >= 0) || math.IsInf(s.FS, 0) || !(s.Low <= s.High) {
		return m, fmt.Errorf("chart: spectrogram: FS %g, Hop %d, Low %g, High %g: want positive numbers, and Low <= High", s.FS, s.Hop, s.Low, s.High)
	}
	if s.Low == s.High && s.Low != 0 {
		return m, fmt.Errorf("chart: spectrogram: Low and High are both %g", s.Low)
	}
	bins, frames := levels.Dim(0), levels.Dim(1)
	if s.Frequencies != nil {
		if err := s.checkFrequencies(bins); err != nil {
			return m, err
		}
		m.Rows = s.Frequencies
	}
	all, err := nd.Slice[float32](ctx, levels.Cast(nd.Float32).Transpose())
	if err != nil {
		return m, err
	}
	group := (frames + mostColumns - 1) / mostColumns
	for f := 0; f < frames; f += group {
		column := all[f*bins:][:bins]
		for g := f + 1; g < min(f+group, frames); g++ {
			for k, v := range all[g*bins:][:bins] {
				column[k] = max(column[k], v)
			}
		}
		for k, v := range column {
			column[k] = max(v, figure.Silence) // -Inf is a level, too
			if v != v {
				return m, fmt.Errorf("chart: spectrogram: the level of bin %d, frame %d is not a number", k, f)
			}
		}
		m.Columns = append(m.Columns, column)
	}
	rate := cmp.Or(s.FS, 1)
	m.Seconds, m.Top = float64(frames*s.Hop)/rate, rate/2
	switch {
	case m.Rows != nil:
		m.Top = m.Rows[bins-1]
	case s.TwoSided:
		m.Bottom = -m.Top
	}
	if s.Low == 0 && s.High == 0 {
		m.Low, m.High = figure.Levels(m.Columns)
	}
	return m, nil
}

func (s Spectrogram) checkFrequencies(bins int) error {
	if s.TwoSided {
		return errors.New("chart: spectrogram: Frequencies are for one side: want no TwoSided")
	}
	if len(s.Frequencies) != bins {
		return fmt.Errorf("chart: spectrogram: %d Frequencies for %s of levels", len(s.Frequencies), counted.Of(bins, "row"))
	}
	last := 0.0
	for i, f := range s.Frequencies {
		if !(f > last) || math.IsInf(f, 0) {
			return fmt.Errorf("chart: spectrogram: Frequencies[%d] is %g: want them to rise, from above 0", i, f)
		}
		last = f
	}
	return nil
}

// Curves is lines over an axis: spectra, responses, losses.
type Curves struct {
	Title string
	X, Y  string   // what the axes are
	Names []string // of the curves
	LogX  bool     // the axis of X is logarithmic
	Size  Size
}

// Save draws y over x, of shape (points), or (curves, points), and writes a PNG or an SVG
// file. A nil x counts from 0. Where y is no finite
// number, the curve has a gap.
func (c Curves) Save(ctx context.Context, name string, x []float64, y *nd.Array) error {
	const op = "curves"
	if y == nil || y.Err() != nil {
		return failure(y)
	}
	if err := drawable(op, name); err != nil {
		return err
	}
	if y.NDim() < 1 || y.NDim() > 2 || y.Len() == 0 {
		return fmt.Errorf("chart: %s: y of shape %v: want (points) or (curves, points)", op, y.Shape())
	}
	if t := y.DType(); t.IsComplex() || t == nd.Bool {
		return fmt.Errorf("chart: %s: y is %s: want real numbers", op, t)
	}
	points := y.Dim(-1)
	if x == nil {
		x = make([]float64, points)
		for i := range x {
			x[i] = float64(i)
		}
	}
	curves := y.Len() / points
	if len(x) != points || len(c.Names) > 0 && len(c.Names) != curves {
		return fmt.Errorf("chart: %s: %d places and %d names for y of shape %v", op, len(x), len(c.Names), y.Shape())
	}
	width, height, err := c.Size.lengths(300)
	if err != nil {
		return err
	}
	all, err := nd.Slice[float64](ctx, y.Cast(nd.Float64))
	if err != nil {
		return err
	}
	p := figure.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.Add(figure.Grid())
	for i := range curves {
		runs := finite(x, all[i*points:][:points], c.LogX)
		if len(runs) == 0 {
			return fmt.Errorf("chart: %s: curve %d has no finite points", op, i)
		}
		for k, run := range runs {
			line, err := plotter.NewLine(run)
			if err != nil {
				return fmt.Errorf("chart: %s: %w", op, err)
			}
			line.Color, line.Width = figure.Line(i), vg.Points(1)
			p.Add(line)
			if len(run) == 1 { // a line of no length does not show
				dot, err := plotter.NewScatter(run)
				if err != nil {
					return fmt.Errorf("chart: %s: %w", op, err)
				}
				dot.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: vg.Points(1), Shape: draw.CircleGlyph{}}
				p.Add(dot)
			}
			if len(c.Names) > 0 && k == 0 {
				p.Legend.Add(c.Names[i], line)
			}
		}
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = figure.Ticks{About: 10, Unit: 1}, figure.Ticks{About: 7, Unit: 1}
	if c.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	if p.X.Max == p.X.Min {
		p.X.Max++
	}
	if p.Y.Max-p.Y.Min < 1e-12*math.Abs(p.Y.Max) || p.Y.Max == p.Y.Min {
		p.Y.Min, p.Y.Max = p.Y.Min-1, p.Y.Max+1
	}
	margin := (p.Y.Max - p.Y.Min) / 32 // a flat part is not drawn on the axis
	p.Y.Min, p.Y.Max = p.Y.Min-margin, p.Y.Max+margin
	return figure.Save(p, width, height, name)
}

// finite are the runs of points that can be drawn: a line has gaps where there are none,
// such as the pauses of a pitch.
func finite(x, y []float64, logX bool) []plotter.XYs {
	var runs []plotter.XYs
	open := false
	for i, v := range y {
		drawn := v-v == 0 && x[i]-x[i] == 0 && (!logX || x[i] > 0)
		if drawn && !open {
			runs = append(runs, nil)
		}
		if open = drawn; drawn {
			last := &runs[len(runs)-1]
			*last = append(*last, plotter.XY{X: x[i], Y: v})
		}
	}
	return runs
}

func failure(a *nd.Array) error {
	if a == nil {
		return errors.New("chart: nil Array")
	}
	return a.Err()
}
