package main

import (
	"fmt"
	"math"
	"strings"
)

// spectrumPlot draws a spectrum with block characters: frequency to the
// right, decibels upwards.
type spectrumPlot struct {
	width, height int
	topHz         float64 // of the last bin
	unit          string  // of frequencies; Hz if empty
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
	low, high = 5*math.Floor(max(low, high-plotRange)/5), 5*math.Ceil(high/5)
	if high == low {
		high = low + 5
	}
	for row := range p.height {
		label := "      "
		if row%3 == 0 {
			label = fmt.Sprintf("%6.1f", high-(high-low)*float64(row)/float64(p.height))
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
		out[i] = decibel(math.Max(float64(top), 1e-20))
	}
	return out
}

func (p spectrumPlot) writeAxis(b *strings.Builder, columns int) {
	const ticks = 4
	unit, digits := p.unit, 3
	if unit == "" {
		unit = "Hz"
	}
	if p.topHz >= 100 {
		digits = 0
	}
	last := fmt.Sprintf("%.*f %s", digits, p.topHz, unit)
	axis := []rune(strings.Repeat("-", columns))
	labels := []rune(strings.Repeat(" ", columns+len(last)))
	for i := range ticks {
		at := i * columns / ticks
		axis[at] = '+'
		copy(labels[at:], []rune(fmt.Sprintf("%.*f", digits, p.topHz*float64(i)/ticks)))
	}
	copy(labels[max(0, columns-len(last)):], []rune(last))
	fmt.Fprintf(b, "    dB +%s\n        %s\n", string(axis), strings.TrimRight(string(labels), " "))
}
