package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Options is how to look at a recording. The zero value is fine.
type Options struct {
	NPerSeg int           // samples in a segment; 0 is about a tenth of a second
	Window  signal.Window // hann
	Peaks   int           // how many to list; 0 is 10
	// Prominence is how many decibels a peak has to stand out; 0 is 6. It
	// also has to be higher than noise gets by chance.
	Prominence float64
	// Stream is where to compute; nil is the CPU's own.
	Stream *nd.Stream
	// Progress, if there is one, is told how many frames have been read, and
	// of how many: -1 if that is not known.
	Progress func(frames, of int64)
}

func (o Options) peaks() int {
	if o.Peaks == 0 {
		return 10
	}
	return o.Peaks
}

// Channel is the levels of one channel, and the tones in it.
type Channel struct {
	Name  string  `json:"name,omitempty"` // of a table's column
	Mean  float64 `json:"mean"`
	RMS   float64 `json:"rms"`   // of the samples: 0.707 for a sine of amplitude 1
	Peak  float64 `json:"peak"`  // the greatest modulus of a sample
	Noise float64 `json:"noise"` // level of the noise in a bin: the median, in dB
	Peaks []Peak  `json:"peaks"`
	// Skewness and Kurtosis are those of scipy.stats.skew and kurtosis(fisher=False): 0 and
	// 3 of Gaussian noise, 0 and 1.5 of a sine, more with shocks; 0 if all samples are the same.
	Skewness float64 `json:"skewness"`
	Kurtosis float64 `json:"kurtosis"`
}

// Peak is a tone that stands out.
type Peak struct {
	Frequency  float64 `json:"frequency"`  // between bins, by a parabola
	Level      float64 `json:"level"`      // in dB
	Prominence float64 `json:"prominence"` // in dB
	Width      float64 `json:"width"`      // 3 dB below the top, in the unit of Frequency
	// Channels are those that have it, in Result.Peaks.
	Channels []int `json:"channels,omitempty"`
	// Role says whether it belongs to another peak, at frequency Of: a harmonic is at
	// Order times that, a sideband Order times Spacing away.
	Role    Role    `json:"role,omitempty"`
	Of      float64 `json:"of,omitempty"`
	Order   int     `json:"order,omitempty"`
	Spacing float64 `json:"spacing,omitempty"`
}

// Result is what is in a recording.
type Result struct {
	Info     audio.Info `json:"info"`
	Frames   int64      `json:"frames"` // that were read
	Rate     float64    `json:"rate"`   // 1 if the file does not say, and nobody else does
	Warning  string     `json:"warning,omitempty"`
	Channels []Channel  `json:"channels"`

	NPerSeg  int   `json:"nperseg"`
	Segments int64 `json:"segments"`
	// Frequencies are those of the bins of Density, the power spectral density
	// of each channel, and of Level, the mean power of channels at each
	// frequency, as that of a sine, in dB. Of complex samples (Info.IQ) they begin
	// below 0, and there is one density; levels are against a complex tone of amplitude 1.
	Frequencies []float64   `json:"-"`
	Density     [][]float64 `json:"-"`
	Level       []float64   `json:"-"`
	// Peaks are those of all channels, highest first. What channels have in common is
	// listed once.
	Peaks []Peak `json:"peaks"`

	Waveform    Waveform    `json:"-"`
	Spectrogram Spectrogram `json:"-"`

	sine float64 // takes a density to the power of a sine
}

// Seconds is how long the recording is.
func (r *Result) Seconds() float64 { return float64(r.Frames) / r.Rate }

// HasRate reports whether it is known how many frames make a second. If not,
// times are in samples and frequencies in cycles per sample.
func (r *Result) HasRate() bool { return r.Info.Rate > 0 }

// SampleError is a sample that is no finite number: a recording with one has no spectrum.
type SampleError struct {
	Channel int // from 0; in text channels count from 1
	Frame   int64
	Value   float64
	File    string
}

func (e *SampleError) Error() string {
	return fmt.Sprintf("analyze: channel %d, frame %d: a sample is %g (%s)", e.Channel+1, e.Frame, e.Value, e.File)
}

// Waveform is the course of a recording: the least and the greatest sample of
// any channel in each of the spans it is cut into.
type Waveform struct {
	Span      int64 // frames
	Low, High []float64
}

// Spectrogram is the course of the spectrum: mean power of channels, in dB as
// that of sines, in each of the spans it is cut into. Neighbouring bins may
// share a row, which then has the greater of them.
type Spectrogram struct {
	Span    float64     // seconds
	Bottom  float64     // frequency of the lower end of the first row: 0, or less of complex samples
	Top     float64     // frequency of the upper end of the last row
	Columns [][]float32 // low frequencies first
}

// maxChannels is how many channels are looked at side by side: each takes a
// spectrum in memory.
const maxChannels = 256

// Recording reads a recording to its end.
func Recording(ctx context.Context, f *audio.File, opt ...Options) (*Result, error) {
	var o Options
	if len(opt) > 0 {
		o = opt[0]
	}
	r := &Result{Info: f.Info, Rate: f.Info.Rate, NPerSeg: o.NPerSeg}
	r.Rate = cmp.Or(r.Rate, 1)
	switch {
	case o.NPerSeg < 0 || o.NPerSeg > maxSegment:
		return nil, fmt.Errorf("analyze: NPerSeg %d: want 1 to %d", o.NPerSeg, maxSegment)
	case o.Peaks < 0:
		return nil, fmt.Errorf("analyze: Peaks %d: want 1 or more", o.Peaks)
	case !(o.Prominence >= 0):
		return nil, fmt.Errorf("analyze: Prominence %g: want a positive number", o.Prominence)
	case f.Info.Channels > maxChannels:
		return nil, fmt.Errorf("analyze: %d channels: at most %d are looked at side by side (%s)", f.Info.Channels, maxChannels, f.Name())
	}
	if o.NPerSeg == 0 {
		r.NPerSeg = defaultSegment(f.Info)
	}
	if o.Stream == nil {
		o.Stream = nd.CPU().Stream()
	}
	var err error
	if f.Info.Wide {
		err = scan[float64](ctx, f, o, r)
	} else {
		err = scan[float32](ctx, f, o, r)
	}
	if errors.As(err, new(*SampleError)) && f.Warning() != nil { // of a table, with its line
		err = fmt.Errorf("%w: %w", err, f.Warning())
	}
	if err != nil {
		return nil, err
	}
	if w := f.Warning(); w != nil {
		r.Warning = w.Error()
	}
	names := f.ChannelNames()
	if names == nil && r.Info.IQ {
		names = []string{"I", "Q"}
	}
	for c := range r.Channels {
		if names != nil {
			r.Channels[c].Name = names[c]
		}
	}
	s := Spectrum{Level: r.Level, Rate: r.Rate, NPerSeg: r.NPerSeg, Segments: r.Segments, Wide: r.Info.Wide, Bits: r.Info.Bits(), TwoSided: r.Info.IQ}
	if r.Info.IQ {
		for c := range r.Channels {
			r.Channels[c].Noise, r.Channels[c].Peaks = s.Noise(), []Peak{}
		}
		r.Peaks, err = Tones(ctx, s, o)
		return r, err
	}
	s.Level = make([]float64, len(r.Frequencies))
	for c := range r.Channels {
		for k, v := range r.Density[c] {
			s.Level[k] = decibels(v * r.sine)
		}
		r.Channels[c].Noise = s.Noise()
		if r.Channels[c].Peaks, err = Tones(ctx, s, o); err != nil {
			return nil, err
		}
	}
	r.Peaks = merge(r.Channels, r.Rate/float64(r.NPerSeg), o.peaks())
	return r, nil
}

// maxSegment bounds the memory of a spectrum.
const maxSegment = 1 << 22

// defaultSegment is the power of two next to a tenth of a second, and less of a
// recording so short that it would have no four segments.
func defaultSegment(info audio.Info) int {
	n := 4096
	if info.Rate > 0 {
		n = 1 << int(min(max(math.Round(math.Log2(info.Rate/10)), 8), 14))
	}
	for info.Frames >= 0 && n > 256 && int64(n) > info.Frames/4 {
		n /= 2
	}
	return n
}
