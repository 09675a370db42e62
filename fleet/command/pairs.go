package command

import (
	"errors"
	"fmt"
	"image"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/twiddle-go/twiddle/fleet/zarr"
	"github.com/twiddle-go/twiddle/internal/figure"
)

// section is correlations of pairs over lags, the mean of all periods.
type section struct {
	title string
	pairs []string
	lags  []float64
	mean  [][]float64 // pairs, lags; each pair as parts of its largest amplitude
}

// gatherPairs reads a store of correlate, a chunk at a time.
func gatherPairs(s *zarr.Store) (*section, error) {
	const name = "correlation"
	a := s.Arrays[name]
	lags, err := zarr.Line[float64](s, a.Dimensions[2])
	if err != nil {
		return nil, err
	}
	r := &section{lags: lags, mean: make([][]float64, a.Shape[1])}
	r.title, _ = s.Attributes["title"].(string)
	labels, _ := s.Arrays[a.Dimensions[1]].Attributes["labels"].([]any)
	counts := make([]float64, a.Shape[1])
	per, lines, width := a.Chunks[0], a.Chunks[1], a.Chunks[2]
	for p := range r.mean {
		r.mean[p] = make([]float64, width)
		label := fmt.Sprint(p)
		if p < len(labels) {
			label = fmt.Sprint(labels[p])
		}
		r.pairs = append(r.pairs, label)
	}
	for i := 0; i*per < a.Shape[0]; i++ {
		for first := 0; first < a.Shape[1]; first += lines {
			values, err := zarr.Chunk[float32](s, name, i, first/lines, 0)
			if err != nil {
				return nil, err
			}
			for at := 0; at < len(values); at += width {
				p := first + at/width%lines
				if p >= len(r.mean) || values[at] != values[at] {
					continue
				}
				counts[p]++
				for k, v := range values[at : at+width] {
					r.mean[p][k] += float64(v)
				}
			}
		}
	}
	found := false
	for p, line := range r.mean {
		largest := 0.0
		for _, v := range line {
			largest = max(largest, math.Abs(v))
		}
		found = found || counts[p] > 0
		for k := range line {
			if counts[p] == 0 || largest == 0 {
				line[k] = math.NaN()
			} else {
				line[k] /= largest
			}
		}
	}
	if !found {
		return nil, fmt.Errorf("%s has no numbers", name)
	}
	return r, nil
}

// draw is the picture as PNG: a row for each pair, lags from left to right.
func (r *section) draw() ([]byte, error) {
	const width, height = 760, 520
	return figure.Render(width, height, func(c draw.Canvas) error {
		p := figure.New()
		p.Title.Text = r.title + ": amplitude of correlations, of each pair as a part of its largest"
		low, high := r.lags[0], r.lags[len(r.lags)-1]
		if !(high > low) {
			return errors.New("there is only one lag")
		}
		p.Add(plotter.NewImage(r.image(), low, 0, high, float64(len(r.pairs))))
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, 0, float64(len(r.pairs))
		p.X.Tick.Marker = figure.Ticks{About: 8, Unit: 1}
		p.X.Label.Text = "lag in s: how much later the wave is at the second channel"
		p.Y.Label.Text = "pair"
		const named = 30 // pairs at most that there is room for names of
		step := (len(r.pairs) + named - 1) / named
		var ticks plot.ConstantTicks
		for i := 0; i < len(r.pairs); i += step {
			// The first pair is at the top.
			ticks = append(ticks, plot.Tick{Value: float64(len(r.pairs)-i) - 0.5, Label: strings.ReplaceAll(r.pairs[i], ":0", "")})
		}
		p.Y.Tick.Marker = ticks
		p.Draw(c)
		return nil
	})
}

func (r *section) image() image.Image {
	columns := min(maxColumns, len(r.lags))
	// Several rows of pixels for each pair, so that pairs do not run into one
	// another where pictures are smoothed.
	rows := max(1, maxRows/len(r.pairs))
	img := image.NewRGBA(image.Rect(0, 0, columns, rows*len(r.pairs)))
	for y, line := range r.mean {
		for x := range columns {
			// The largest of the lags that a column stands for: peaks are narrow.
			v := math.NaN()
			for k := x * len(line) / columns; k < (x+1)*len(line)/columns; k++ {
				if a := math.Abs(line[k]); !(v >= a) {
					v = a
				}
			}
			colour := nothing
			if !math.IsNaN(v) {
				colour = figure.HeatOf(v, 0, 1)
			}
			for row := range rows {
				img.SetRGBA(x, y*rows+row, colour)
			}
		}
	}
	return img
}
