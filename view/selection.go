package view

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// part is frames of a recording and how to look at them.
type part struct {
	item     string
	rec      Recording
	info     Info
	look     look
	from, to int64
}

// partOf reads a part from the query of a request. The caller closes its
// recording.
func (s *Server) partOf(q url.Values) (*part, error) {
	p := &part{item: q.Get("item"), look: look{Window: q.Get("window"), Mean: q.Get("mean") == "true"}}
	var bad error
	number := func(name string) int64 {
		n, err := strconv.ParseInt(q.Get(name), 10, 64)
		if err != nil && bad == nil {
			bad = fmt.Errorf("view: %s %q is not a whole number", name, q.Get(name))
		}
		return n
	}
	p.from, p.to = number("from"), number("to")
	p.look.Channel, p.look.N, p.look.Hop = int(number("channel")), int(number("n")), int(number("hop"))
	if bad != nil {
		return nil, bad
	}
	rec, err := s.hub.source.Open(p.item)
	if err != nil {
		return nil, err
	}
	p.rec, p.info = rec, rec.Info()
	p.look.IQ = p.info.IQ
	if err := p.look.check(p.info); err != nil {
		rec.Close()
		return nil, err
	}
	p.from, p.to = max(p.from, p.info.First), min(p.to, p.info.Frames)
	if p.from >= p.to {
		rec.Close()
		return nil, fmt.Errorf("view: frames %d to %d of %d: nothing is selected", p.from, p.to, p.info.Frames)
	}
	return p, nil
}

// channels is which the look takes, counted from 0.
func (p *part) channels() []int {
	if p.look.Channel != allChannels {
		return []int{p.look.Channel}
	}
	all := make([]int, p.info.Channels)
	for i := range all {
		all[i] = i
	}
	return all
}

// spectra is how many the part has: one of each channel, or one of complex samples.
func (p *part) spectra() int {
	if p.info.IQ {
		return 1
	}
	return len(p.channels())
}

// spectral is the options of a spectrum of so many segments' length.
func (p *part) spectral() signal.Spectral {
	return signal.Spectral{FS: p.info.rate(), Window: p.look.window(), NPerSeg: p.look.N}
}

// lines reads frames of the chosen channels as an array in double precision; of I and Q
// it is one line of complex numbers.
func (p *part) lines(from int64, frames int, stream *nd.Stream) (*nd.Array, error) {
	room := make([]float64, frames*p.info.Channels)
	if err := readPadded(p.rec, room, from, p.info.Channels); err != nil {
		return nil, err
	}
	channels := p.channels()
	if p.info.IQ {
		channels = []int{0, 1}
	}
	lines := make([]float64, frames*len(channels))
	for i, c := range channels {
		for f := range frames {
			lines[i*frames+f] = room[f*p.info.Channels+c]
		}
	}
	x := nd.From(lines, len(channels), frames).On(stream)
	if p.info.IQ {
		x = nd.Complex(x.At(0), x.At(1)).ExpandDims(0)
	}
	return x, nil
}

// ascending puts bins along an axis in the order of their frequencies, which those of
// complex samples are not.
func (p *part) ascending(s signal.Spectrum, axis int) (*nd.Array, []float64) {
	if !p.info.IQ {
		return s.Array, s.Frequencies
	}
	hz := slices.Clone(s.Frequencies)
	fft.Shift(hz)
	return s.FFTShift(axis), hz
}

// density is the power spectral density of each channel, by Welch's method: the
// numbers of signal.Welch of the whole part, which is read in pieces.
func (p *part) density(ctx context.Context, stream *nd.Stream) (frequencies []float64, density [][]float64, segments int64, err error) {
	o := p.spectral()
	size := int64(min(p.to-p.from, int64(o.NPerSeg)))
	hop := size - size/2
	segments = (p.to-p.from-size)/hop + 1
	density = make([][]float64, p.spectra())
	batch := max(1, int64(1<<19)/(size*int64(len(density))))
	for at := int64(0); at < segments; at += batch {
		n := min(batch, segments-at)
		x, err := p.lines(p.from+at*hop, int((n-1)*hop+size), stream)
		if err != nil {
			return nil, nil, 0, err
		}
		w, hz := p.ascending(signal.Welch(x, o), -1)
		values, err := nd.Slice[float64](ctx, w)
		if err != nil {
			return nil, nil, 0, err
		}
		frequencies = hz
		for c := range density {
			if density[c] == nil {
				density[c] = make([]float64, len(frequencies))
			}
			for k := range density[c] {
				density[c][k] += values[c*len(frequencies)+k] * float64(n) / float64(segments)
			}
		}
	}
	return frequencies, density, segments, nil
}

// channelLevels is what a selection says of a channel, in dB against a sine of
// amplitude 1, but for DC.
type channelLevels struct {
	Channel int      `json:"channel"` // counted from 1
	RMS     *float64 `json:"rms"`
	Peak    *float64 `json:"peak"`
	DC      *float64 `json:"dc"`
}

// selected is what the page shows of a selection. Numbers that are none are null.
type selected struct {
	From     int64           `json:"from"`
	To       int64           `json:"to"`
	Seconds  float64         `json:"seconds"`
	Channels []channelLevels `json:"channels"`
	Hz       []float64       `json:"hz"`
	Level    []*float64      `json:"level"` // mean power of channels
	Segments int64           `json:"segments"`
	Peaks    []analyze.Peak  `json:"peaks"`
	Note     string          `json:"note,omitempty"`
}

// finite is a number for JSON, or null.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// selection answers with levels, spectrum and peaks of a part of a recording.
func (s *Server) selection(w http.ResponseWriter, r *http.Request) {
	p, err := s.partOf(r.URL.Query())
	if err != nil {
		fail(w, err)
		return
	}
	defer p.rec.Close()
	out, err := p.selected(r.Context(), s.opt.Stream)
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, out)
}

func (p *part) selected(ctx context.Context, stream *nd.Stream) (*selected, error) {
	hz, density, segments, err := p.density(ctx, stream)
	if err != nil {
		return nil, err
	}
	out := &selected{From: p.from, To: p.to, Seconds: float64(p.to-p.from) / p.info.rate(), Hz: hz, Segments: segments, Peaks: []analyze.Peak{}}
	if out.Channels, err = p.levels(ctx); err != nil {
		return nil, err
	}
	size := int(min(p.to-p.from, int64(p.look.N)))
	unit, err := densityToLevel(p.look.window(), size, p.info.rate())
	if err != nil {
		return nil, err
	}
	if p.info.IQ { // of a complex tone
		unit /= 2
	}
	level := make([]float64, len(hz))
	whole := true
	for k := range level {
		for _, d := range density {
			level[k] += d[k] / float64(len(density))
		}
		level[k] = max(decibelFloor, 10*math.Log10(level[k]*unit))
		whole = whole && !math.IsNaN(level[k])
		out.Level = append(out.Level, finite(level[k]))
	}
	if !whole {
		out.Note = "The selection has samples that are no numbers: it has no spectrum."
		return out, nil
	}
	if int64(p.look.N) > p.to-p.from {
		out.Note = fmt.Sprintf("The selection is shorter than the window: all %d samples are one segment.", size)
	}
	out.Peaks, err = analyze.Tones(ctx, analyze.Spectrum{Level: level, Rate: p.info.rate(), NPerSeg: size, Segments: segments, TwoSided: p.info.IQ,
		Bits: audio.Info{Format: p.info.Format, Encoding: p.info.Encoding}.Bits()},
		analyze.Options{Window: p.look.window(), Peaks: 12})
	return out, err
}

// densityToLevel is the factor from a density to the power of a sine, which at
// amplitude 1 is 1.
func densityToLevel(w signal.Window, n int, rate float64) (float64, error) {
	samples, err := w.Samples(n)
	if err != nil {
		return 0, err
	}
	sum, squares := 0.0, 0.0
	for _, v := range samples {
		sum += v
		squares += v * v
	}
	return 2 * rate * squares / (sum * sum), nil
}

// levels measures every channel of the part.
func (p *part) levels(ctx context.Context) ([]channelLevels, error) {
	channels := p.channels()
	sum, squares, peak := make([]float64, len(channels)), make([]float64, len(channels)), make([]float64, len(channels))
	room := make([]float64, max(1, (1<<18)/p.info.Channels)*p.info.Channels)
	for at := p.from; at < p.to; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		frames := room[:min(int64(len(room)/p.info.Channels), p.to-at)*int64(p.info.Channels)]
		if err := readPadded(p.rec, frames, at, p.info.Channels); err != nil {
			return nil, err
		}
		for i, c := range channels {
			for f := c; f < len(frames); f += p.info.Channels {
				v := frames[f]
				sum[i] += v
				squares[i] += v * v
				peak[i] = max(peak[i], math.Abs(v))
			}
		}
		at += int64(len(frames) / p.info.Channels)
	}
	n := float64(p.to - p.from)
	out := make([]channelLevels, len(channels))
	for i, c := range channels {
		out[i] = channelLevels{Channel: c + 1, RMS: finite(10 * math.Log10(2*squares[i]/n)), Peak: finite(20 * math.Log10(peak[i])), DC: finite(sum[i] / n)}
	}
	return out, nil
}
