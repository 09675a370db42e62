package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/signal"
)

// peakColumn is one number of every peak: an int where whole is not nil.
type peakColumn struct {
	name   string
	whole  []int
	number []float64
}

func (c peakColumn) at(i int) any {
	if c.whole != nil {
		return c.whole[i]
	}
	return c.number[i]
}

// peaksReport is the peaks of all lines, one after another.
type peaksReport struct {
	lines   int
	columns []peakColumn // line, index, value and what was measured
}

func newPeaksReport(found []signal.Peaks, refined bool) *peaksReport {
	r := &peaksReport{lines: len(found)}
	line := peakColumn{name: "line", whole: []int{}}
	for i, p := range found {
		for range p.Indices {
			line.whole = append(line.whole, i)
		}
	}
	r.columns = append(r.columns, line)
	for _, c := range []struct {
		name   string
		whole  func(*signal.Peaks) []int
		number func(*signal.Peaks) []float64
	}{
		{"index", func(p *signal.Peaks) []int { return p.Indices }, nil},
		{"value", nil, func(p *signal.Peaks) []float64 { return p.Heights }},
		{"position", nil, func(p *signal.Peaks) []float64 { return p.Positions }},
		{"level", nil, func(p *signal.Peaks) []float64 { return p.Levels }},
		{"plateau_size", func(p *signal.Peaks) []int { return p.PlateauSizes }, nil},
		{"left_edge", func(p *signal.Peaks) []int { return p.LeftEdges }, nil},
		{"right_edge", func(p *signal.Peaks) []int { return p.RightEdges }, nil},
		{"left_threshold", nil, func(p *signal.Peaks) []float64 { return p.LeftThresholds }},
		{"right_threshold", nil, func(p *signal.Peaks) []float64 { return p.RightThresholds }},
		{"prominence", nil, func(p *signal.Peaks) []float64 { return p.Prominences }},
		{"left_base", func(p *signal.Peaks) []int { return p.LeftBases }, nil},
		{"right_base", func(p *signal.Peaks) []int { return p.RightBases }, nil},
		{"width", nil, func(p *signal.Peaks) []float64 { return p.Widths }},
		{"width_height", nil, func(p *signal.Peaks) []float64 { return p.WidthHeights }},
		{"left_ip", nil, func(p *signal.Peaks) []float64 { return p.LeftIPs }},
		{"right_ip", nil, func(p *signal.Peaks) []float64 { return p.RightIPs }},
	} {
		if !refined && (c.name == "position" || c.name == "level") {
			continue // the same as index and value
		}
		column := peakColumn{name: c.name}
		for i := range found {
			if c.whole != nil {
				column.whole = append(column.whole, c.whole(&found[i])...)
			} else {
				column.number = append(column.number, c.number(&found[i])...)
			}
		}
		if column.whole == nil && column.number == nil {
			continue // not measured, or there are no peaks
		}
		r.columns = append(r.columns, column)
	}
	return r
}

func (r *peaksReport) count() int { return len(r.columns[0].whole) }

// MarshalJSON gives a list of peaks, each with what was measured of it, and its
// line if there are several.
func (r *peaksReport) MarshalJSON() ([]byte, error) {
	peaks := make([]map[string]any, r.count())
	for i := range peaks {
		peaks[i] = map[string]any{}
		for _, c := range r.columns {
			if c.name != "line" || r.lines > 1 {
				peaks[i][c.name] = c.at(i)
			}
		}
	}
	return json.Marshal(map[string]any{"peaks": peaks})
}

// maxTable is how many peaks are printed for people.
const maxTable = 100

func (r *peaksReport) WriteText(w io.Writer) error {
	shown := map[string]bool{"line": r.lines > 1, "index": true, "value": true, "position": true, "prominence": true, "width": true, "plateau_size": true}
	var names []string
	var columns []peakColumn
	for _, c := range r.columns {
		if shown[c.name] {
			names, columns = append(names, c.name), append(columns, c)
		}
	}
	t := timing.NewTable(names...)
	for i := range min(r.count(), maxTable) {
		row := make([]any, len(columns))
		for j, c := range columns {
			row[j] = c.at(i)
			if c.whole == nil {
				row[j] = fmt.Sprintf("%.6g", c.number[i])
			}
		}
		t.Row(row...)
	}
	if r.count() > 0 {
		if _, err := t.WriteTo(w); err != nil {
			return err
		}
	}
	more := ""
	if r.count() > maxTable {
		more = fmt.Sprintf(", of which the first %d are shown", maxTable)
	}
	_, err := fmt.Fprintf(w, "%s in %s%s\n", counted.Of(r.count(), "peak"), counted.Of(r.lines, "line"), more)
	return err
}

// writeFile writes everything to a .npz file, or the places to a .npy file:
// indices, after those of lines if there are several.
func (r *peaksReport) writeFile(name string) error {
	var places []int64
	shape := []int{r.count()}
	if r.lines > 1 {
		shape = append(shape, 2)
	}
	var all []named
	for _, c := range r.columns {
		if c.whole == nil {
			a, err := npy.From(c.number, len(c.number))
			if err != nil {
				return err
			}
			all = append(all, named{c.name, a})
			continue
		}
		wide := make([]int64, len(c.whole))
		for i, v := range c.whole {
			wide[i] = int64(v)
		}
		a, err := npy.From(wide, len(wide))
		if err != nil {
			return err
		}
		all = append(all, named{c.name, a})
	}
	for i := range r.count() {
		if r.lines > 1 {
			places = append(places, int64(r.columns[0].whole[i]))
		}
		places = append(places, int64(r.columns[1].whole[i]))
	}
	first, err := npy.From(places, shape...)
	if err != nil {
		return err
	}
	return writeResults(name, append([]named{{"places", first}}, all...)...)
}
