package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/fleet/zarr"
)

// picture draws the stores of a folder of results.
func picture(_ context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("picture", flag.ContinueOnError)
	f.SetOutput(out)
	var o pictureOptions
	f.StringVar(&o.variable, "variable", "", "what to draw (the first that has frequencies)")
	f.IntVar(&o.channel, "channel", 0, "which channel")
	f.Float64Var(&o.fmin, "fmin", 0, "lowest frequency in Hz (10, or the first)")
	f.Float64Var(&o.fmax, "fmax", 0, "highest frequency in Hz (the last)")
	f.BoolVar(&o.linear, "linear", false, "frequencies on a linear axis")
	name, err := folder("picture", f, args)
	if err != nil {
		return err
	}
	stores, err := filepath.Glob(filepath.Join(name, "*.zarr"))
	if err != nil {
		return err
	}
	if strings.HasSuffix(filepath.Clean(name), ".zarr") {
		stores = []string{filepath.Clean(name)}
	}
	if len(stores) == 0 {
		return fmt.Errorf("fleet: picture: no Zarr store in %s: it is made by runs with --format zarr", name)
	}
	for _, folder := range stores {
		s, err := zarr.Open(folder)
		if err != nil {
			return err
		}
		png, err := pictureOf(s, o)
		if err != nil {
			return fmt.Errorf("fleet: picture: %s: %w", folder, err)
		}
		to := strings.TrimSuffix(folder, ".zarr") + ".png"
		if err := os.WriteFile(to, png, 0o666); err != nil {
			return fmt.Errorf("fleet: picture: %w", err)
		}
		fmt.Fprintln(out, to)
	}
	return nil
}

// pictureOf is the PNG of a store: of correlations, or else of spectra over time.
func pictureOf(s *zarr.Store, o pictureOptions) ([]byte, error) {
	if a := s.Arrays["correlation"]; a != nil && len(a.Shape) == 3 && (o.variable == "" || o.variable == "correlation") {
		r, err := gatherPairs(s)
		if err != nil {
			return nil, err
		}
		return r.draw()
	}
	l, err := gather(s, o)
	if err != nil {
		return nil, err
	}
	return l.draw()
}

type pictureOptions struct {
	variable   string
	channel    int
	fmin, fmax float64
	linear     bool
}

// ltsa is long-term spectral averages: levels over time and frequency, as many
// of each as a picture has room for.
type ltsa struct {
	title, unit, line string
	start             time.Time
	end               time.Time
	linear            bool
	low, high         float64     // frequencies of the lower and the upper end
	columns           [][]float64 // dB, low frequencies first; NaN where there is nothing
	frequencies       []float64   // of the percentiles
	percents          []float64
	percentiles       [][]float64 // over time, in dB
}

const (
	maxColumns = 1400
	maxRows    = 560
)

// gather reads a store, a chunk at a time.
func gather(s *zarr.Store, o pictureOptions) (*ltsa, error) {
	name := o.variable
	if name == "" {
		for _, candidate := range []string{"psd", "hmd", "mel", "decidecade"} {
			if s.Arrays[candidate] != nil {
				name = candidate
				break
			}
		}
	}
	a := s.Arrays[name]
	if name == "" || a == nil || len(a.Shape) != 3 {
		var drawn []string
		for n, a := range s.Arrays {
			if len(a.Shape) == 3 {
				drawn = append(drawn, n)
			}
		}
		slices.Sort(drawn)
		return nil, fmt.Errorf("no variable %q with an axis: there are %s", o.variable, strings.Join(drawn, ", "))
	}
	if o.channel < 0 || o.channel >= a.Shape[1] {
		return nil, fmt.Errorf("channel %d of %d", o.channel, a.Shape[1])
	}
	axis, err := zarr.Line[float64](s, a.Dimensions[2])
	if err != nil {
		return nil, err
	}
	times, err := zarr.Line[int64](s, "time")
	if err != nil {
		return nil, err
	}
	scale := int64(time.Second)
	if unit, _ := s.Arrays["time"].Attributes["units"].(string); strings.HasPrefix(unit, "milliseconds") {
		scale = int64(time.Millisecond)
	}
	period, _ := s.Attributes["period_s"].(float64)
	l := &ltsa{linear: o.linear}
	l.title, _ = s.Attributes["title"].(string)
	l.unit, _ = a.Attributes["units"].(string)
	if labels, ok := s.Arrays[a.Dimensions[1]].Attributes["labels"].([]any); ok && o.channel < len(labels) {
		l.line = fmt.Sprint(labels[o.channel])
	}
	if err := l.choose(axis, o); err != nil {
		return nil, err
	}
	rows, err := l.read(s, name, axis, o.channel)
	if err != nil {
		return nil, err
	}
	l.start = time.Unix(0, times[rows.first]*scale).UTC()
	l.end = time.Unix(0, times[rows.last]*scale).UTC().Add(time.Duration(period * 1e9))
	return l, nil
}

// choose is which frequencies are drawn.
func (l *ltsa) choose(axis []float64, o pictureOptions) error {
	l.low, l.high = o.fmin, o.fmax
	if l.high == 0 {
		l.high = axis[len(axis)-1]
	}
	if l.low == 0 && !l.linear {
		l.low = min(10, l.high/100)
	}
	if l.low < axis[0] {
		l.low = axis[0]
		if !l.linear && l.low <= 0 && len(axis) > 1 {
			l.low = axis[1]
		}
	}
	if !(l.high > l.low) {
		return fmt.Errorf("nothing is between %g and %g Hz", l.low, l.high)
	}
	return nil
}

// rowOf is which row of the picture a frequency is in.
func (l *ltsa) rowOf(f float64, rows int) int {
	at := (f - l.low) / (l.high - l.low)
	if !l.linear {
		at = math.Log(f/l.low) / math.Log(l.high/l.low)
	}
	return min(rows-1, int(at*float64(rows)))
}

// frequencyOf is the middle of a row.
func (l *ltsa) frequencyOf(row, rows int) float64 {
	at := (float64(row) + 0.5) / float64(rows)
	if l.linear {
		return l.low + at*(l.high-l.low)
	}
	return l.low * math.Pow(l.high/l.low, at)
}

type span struct{ first, last int }

// read averages power over the rows of the store that a column stands for,
// and over the bins of a row of the picture; a row without a bin takes the
// nearest.
func (l *ltsa) read(s *zarr.Store, name string, axis []float64, channel int) (span, error) {
	a := s.Arrays[name]
	count := min(maxRows, len(axis))
	bins := make([][]int, count)
	for k, f := range axis {
		if f >= l.low && f <= l.high {
			r := l.rowOf(f, count)
			bins[r] = append(bins[r], k)
		}
	}
	for r := range bins {
		if len(bins[r]) == 0 {
			k, _ := slices.BinarySearch(axis, l.frequencyOf(r, count))
			if k == len(axis) || k > 0 && l.frequencyOf(r, count)-axis[k-1] < axis[k]-l.frequencyOf(r, count) {
				k--
			}
			bins[r] = []int{k}
		}
	}
	per, lines, width := a.Chunks[0], a.Chunks[1], a.Chunks[2]
	there := span{-1, -1}
	rows := map[int][]float64{} // power of each row of the store that is there
	for i := 0; i*per < a.Shape[0]; i++ {
		values, err := zarr.Chunk[float32](s, name, i, channel/lines, 0)
		if err != nil {
			return there, err
		}
		if values == nil {
			continue
		}
		for j := 0; j < per && i*per+j < a.Shape[0]; j++ {
			line := values[(j*lines+channel%lines)*width:][:width]
			power, found := make([]float64, count), false
			for r, ks := range bins {
				for _, k := range ks {
					power[r] += math.Pow(10, float64(line[k])/10) / float64(len(ks))
				}
				found = found || !math.IsNaN(power[r])
			}
			if found {
				at := i*per + j
				rows[at] = power
				if there.first < 0 {
					there.first = at
				}
				there.last = at
			}
		}
	}
	if there.first < 0 {
		return there, fmt.Errorf("%s has no numbers", name)
	}
	l.average(rows, there, count)
	l.order(rows, count)
	return there, nil
}

// average makes the columns.
func (l *ltsa) average(rows map[int][]float64, there span, count int) {
	n := there.last - there.first + 1
	columns := min(maxColumns, n)
	sums, counts := make([][]float64, columns), make([]int, columns)
	for at, power := range rows {
		c := (at - there.first) * columns / n
		if sums[c] == nil {
			sums[c] = make([]float64, count)
		}
		for r, v := range power {
			sums[c][r] += v
		}
		counts[c]++
	}
	for c := range sums {
		if sums[c] == nil {
			sums[c] = make([]float64, count)
		}
		for r := range sums[c] {
			sums[c][r] = 10 * math.Log10(sums[c][r]/float64(counts[c]))
		}
	}
	l.columns = sums
}

// order finds percentiles over time.
func (l *ltsa) order(rows map[int][]float64, count int) {
	l.percents = []float64{5, 50, 95}
	l.percentiles = make([][]float64, len(l.percents))
	line := make([]float64, 0, len(rows))
	for r := range count {
		l.frequencies = append(l.frequencies, l.frequencyOf(r, count))
		line = line[:0]
		for _, power := range rows {
			if v := power[r]; v > 0 {
				line = append(line, v)
			}
		}
		slices.Sort(line)
		for i, p := range l.percents {
			level := math.NaN()
			if len(line) > 0 {
				level = 10 * math.Log10(line[int(p/100*float64(len(line)-1)+0.5)])
			}
			l.percentiles[i] = append(l.percentiles[i], level)
		}
	}
}
