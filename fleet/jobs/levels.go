package jobs

import (
	"context"
	"math"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/nd"
)

// Levels is how loud each period is: the root mean square and the peak of
// samples, and levels in decidecade bands (third octaves of base ten). A
// sensitivity that depends on frequency is used in bands; for samples it is
// the one number that goes with it.
type Levels struct {
	Welch
	FMin float64 `json:"fmin,omitempty"` // lowest band; 0 is 10 Hz
	FMax float64 `json:"fmax,omitempty"` // highest; 0 is half the sampling frequency
}

// Prepare implements fleet.Job.
func (j *Levels) Prepare(s *fleet.Series) (*fleet.Layout, fleet.Compute, error) {
	w, err := j.fit(s)
	if err != nil {
		return nil, nil, err
	}
	low, high := j.FMin, j.FMax
	if low <= 0 {
		low = 10
	}
	if high <= 0 || high > s.Rate/2 {
		high = s.Rate / 2
	}
	b := decidecades(max(low, w.width()), high)
	l := &fleet.Layout{Attributes: w.described(), Variables: []fleet.Variable{
		{Name: "rms", Unit: level(s), Long: "level of the root mean square of samples"},
		{Name: "peak", Unit: level(s), Long: "level of the greatest modulus of a sample"},
	}}
	if len(b.centres) > 0 {
		b.fit(w.bins(), w.width())
		l.Variables = append(l.Variables, fleet.Variable{Name: "decidecade", Unit: level(s), Long: "level in decidecade bands",
			Axis: &fleet.Axis{Name: "frequency", Unit: "Hz", Long: "centre of the band", Values: b.centres}})
		l.Attributes["band_edges_hz"] = b.edges
	}
	power := make([]float64, len(b.centres))
	return l, func(ctx context.Context, in *fleet.Window, row fleet.Row) error {
		for c := range s.Channels {
			squares, peak, n := 0.0, 0.0, 0
			for _, st := range in.Stretches() {
				sum, top := loudness(st.Samples[c*st.Frames : (c+1)*st.Frames])
				squares, peak, n = squares+sum, max(peak, top), n+st.Frames
			}
			if n == 0 {
				continue
			}
			f := s.Channels[c].Calibration.Factor()
			row[0][c] = float32(20 * math.Log10(f*math.Sqrt(squares/float64(n))))
			row[1][c] = float32(20 * math.Log10(f*peak))
		}
		if len(power) == 0 {
			return nil
		}
		mean, err := w.mean(ctx, in)
		for c := range mean {
			b.power(power, mean[c], w.width())
			decibels(row[2][c*len(power):], power)
		}
		return err
	}, nil
}

// loudness is the sum of squares, and the greatest modulus.
func loudness(x []float32) (squares, peak float64) {
	for _, v := range x {
		w := float64(v)
		squares += w * w
		peak = max(peak, math.Abs(w))
	}
	return squares, peak
}

// Graph implements fleet.Costed.
func (j *Levels) Graph(s *fleet.Series) ([]*nd.Array, error) { return j.graphOf(s) }
