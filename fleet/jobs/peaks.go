package jobs

import (
	"context"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Peaks is the tones of each period: the peaks of its spectrum that stand out
// the most, in order of frequency.
type Peaks struct {
	Welch
	Count      int     `json:"count,omitempty"`      // how many at most; 0 is 10
	Prominence float64 `json:"prominence,omitempty"` // dB that a peak stands out, at least; 0 is 6
	FMin       float64 `json:"fmin,omitempty"`
	FMax       float64 `json:"fmax,omitempty"` // 0 is half the sampling frequency
}

// Prepare implements fleet.Job.
func (j *Peaks) Prepare(s *fleet.Series) (*fleet.Layout, fleet.Compute, error) {
	w, err := j.fit(s)
	if err != nil {
		return nil, nil, err
	}
	count, prominence := j.Count, j.Prominence
	if count <= 0 {
		count = 10
	}
	if prominence <= 0 {
		prominence = 6
	}
	axis := &fleet.Axis{Name: "peak", Unit: "1", Long: "number of the peak, in order of frequency"}
	for i := range count {
		axis.Values = append(axis.Values, float64(i))
	}
	l := &fleet.Layout{Attributes: w.described(), Variables: []fleet.Variable{
		{Name: "frequency", Unit: "Hz", Long: "frequency of the peak, between bins", Axis: axis},
		{Name: "level", Unit: density(s), Long: "power spectral density at the peak", Axis: axis},
		{Name: "prominence", Unit: "dB", Long: "how far the peak stands out", Axis: axis},
	}}
	return l, func(ctx context.Context, in *fleet.Window, row fleet.Row) error {
		mean, err := w.mean(ctx, in)
		if err != nil {
			return err
		}
		for c := range mean {
			line := make([]float64, len(mean[c]))
			for k, v := range mean[c] {
				line[k] = 10 * math.Log10(max(v, math.SmallestNonzeroFloat64))
			}
			found, err := signal.FindPeaks(ctx, nd.From(line, len(line)), signal.PeakConditions{Prominence: signal.AtLeast(prominence), Refine: signal.RefineValues})
			if err != nil {
				return err
			}
			j.keep(found[0], w.width(), c*count, count, row)
		}
		return nil
	}, nil
}

// keep writes the most prominent peaks, in order of frequency.
func (j *Peaks) keep(p signal.Peaks, width float64, at, count int, row fleet.Row) {
	var order []int
	for i, position := range p.Positions {
		if f := position * width; f >= j.FMin && (j.FMax == 0 || f <= j.FMax) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p.Prominences[a] > p.Prominences[b]:
			return -1
		case p.Prominences[a] < p.Prominences[b]:
			return 1
		}
		return 0
	})
	order = order[:min(count, len(order))]
	slices.Sort(order)
	for n, i := range order {
		row[0][at+n] = float32(p.Positions[i] * width)
		row[1][at+n] = float32(p.Levels[i])
		row[2][at+n] = float32(p.Prominences[i])
	}
}

// Graph implements fleet.Costed.
func (j *Peaks) Graph(s *fleet.Series) ([]*nd.Array, error) { return j.graphOf(s) }
