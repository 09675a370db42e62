package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/twiddle-go/twiddle/internal/figure"
)

// spectrumPlot draws a spectrum with block characters: frequency to the
// right, decibels upwards.
type spectrumPlot struct {
	width, height int
	lowHz, topHz  float64 // of the first and the last bin
	unit          string  // of frequencies; Hz if empty
}

// newSpectrumPlot is a plot that fits into the lines of what w writes to, and is no wider
// than 78 characters.
func newSpectrumPlot(w io.Writer, topHz float64) spectrumPlot {
	return spectrumPlot{width: min(max(textWidth(w)-8, 12), 70), height: 12, topHz: topHz}
}

// plotRange is how many decibels are shown, at most.
const plotRange = 110

// blocks are eighths of a character cell.
var blocks = []rune(" ▁▂▃▄▅▆▇█")

func (p spectrumPlot) write(b *strings.Builder, power []float32) {
	columns := p.columns(power)
	low, high := columns[0], columns[0]
	for _, v := range columns {
		low, high = min(low, v), max(high, v)
	}
	if high <= figure.Silence {
		low, high = -plotRange, 0 // no bars
	}
	// From label to label, three rows, are whole steps of 5 dB.
	const labelled = 3
	high = 5 * math.Ceil(high/5)
	step := 5 * max(1, math.Ceil((high-max(low, high-plotRange))/5*labelled/float64(p.height)))
	low = high - step*float64(p.height)/labelled
	for row := range p.height {
		label := "      "
		if row%labelled == 0 {
			label = fmt.Sprintf("%6.0f", high-step*float64(row/labelled)+0) // no minus before 0
		}
		line := make([]rune, len(columns))
		for i, v := range columns {
			eighths := (v - low) / (high - low) * float64(8*p.height)
			fill := int(math.Round(eighths)) - 8*(p.height-1-row)
			line[i] = blocks[min(max(fill, 0), 8)]
		}
		fmt.Fprintf(b, "%s |%s\n", label, strings.TrimRight(string(line), " "))
	}
	p.writeAxis(b, len(columns))
}

// columns is the greatest power in each column, in decibels.
func (p spectrumPlot) columns(power []float32) []float64 {
	n := min(p.width, len(power))
	out := make([]float64, n)
	for i := range out {
		top := float32(0)
		for _, v := range power[i*len(power)/n : (i+1)*len(power)/n] {
			top = max(top, v)
		}
		out[i] = decibel(math.Max(float64(top), 1e-30))
	}
	return out
}

// writeAxis marks round frequencies.
func (p spectrumPlot) writeAxis(b *strings.Builder, columns int) {
	unit, by := p.unit, 1.0
	unit = cmp.Or(unit, "Hz")
	if most := max(-p.lowHz, p.topHz); unit == "Hz" && most >= 1e5 { // labels of Hz would touch
		unit, by = "kHz", 1e3
		if most >= 1e7 {
			unit, by = "MHz", 1e6
		}
	}
	axis := []rune(strings.Repeat("-", columns))
	labels := []rune(strings.Repeat(" ", columns))
	free := 0 // the first column behind the labels so far
	for _, t := range (figure.Ticks{About: max(1, columns/12), Unit: by}).Ticks(p.lowHz, p.topHz) {
		at := min(int((t.Value-p.lowHz)/(p.topHz-p.lowHz)*float64(columns)), columns-1)
		axis[at] = '+'
		if from := max(0, min(at, columns-len(t.Label)-len(unit)-1)); from >= free { // inside
			copy(labels[from:], []rune(t.Label))
			free = from + len(t.Label) + 1
		}
	}
	text := strings.TrimRight(string(labels), " ")
	fmt.Fprintf(b, "    dB +%s\n        %s %s\n", string(axis), text, unit)
}
