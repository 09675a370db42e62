package analyze

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/twiddle-go/twiddle/audio"
)

const (
	// batch is how many samples are transformed at a time: enough to keep all
	// processors busy, little enough to stay in the caches beyond the first.
	batch = 1 << 18
	// Columns of pictures: when there are as many, neighbours become one.
	waveColumns     = 4096
	spectrumColumns = 2048
	spectrumRows    = 1024
	// waveSpan is the frames of a column of a waveform, at first.
	waveSpan = 16
)

// part is some segments of a recording, on their way to being transformed:
// samples of each channel one after another.
type part[T float32 | float64] struct {
	lines  []T
	frames int   // of a line
	read   int64 // frames of the recording so far
	last   bool  // there is no more
	err    error
}

// cut is how a recording becomes segments: a slice is so many of them, whose
// spectra are averaged on the device before anybody looks at them.
type cut struct{ size, hop, slice int }

// segments is how many there are in so many frames.
func (c cut) segments(frames int) int {
	if frames < c.size {
		return 0
	}
	return (frames-c.size)/c.hop + 1
}

// used is how many frames of a part the next one does not need: the whole
// slices are done with.
func (c cut) used(frames int) int { return c.segments(frames) / c.slice * c.slice * c.hop }

// newCut keeps slices short enough for short changes to be seen, and for a
// batch to hold one.
func newCut(size, channels int, frames int64) cut {
	c := cut{size: size, hop: size - size/2, slice: 1}
	for c.slice < maxSlice && frames > int64(2*c.slice*c.hop)*spectrumColumns && 2*c.slice*c.hop*channels <= batch {
		c.slice *= 2
	}
	return c
}

// reader cuts a recording into parts that overlap, and looks at every sample.
type reader[T float32 | float64] struct {
	file   *audio.File
	cut    cut
	fresh  int // frames in a part that were not in the one before: whole slices
	stride int // frames that a part has room for
	stats  []stats
	wave   columns[span]
	begun  span // of a span that is not over
	filled int  // frames in it
}

func newReader[T float32 | float64](f *audio.File, c cut) *reader[T] {
	channels := f.Info.Channels
	slice := c.slice * c.hop
	r := &reader[T]{file: f, cut: c, stats: make([]stats, channels), fresh: max(1, batch/(channels*slice)) * slice,
		wave: newColumns(waveColumns, func(a *span, _ int, b span, _ int) {
			a.low, a.high = min(a.low, b.low), max(a.high, b.high)
		})}
	// Less than a slice and a segment is left over.
	r.stride = r.fresh + slice + c.size
	return r
}

// stats sums up a channel.
type stats struct {
	sum, squares, peak float64
	moments            moments
}

// span is the range of samples.
type span struct{ low, high float64 }

// run sends all parts and then closes the channel. Parts are sent in turns of
// three buffers: one is being filled, one waits, one is worked on.
func (r *reader[T]) run(ctx context.Context, out chan<- part[T]) {
	defer close(out)
	channels, stride := r.file.Info.Channels, r.stride
	var buffers [3][]T
	for i := range buffers {
		buffers[i] = make([]T, channels*stride)
	}
	room := make([]T, channels*r.fresh)
	var before part[T]
	have, read := 0, int64(0)
	for turn := 0; ; turn++ {
		p := part[T]{lines: buffers[turn%3]}
		n, err := audio.ReadFull(r.file, room)
		p.last = err == io.EOF
		if err != nil && !p.last {
			p.err = fmt.Errorf("%w (%s)", err, r.file.Name())
		}
		for c := range channels {
			line := p.lines[c*stride : (c+1)*stride]
			if have > 0 {
				old := before.lines[c*stride:][:before.frames]
				copy(line, old[before.frames-have:])
			}
			new := line[have : have+n]
			for i := range new {
				new[i] = room[i*channels+c]
			}
			if at := add(&r.stats[c], new); at >= 0 && p.err == nil {
				p.err = &SampleError{c, read + int64(at), float64(new[at]), r.file.Name()}
			}
		}
		r.look(p.lines, have, n, stride)
		read += int64(n)
		p.frames, p.read = have+n, read
		select {
		case out <- p:
		case <-ctx.Done():
			return
		}
		if p.last || p.err != nil {
			return
		}
		have, before = p.frames-r.cut.used(p.frames), p
	}
}

// add counts samples and gives the place of the first that is no finite number,
// or -1.
func add[T float32 | float64](s *stats, x []T) int {
	var sum, squares, peak float64
	for _, v := range x {
		w := float64(v)
		sum += w
		squares += w * w
		if a := math.Abs(w); a > peak {
			peak = a
		}
	}
	s.sum += sum
	s.squares += squares
	s.peak = max(s.peak, peak)
	s.moments.add(momentsOf(x, sum))
	if squares-squares == 0 {
		return -1
	}
	for i, v := range x {
		if v-v != 0 {
			return i
		}
	}
	return -1 // finite, but their squares are not
}

// look adds the new frames of a part to the waveform. A span may begin in one
// part and end in the next.
func (r *reader[T]) look(lines []T, have, n, stride int) {
	for at := 0; at < n; {
		take := min(waveSpan-r.filled, n-at)
		low, high := lines[have+at], lines[have+at]
		for c := range r.stats {
			for _, v := range lines[c*stride+have+at : c*stride+have+at+take] {
				if v < low {
					low = v
				}
				if v > high {
					high = v
				}
			}
		}
		if r.filled == 0 {
			r.begun = span{float64(low), float64(high)}
		}
		r.begun.low, r.begun.high = min(r.begun.low, float64(low)), max(r.begun.high, float64(high))
		at += take
		if r.filled += take; r.filled == waveSpan {
			r.endSpan()
		}
	}
}

// endSpan adds what there is of a span.
func (r *reader[T]) endSpan() {
	if r.filled > 0 {
		r.wave.add(r.begun)
		r.filled = 0
	}
}

// scan reads a recording and fills in everything but the peaks.
func scan[T float32 | float64](ctx context.Context, f *audio.File, o Options, r *Result) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := newCut(r.NPerSeg, f.Info.Channels, f.Info.Frames)
	in := newReader[T](f, c)
	s := newSpectra[T](o, r, c)
	parts := make(chan part[T], 1)
	go in.run(ctx, parts)
	for p := range parts {
		if p.err != nil {
			return p.err
		}
		if p.last && p.read == 0 {
			return fmt.Errorf("analyze: no samples (%s)", f.Name())
		}
		if err := s.take(ctx, p, in.stride); err != nil {
			return err
		}
		r.Frames = p.read
		if o.Progress != nil {
			o.Progress(p.read, f.Info.Frames)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	n := float64(r.Frames)
	for _, c := range in.stats {
		r.Channels = append(r.Channels, Channel{Mean: c.sum / n, RMS: math.Sqrt(c.squares / n), Peak: c.peak,
			Skewness: c.moments.skewness(), Kurtosis: c.moments.kurtosis()})
	}
	in.endSpan()
	r.Waveform.Span = int64(in.wave.weight) * waveSpan
	for _, w := range in.wave.items {
		r.Waveform.Low, r.Waveform.High = append(r.Waveform.Low, w.low), append(r.Waveform.High, w.high)
	}
	s.finish()
	return nil
}
