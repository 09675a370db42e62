package chart

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/internal/figure"
	"github.com/twiddle-go/twiddle/nd"
)

// Palette is how much a terminal can show.
type Palette uint8

const (
	Shades     Palette = iota // characters without colours
	Palette256                // 256 colours
	TrueColour                // 24 bits
)

var paletteNames = [...]string{"shades", "256", "truecolour"}

func (p Palette) String() string { return choice.Name(p, "Palette", paletteNames[:]) }

// ParsePalette is the palette of a name: shades, 256 or truecolour.
func ParsePalette(name string) (Palette, error) {
	return choice.Parse[Palette]("chart", "palette", name, paletteNames[:])
}

// Terminal is where Print draws. The zero value has 72 columns and 20 rows of shades.
type Terminal struct {
	Columns, Rows int // of the picture, without its axes
	Palette       Palette
	LogFrequency  bool // every octave has the same height
}

// ThisTerminal is the palette that the environment promises: NO_COLOR, TERM and COLORTERM
// as terminals set them.
func ThisTerminal() Palette {
	switch term, colour := os.Getenv("TERM"), os.Getenv("COLORTERM"); {
	case os.Getenv("NO_COLOR") != "" || term == "" || term == "dumb":
		return Shades
	case colour == "truecolor" || colour == "24bit":
		return TrueColour
	}
	return Palette256
}

// Print draws levels in dB of shape (bins, frames), the bins from 0 to half the rate
// unless TwoSided or Frequencies say otherwise, with characters. Where several bins and frames share a cell, the loudest is shown.
func (s Spectrogram) Print(ctx context.Context, w io.Writer, levels *nd.Array, t Terminal) error {
	m, err := s.columns(ctx, levels)
	if err != nil {
		return err
	}
	t.Columns = cmp.Or(t.Columns, 72)
	t.Rows = cmp.Or(t.Rows, 20)
	if t.Columns < 8 || t.Rows < 2 || t.Columns > 10000 || t.Rows > 10000 || t.Palette > TrueColour {
		return fmt.Errorf("chart: spectrogram: a terminal of %d columns and %d rows: want 8 to 10000, and 2 or more rows", t.Columns, t.Rows)
	}
	if t.LogFrequency && s.TwoSided {
		return errors.New("chart: spectrogram: there are no octaves on two sides of 0: want TwoSided or LogFrequency")
	}
	if t.LogFrequency && m.Rows != nil {
		return errors.New("chart: spectrogram: rows with Frequencies are drawn as they are: want no LogFrequency")
	}
	t.Columns = min(t.Columns, len(m.Columns))
	cells := t.Rows
	if t.Palette != Shades {
		cells *= 2 // half blocks
	}
	p := printed{t, m, t.grid(m, cells), strings.Builder{}}
	p.draw()
	_, err = io.WriteString(w, p.out.String())
	return err
}

// printed is a spectrogram on its way to a terminal.
type printed struct {
	Terminal
	m    figure.Map
	grid [][]float64 // rows of cells, the highest frequency first
	out  strings.Builder
}

// octaves is how far a logarithmic axis goes down from the top: from 22 kHz to 43 Hz.
const octaves = 9

// frequency is that of a height from 0 to 1.
func (t Terminal) frequency(m figure.Map, height float64) float64 {
	if t.LogFrequency {
		return m.Top * math.Exp2((height-1)*octaves)
	}
	return m.Bottom + (m.Top-m.Bottom)*height
}

func (t Terminal) grid(m figure.Map, rows int) [][]float64 {
	bins := len(m.Columns[0])
	// bin is the first one at or above a frequency; the last is at the top, or of two sides
	// one below. Rows of given frequencies are as high as one another.
	steps := bins - 1
	if m.Bottom < 0 || m.Rows != nil {
		steps = bins
	}
	bin := func(f float64) int { return int(math.Ceil((f-m.Bottom)/(m.Top-m.Bottom)*float64(steps) - 1e-9)) }
	grid := make([][]float64, rows)
	for r := range grid {
		from := bin(t.frequency(m, float64(rows-1-r)/float64(rows)))
		to := bin(t.frequency(m, float64(rows-r)/float64(rows)))
		if r == 0 {
			to = bins
		}
		from = min(from, bins-1)
		to = max(to, from+1)
		grid[r] = make([]float64, t.Columns)
		for c := range grid[r] {
			level := math.Inf(-1)
			for _, column := range m.Columns[c*len(m.Columns)/t.Columns : (c+1)*len(m.Columns)/t.Columns] {
				for _, v := range column[from:to] {
					level = max(level, float64(v))
				}
			}
			grid[r][c] = level
		}
	}
	return grid
}

func (p *printed) draw() {
	if p.m.Title != "" {
		fmt.Fprintf(&p.out, "%8s %s\n", "", p.m.Title)
	}
	unit, name := 1.0, "Hz"
	switch {
	case !p.m.Sampled:
		name = "cycles per sample"
	case p.m.Top >= 4000:
		unit, name = 1000, "kHz"
	}
	marks := p.marks(unit)
	for r := range p.Rows {
		fmt.Fprintf(&p.out, "%7s |", marks[r])
		p.row(r)
		p.out.WriteByte('\n')
	}
	fmt.Fprintf(&p.out, "%7s +%s\n", name, strings.Repeat("-", p.Columns))
	seconds := "s"
	if !p.m.Sampled {
		seconds = "samples"
	}
	last := short(p.m.Seconds) + " " + seconds
	fmt.Fprintf(&p.out, "%9s%-*s%s\n", "0", max(1, p.Columns-len(last)), "", last)
	fmt.Fprintf(&p.out, "%9s%g to %g dB\n", "", p.m.Low, p.m.High)
}

// marks is the labels of rows: round frequencies, each at the row that shows it.
func (p *printed) marks(unit float64) []string {
	marks := make([]string, p.Rows)
	put := func(f float64, label string) {
		height := (f - p.m.Bottom) / (p.m.Top - p.m.Bottom)
		if p.LogFrequency {
			height = 1 + math.Log2(height)/octaves
		}
		if r := p.Rows - 1 - int(height*float64(p.Rows)-1e-9); height > 0 && r >= 0 && r < p.Rows {
			marks[r] = label
		}
	}
	if p.m.Rows != nil {
		for _, t := range p.m.Marks(unit, 1/float64(p.Rows)) {
			marks[p.Rows-1-int(t.Value*float64(p.Rows)-1e-9)] = t.Label
		}
		return marks
	}
	if !p.LogFrequency {
		for _, t := range (figure.Ticks{About: max(2, p.Rows/4), Unit: unit}).Ticks(p.m.Bottom, p.m.Top) {
			put(t.Value, t.Label)
		}
		return marks
	}
	for decade := math.Pow(10, math.Floor(math.Log10(p.m.Top))); decade > p.m.Top/1e4; decade /= 10 {
		for _, m := range []float64{1, 2, 5} {
			put(m*decade, strconv.FormatFloat(m*decade/unit, 'g', -1, 64))
		}
	}
	return marks
}

var shades = []rune(" ░▒▓█")

func (p *printed) row(r int) {
	if p.Palette == Shades {
		var line strings.Builder
		for _, level := range p.grid[r] {
			t := (level - p.m.Low) / (p.m.High - p.m.Low)
			line.WriteRune(shades[min(max(int(t*float64(len(shades))), 0), len(shades)-1)])
		}
		p.out.WriteString(strings.TrimRight(line.String(), " "))
		return
	}
	before := ""
	for c, level := range p.grid[2*r] {
		upper := p.colour(figure.HeatOf(level, p.m.Low, p.m.High))
		lower := p.colour(figure.HeatOf(p.grid[2*r+1][c], p.m.Low, p.m.High))
		if now := "\x1b[38;" + upper + ";48;" + lower + "m"; now != before {
			p.out.WriteString(now)
			before = now
		}
		p.out.WriteRune('▀')
	}
	p.out.WriteString("\x1b[0m")
}

// colour is a colour as the escape sequences of terminals name it.
func (p *printed) colour(c color.RGBA) string {
	if p.Palette == TrueColour {
		return fmt.Sprintf("2;%d;%d;%d", c.R, c.G, c.B)
	}
	// The cube of 6 x 6 x 6 colours has these steps: 0, 95, 135, 175, 215, 255.
	step := func(v uint8) int {
		if v < 48 {
			return 0
		}
		return max(1, (int(v)-35)/40)
	}
	return fmt.Sprintf("5;%d", 16+36*step(c.R)+6*step(c.G)+step(c.B))
}

// short is a number of at most three digits behind the point.
func short(v float64) string {
	digits := 0
	if v > 0 {
		digits = min(max(2-int(math.Floor(math.Log10(v))), 0), 3)
	}
	return fmt.Sprintf("%.*f", digits, v)
}
