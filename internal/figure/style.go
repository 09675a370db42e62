package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/twiddle-go/twiddle/internal/replace"
)

var (
	// Ink is the colour of text.
	Ink = color.RGBA{0x30, 0x34, 0x3b, 255}
	// Accent is the colour of what is pointed out.
	Accent = color.RGBA{0xd0, 0x3a, 0x2b, 255}

	faint = color.RGBA{0x9a, 0xa0, 0xa8, 255}
	pale  = color.RGBA{0xe7, 0xe9, 0xec, 255}
)

// Ticks marks round numbers, about as many as asked for, divided by a unit.
type Ticks struct {
	About int
	Unit  float64
}

// Ticks implements plot.Ticker.
func (t Ticks) Ticks(low, high float64) []plot.Tick {
	step := roundStep((high - low) / t.Unit / float64(t.About))
	var out []plot.Tick
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	first := math.Ceil(low/t.Unit/step - 1e-9)
	for i := first; i*step*t.Unit <= high+1e-9*(high-low); i++ {
		v := i * step
		if v == 0 {
			v = 0 // no minus
		}
		out = append(out, plot.Tick{Value: v * t.Unit, Label: fmt.Sprintf("%.*f", digits, v)})
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

// New is an empty picture in the style of all.
func New() *plot.Plot {
	p := plot.New()
	p.Title.TextStyle.Font.Variant = "Sans"
	p.Title.TextStyle.Font.Size = vg.Points(10)
	p.Title.TextStyle.Color = Ink
	p.Title.Padding = vg.Points(6)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font.Variant = "Sans"
		a.Label.TextStyle.Font.Size = vg.Points(9)
		a.Label.TextStyle.Color = Ink
		a.Label.Padding = vg.Points(3)
		a.Tick.Label.Font.Variant = "Sans"
		a.Tick.Label.Font.Size = vg.Points(8)
		a.Tick.Label.Color = Ink
		a.Tick.Length = vg.Points(3)
		a.Tick.LineStyle.Color = faint
		a.LineStyle.Color = faint
		a.LineStyle.Width = vg.Points(0.6)
		a.Padding = 0
	}
	p.Legend.TextStyle.Font.Variant = "Sans"
	p.Legend.TextStyle.Font.Size = vg.Points(8)
	p.Legend.TextStyle.Color = Ink
	p.Legend.Top = true
	p.Legend.ThumbnailWidth = vg.Points(14)
	p.Legend.YOffs, p.Legend.XOffs = vg.Points(-4), vg.Points(-6)
	return p
}

// Grid is lines behind the data.
func Grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = pale, pale
	g.Horizontal.Width, g.Vertical.Width = vg.Points(0.5), vg.Points(0.5)
	return g
}

// Render draws on a canvas of a size in points and is its PNG, at two pixels or
// so per point of a screen.
func Render(width, height vg.Length, f func(draw.Canvas) error) ([]byte, error) {
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(160), vgimg.UseBackgroundColor(color.White))}
	if err := f(inset(draw.New(c))); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	return b.Bytes(), err
}

// inset leaves a margin.
func inset(c draw.Canvas) draw.Canvas { return draw.Crop(c, 4, -10, 4, -6) }

// Save writes a picture of a size in points to a file: SVG if its name ends so,
// else PNG.
func Save(p *plot.Plot, width, height vg.Length, name string) error {
	if !strings.EqualFold(filepath.Ext(name), ".svg") {
		png, err := Render(width, height, func(c draw.Canvas) error { p.Draw(c); return nil })
		if err != nil {
			return err
		}
		return replace.Bytes(name, png)
	}
	c := vgsvg.New(width, height)
	p.Draw(inset(draw.New(c)))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	return replace.Bytes(name, bytes.Map(printable, b.Bytes()))
}

// printable drops what XML does not allow, whose titles may come from anywhere.
func printable(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
		return -1
	}
	return r
}
