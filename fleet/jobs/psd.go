package jobs

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/nd"
)

// PSD is the power spectral density of each period, by Welch's method.
type PSD struct {
	Welch
	// Percentiles are of the power of a period's segments, in percent: each
	// is a variable of its own.
	Percentiles []float64 `json:"percentiles,omitempty"`
	Linear      bool      `json:"linear,omitempty"` // power instead of decibels
	FMin        float64   `json:"fmin,omitempty"`   // lowest frequency to keep
	FMax        float64   `json:"fmax,omitempty"`   // highest; 0 is all
}

// Prepare implements fleet.Job.
func (j *PSD) Prepare(s *fleet.Series) (*fleet.Layout, fleet.Compute, error) {
	w, err := j.fit(s)
	if err != nil {
		return nil, nil, err
	}
	from, to := 0, w.bins()
	for from < to && w.frequency(from) < j.FMin {
		from++
	}
	for to > from && j.FMax > 0 && w.frequency(to-1) > j.FMax {
		to--
	}
	if from == to {
		return nil, nil, fmt.Errorf("no bin is between %g and %g Hz", j.FMin, j.FMax)
	}
	axis := &fleet.Axis{Name: "frequency", Unit: "Hz", Long: "frequency"}
	for k := from; k < to; k++ {
		axis.Values = append(axis.Values, w.frequency(k))
	}
	unit := density(s)
	put := func(dst []float32, power []float64) { decibels(dst, power) }
	if j.Linear {
		unit = s.Unit + "^2/Hz"
		put = func(dst []float32, power []float64) {
			for i, v := range power {
				dst[i] = float32(v)
			}
		}
	}
	l := &fleet.Layout{Attributes: w.described(), Variables: []fleet.Variable{{Name: "psd", Unit: unit, Long: "power spectral density", Axis: axis}}}
	for _, p := range j.Percentiles {
		if !(p >= 0 && p <= 100) {
			return nil, nil, fmt.Errorf("percentile %g: want 0 to 100", p)
		}
		l.Variables = append(l.Variables, fleet.Variable{Name: fmt.Sprintf("psd_p%02g", p), Unit: unit, Long: fmt.Sprintf("percentile %g of the power spectral density of segments", p), Axis: axis})
	}
	n := to - from
	return l, func(ctx context.Context, in *fleet.Window, row fleet.Row) error {
		mean, err := w.mean(ctx, in)
		if err != nil || mean == nil {
			return err
		}
		for c, power := range mean {
			put(row[0][c*n:(c+1)*n], power[from:to])
		}
		if len(j.Percentiles) == 0 {
			return nil
		}
		all, err := w.percentiles(ctx, in, j.Percentiles)
		for c := range all {
			for i, power := range all[c] {
				put(row[1+i][c*n:(c+1)*n], power[from:to])
			}
		}
		return err
	}, nil
}

// Graph implements fleet.Costed.
func (j *PSD) Graph(s *fleet.Series) ([]*nd.Array, error) { return j.graphOf(s) }

func (o Welch) graphOf(s *fleet.Series) ([]*nd.Array, error) {
	w, err := o.fit(s)
	if err != nil {
		return nil, err
	}
	return w.graph(), nil
}
