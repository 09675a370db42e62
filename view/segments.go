package view

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// decibelFloor is what silence is shown as: quieter than any recorder is.
const decibelFloor = -200

// run is consecutive segments of a recording: the first begins at a frame,
// which may be before the recording begins, and each hop frames after the one
// before. Groups of them become one column.
type run struct {
	first int64
	hop   int
	count int
	group int
}

// frames is how many frames a run covers.
func (r run) frames(n int) int { return (r.count-1)*r.hop + n }

// runOf is the segments of columns of a level.
func (l look) runOf(level int, column int64, columns int) run {
	k := l.segments(level)
	hop := int(l.span(level) / int64(k))
	// Segments are centred in the spans that they stand for.
	return run{first: column*l.span(level) + int64(hop/2) - int64(l.N/2), hop: hop, count: columns * k, group: k}
}

// analyser computes levels of segments on a stream.
type analyser struct {
	stream *nd.Stream
	rec    Recording
	info   Info
	look   look
	unit   float64 // squared modulus to power, a sine of amplitude 1 being 1
	window *nd.Array
	seats  []*seat // of those who compute at the same time
}

func newAnalyser(stream *nd.Stream, rec Recording, l look) (*analyser, error) {
	info := rec.Info()
	if err := l.check(info); err != nil {
		return nil, err
	}
	w, err := l.window().Samples(l.N)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	if sum == 0 {
		return nil, fmt.Errorf("view: window %s of %d samples adds up to 0", l.Window, l.N)
	}
	unit := 4 / (sum * sum)
	if l.IQ { // a tone is at one frequency and not at two of half its amplitude
		unit /= 4
	}
	return &analyser{stream: stream, rec: rec, info: info, look: l, unit: unit, window: l.window().Array(nd.Float32, l.N)}, nil
}

// channels is how many the look takes.
func (a *analyser) channels() int {
	if a.look.Channel == allChannels || a.look.IQ {
		return a.info.Channels
	}
	return 1
}

// readPadded fills dst with frames from a frame on; those before the beginning
// and behind the end are silent.
func readPadded[T sample](rec Recording, dst []T, first int64, channels int) error {
	info := rec.Info()
	n := int64(len(dst) / channels)
	before := min(max(0, info.First-first), n)
	clear(dst[:before*int64(channels)])
	left := min(n, info.Frames-first)
	if left <= before {
		clear(dst)
		return nil
	}
	got, err := readFrames(rec, dst[before*int64(channels):left*int64(channels)], first+before)
	if err != nil && err != io.EOF {
		return err
	}
	clear(dst[(before+int64(got))*int64(channels):])
	return nil
}

// array is the graph of a run's levels: a column for each group, bins along the
// last axis, in dB.
func (a *analyser) array(stream *nd.Stream, lines []float32, r run) *nd.Array {
	x := nd.From(lines, a.channels(), r.frames(a.look.N)).On(stream)
	return a.levels(a.power(x.Frames(a.look.N, r.hop)), r)
}

// power is the squared modulus of bins of segments, of shape (channels, segments, samples):
// the mean of channels.
func (a *analyser) power(x *nd.Array) *nd.Array {
	if a.look.IQ {
		z := nd.Complex(x.At(0), x.At(1))
		return z.MulReal(a.window.Beside(x)).FFT().AbsSquared().FFTShift(-1)
	}
	return x.Mul(a.window.Beside(x)).RFFT().AbsSquared().Mean(0)
}

// scattered is the graph of the levels of segments that do not follow one
// another: lines of samples, channels beside one another.
func (a *analyser) scattered(lines []float32, count int) *nd.Array {
	x := nd.From(lines, a.channels(), count, a.look.N).On(a.stream)
	return a.levels(a.power(x), run{count: count, group: 1})
}

// levels makes decibels of the powers of segments.
func (a *analyser) levels(p *nd.Array, r run) *nd.Array {
	if r.group > 1 {
		p = p.Reshape(r.count/r.group, r.group, a.look.bins())
		if a.look.Mean {
			p = p.Mean(1)
		} else {
			p = p.Max(1)
		}
	}
	least := math.Pow(10, decibelFloor/10.0)
	return p.MulScalar(a.unit).MaximumScalar(least).Log().MulScalar(10 / math.Ln10)
}

// sampled computes columns of a level from one segment each, in the middle of
// the span: a first impression.
func (a *analyser) sampled(ctx context.Context, level int, column int64, columns int, f func(i int, levels []float32)) error {
	n, bins, all := a.look.N, a.look.bins(), a.info.Channels
	step := min(columns, a.batch(n))
	room := make([]float32, n*all)
	one := make([]float32, n*a.channels())
	lines := make([]float32, a.channels()*step*n)
	for at := 0; at < columns; at += step {
		count := min(step, columns-at)
		lines := lines[:a.channels()*count*n]
		for i := range count {
			middle := (column+int64(at+i))*a.look.span(level) + a.look.span(level)/2
			if err := readPadded(a.rec, room, middle-int64(n/2), all); err != nil {
				return err
			}
			a.byChannel(one, room, n)
			for c := range a.channels() {
				copy(lines[(c*count+i)*n:], one[c*n:(c+1)*n])
			}
		}
		levels, err := nd.Slice[float32](ctx, a.scattered(lines, count))
		if err != nil {
			return err
		}
		for i := range count {
			f(at+i, levels[i*bins:(i+1)*bins])
		}
	}
	return nil
}

// grown is a slice of n elements, in the old memory if that is enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
