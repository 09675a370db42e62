package jobs

import (
	"context"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/nd"
)

// HMD is levels in hybrid millidecade bands: the mean power spectral density
// of each band, 1 Hz wide at low frequencies and a thousandth of a decade
// above some 435 Hz. With segments of a second, half overlapping, as they are
// unless asked for otherwise, the numbers are those of PyPAM and pbp.
type HMD struct {
	Welch
}

// Prepare implements fleet.Job.
func (j *HMD) Prepare(s *fleet.Series) (*fleet.Layout, fleet.Compute, error) {
	w, err := j.fit(s)
	if err != nil {
		return nil, nil, err
	}
	b := millidecades(s.Rate/2, w.width())
	b.fit(w.bins(), w.width())
	// What is left of a band below half the sampling frequency may be a part
	// of one bin. PyPAM then adds both of the bin's parts, up to 9 dB too
	// much; data that is compared with others' has to have the same number.
	if last := &b.weights[len(b.weights)-1]; last.first == last.last {
		last.head += w.width()
	}
	l := &fleet.Layout{Attributes: w.described(), Variables: []fleet.Variable{{Name: "hmd", Unit: density(s), Long: "level in hybrid millidecade bands",
		Axis: &fleet.Axis{Name: "frequency", Unit: "Hz", Long: "centre of the band", Values: b.centres}}}}
	l.Attributes["band_edges_hz"] = b.edges
	power := make([]float64, len(b.centres))
	return l, func(ctx context.Context, in *fleet.Window, row fleet.Row) error {
		mean, err := w.mean(ctx, in)
		if err != nil {
			return err
		}
		for c := range mean {
			b.power(power, mean[c], w.width())
			for i := range power {
				power[i] /= b.weights[i].width
			}
			decibels(row[0][c*len(power):], power)
		}
		return nil
	}, nil
}

// Graph implements fleet.Costed.
func (j *HMD) Graph(s *fleet.Series) ([]*nd.Array, error) { return j.graphOf(s) }
