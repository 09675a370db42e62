package jobs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Welch is the options of spectra by Welch's method, which most jobs have.
type Welch struct {
	// NFFT is the samples of a segment; 0 is a second of them, so that bins
	// are 1 Hz wide.
	NFFT int `json:"nfft,omitempty"`
	// Overlap is the part of a segment that it shares with the next, 0.5 if
	// it is 0; negative is none.
	Overlap float64 `json:"overlap,omitempty"`
	Window  string  `json:"window,omitempty"` // as signal.ParseWindow takes it; empty is hann
	// Detrend is constant, linear or none, which is what it is if empty.
	Detrend string `json:"detrend,omitempty"`
}

// welch is the options fitted to a series.
type welch struct {
	series   *fleet.Series
	spectral signal.Spectral
	size     int
	hop      int
	gain     [][]float64 // what power is multiplied by, for each channel and bin
}

func (o Welch) fit(s *fleet.Series) (*welch, error) {
	w := &welch{series: s, size: o.NFFT}
	if w.size == 0 {
		w.size = int(math.Round(s.Rate))
	}
	if w.size < 2 {
		return nil, fmt.Errorf("segments of %d samples at %g Hz: want 2 or more", w.size, s.Rate)
	}
	if limit := s.Period.Seconds() * s.Rate; float64(w.size) > math.Ceil(limit) {
		return nil, fmt.Errorf("segments of %d samples, and a period of %v has %.0f", w.size, s.Period, limit)
	}
	overlap := o.Overlap
	switch {
	case overlap == 0:
		overlap = 0.5
	case overlap < 0:
		overlap = 0
	case overlap >= 1:
		return nil, fmt.Errorf("an overlap of %g: want less than 1", overlap)
	}
	shared := int(float64(w.size) * overlap)
	w.hop = w.size - shared
	w.spectral = signal.Spectral{FS: s.Rate, Window: signal.Window{Name: "hann"}, NPerSeg: w.size, NOverlap: shared, Detrend: signal.TrendNone}
	if shared == 0 {
		w.spectral.NOverlap = signal.None
	}
	if o.Window != "" {
		window, err := signal.ParseWindow(o.Window)
		if err != nil {
			return nil, err
		}
		w.spectral.Window = window
	}
	if o.Detrend != "" {
		trend, err := signal.ParseTrend(o.Detrend)
		if err != nil {
			return nil, err
		}
		w.spectral.Detrend = trend
	}
	for _, c := range s.Channels {
		gain := make([]float64, w.bins())
		for k := range gain {
			gain[k] = c.Calibration.PowerAt(w.frequency(k))
		}
		w.gain = append(w.gain, gain)
	}
	return w, nil
}

func (w *welch) bins() int { return w.size/2 + 1 }

func (w *welch) width() float64 { return w.series.Rate / float64(w.size) }

func (w *welch) frequency(k int) float64 { return float64(k) * w.width() }

// segments is how many a stretch has.
func (w *welch) segments(frames int) int {
	if frames < w.size {
		return 0
	}
	return (frames-w.size)/w.hop + 1
}

// mean is the mean power spectral density of all segments of a window, for
// each channel, calibrated; nil if there is no whole segment.
func (w *welch) mean(ctx context.Context, in *fleet.Window) ([][]float64, error) {
	total := 0
	var sums [][]float64
	for _, s := range in.Stretches() {
		n := w.segments(s.Frames)
		if n == 0 {
			continue
		}
		spectrum := signal.Welch(s.Array(in.Stream), w.spectral)
		values, err := nd.Slice[float32](ctx, spectrum.Array)
		spectrum.Release()
		if err != nil {
			return nil, err
		}
		if sums == nil {
			sums = make([][]float64, s.Channels)
			for c := range sums {
				sums[c] = make([]float64, w.bins())
			}
		}
		for c := range sums {
			for k, v := range values[c*w.bins() : (c+1)*w.bins()] {
				sums[c][k] += float64(v) * float64(n)
			}
		}
		total += n
	}
	for c := range sums {
		for k, g := range w.gain[c] {
			sums[c][k] *= g / float64(total)
		}
	}
	return sums, nil
}

// percentiles are those of the power of segments, for each channel, percentile
// and bin, calibrated; nil if there is no whole segment. Between two ranks
// they are interpolated linearly, as numpy.percentile does.
func (w *welch) percentiles(ctx context.Context, in *fleet.Window, percents []float64) ([][][]float64, error) {
	var spectra [][]float32 // of each stretch: channels, bins, segments
	total, channels := 0, 0
	for _, s := range in.Stretches() {
		if w.segments(s.Frames) == 0 {
			continue
		}
		spectrum := signal.Spectrogram(s.Array(in.Stream), signal.PSD, w.spectral)
		values, err := nd.Slice[float32](ctx, spectrum.Array)
		spectrum.Release()
		if err != nil {
			return nil, err
		}
		spectra = append(spectra, values)
		total += w.segments(s.Frames)
		channels = s.Channels
	}
	if total == 0 {
		return nil, nil
	}
	out := make([][][]float64, channels)
	line := make([]float32, 0, total)
	for c := range out {
		out[c] = make([][]float64, len(percents))
		for i := range percents {
			out[c][i] = make([]float64, w.bins())
		}
		for k := range w.bins() {
			line = line[:0]
			for _, v := range spectra {
				n := len(v) / (channels * w.bins())
				line = append(line, v[(c*w.bins()+k)*n:][:n]...)
			}
			slices.Sort(line)
			for i, p := range percents {
				out[c][i][k] = percentile(line, p) * w.gain[c][k]
			}
		}
	}
	return out, nil
}

// percentile is that of sorted numbers.
func percentile(sorted []float32, p float64) float64 {
	at := p / 100 * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return float64(sorted[len(sorted)-1])
	}
	return float64(sorted[low]) + (float64(sorted[low+1])-float64(sorted[low]))*(at-float64(low))
}

// graph computes the windows of one period, to be priced.
func (w *welch) graph() []*nd.Array {
	frames := int(math.Round(w.series.Period.Seconds() * w.series.Rate))
	return []*nd.Array{signal.Welch(nd.Zeros(nd.Float32, len(w.series.Channels), frames), w.spectral).Array}
}

// decibels writes levels of powers; there is none of nothing.
func decibels(dst []float32, power []float64) {
	for i, p := range power {
		dst[i] = float32(10 * math.Log10(p))
	}
}

// density is the unit of levels of a power spectral density.
func density(s *fleet.Series) string { return fmt.Sprintf("dB re 1 %s^2/Hz", s.Unit) }

// level is the unit of levels.
func level(s *fleet.Series) string { return fmt.Sprintf("dB re 1 %s", s.Unit) }

// described are the attributes of results by Welch's method.
func (w *welch) described() map[string]any {
	return map[string]any{"nfft": w.size, "hop": w.hop, "window": w.spectral.Window.Name, "detrend": w.spectral.Detrend.String(), "segment_s": (time.Duration(float64(w.size) / w.series.Rate * 1e9)).Seconds()}
}
