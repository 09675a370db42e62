package jobs

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Mel is the power of each period in mel bands: the mean power spectral
// density under triangles of area 1.
type Mel struct {
	Welch         // NFFT is 2048 if it is 0
	Bands int     `json:"bands,omitempty"` // 0 is 128
	FMin  float64 `json:"fmin,omitempty"`
	FMax  float64 `json:"fmax,omitempty"` // 0 is half the sampling frequency
	HTK   bool    `json:"htk,omitempty"`  // HTK's scale instead of Slaney's
}

// Prepare implements fleet.Job.
func (j *Mel) Prepare(s *fleet.Series) (*fleet.Layout, fleet.Compute, error) {
	o, bands := j.options()
	w, err := o.fit(s)
	if err != nil {
		return nil, nil, err
	}
	m := signal.Mel{FS: s.Rate, NMels: bands, FMin: j.FMin, FMax: j.FMax, HTK: j.HTK}
	weights, err := nd.Slice[float64](context.Background(), m.FilterBank(nd.Float64, w.size))
	if err != nil {
		return nil, nil, err
	}
	if len(weights) != bands*w.bins() {
		return nil, nil, fmt.Errorf("%d weights for %d bands of %d bins", len(weights), bands, w.bins())
	}
	top := j.FMax
	if top == 0 {
		top = s.Rate / 2
	}
	axis := &fleet.Axis{Name: "mel", Unit: "Hz", Long: "centre of the mel band"}
	low, high := signal.HzToMel(j.FMin, j.HTK), signal.HzToMel(top, j.HTK)
	for i := range bands {
		axis.Values = append(axis.Values, signal.MelToHz(low+(high-low)*float64(i+1)/float64(bands+1), j.HTK))
	}
	l := &fleet.Layout{Attributes: w.described(), Variables: []fleet.Variable{{Name: "mel", Unit: density(s), Long: "mean power spectral density in mel bands", Axis: axis}}}
	power := make([]float64, bands)
	return l, func(ctx context.Context, in *fleet.Window, row fleet.Row) error {
		mean, err := w.mean(ctx, in)
		for c := range mean {
			for i := range power {
				sum := 0.0
				for k, f := range weights[i*w.bins() : (i+1)*w.bins()] {
					sum += f * mean[c][k]
				}
				power[i] = sum * w.width()
			}
			decibels(row[0][c*bands:], power)
		}
		return err
	}, nil
}

func (j *Mel) options() (Welch, int) {
	o, bands := j.Welch, j.Bands
	if o.NFFT == 0 {
		o.NFFT = 2048
	}
	if bands == 0 {
		bands = 128
	}
	return o, bands
}

// Graph implements fleet.Costed.
func (j *Mel) Graph(s *fleet.Series) ([]*nd.Array, error) {
	o, _ := j.options()
	return o.graphOf(s)
}
