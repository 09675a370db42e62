package view

import (
	"context"
	"math"
	"sync"

	"github.com/twiddle-go/twiddle/nd"
)

// pyramid is the columns of a whole recording at the levels that take too long
// to compute when they are asked for. Its base is computed once, from the
// beginning to the end; each level above it has half the columns.
type pyramid struct {
	look  look
	base  int // level of the first of levels
	group int // bins in each element
	bins  int // elements of a column

	waveBase int

	mu     sync.Mutex
	frames int64      // as far as the base reaches
	done   int64      // whole columns of the base
	layers [][]uint16 // each at layerStep levels above the one before
	waves  []extent
	ended  bool  // the base reaches to the end, for now
	err    error // what ended it
	more   chan struct{}
}

// Sizes of a pyramid. The base of the spectrogram takes 88 MiB at most, and the
// layers above it, each of a quarter of the columns, a third of that; levels
// between them are made when they are asked for. Of an hour at 48 kHz a level
// below the base is then a screen of 7168 segments, which takes no longer than
// a step of the wheel.
const (
	layerStep    = 2
	never        = 62 // a level above all that are asked for
	baseElements = 44 << 20
	baseColumns  = 1 << 16
	groupedBins  = 1025
	waveElements = 1 << 18
)

func newPyramid(l look, info Info, share int) *pyramid {
	p := &pyramid{look: l, group: 1, bins: l.bins(), more: make(chan struct{})}
	for p.bins > groupedBins {
		p.group *= 2
		p.bins = (l.bins() + p.group - 1) / p.group
	}
	columns := min(int64(baseColumns), int64(baseElements/p.bins)) / int64(share)
	if info.Live { // as much as is kept is soon computed
		p.base, p.waveBase = never, never
		return p
	}
	for l.columnsAt(p.base, info.Frames) > columns {
		p.base++
	}
	for info.Frames>>p.waveBase > waveElements/int64(share) {
		p.waveBase++
	}
	return p
}

// bytes is what a pyramid takes when it is complete.
func (p *pyramid) bytes(frames int64) int {
	if p.base == never {
		return 0
	}
	return int(p.look.columnsAt(p.base, frames))*p.bins*2*4/3 + int(frames>>p.waveBase+1)*8
}

// passBlock is the columns of the base that are computed before anybody is told.
func (p *pyramid) passBlock() int {
	c := 1
	// About two million frames: a tenth of a second of work.
	for int64(2*c)*p.look.span(p.base) <= 2<<20 && c < 4096 {
		c *= 2
	}
	return c
}

// run computes the base from where it stands to the end of the recording.
func (p *pyramid) run(ctx context.Context, stream *nd.Stream, rec Recording) {
	a, err := newAnalyser(stream, rec, p.look)
	if err == nil {
		err = p.pass(ctx, a)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended = err == nil; ctx.Err() == nil {
		p.err = err
	}
	p.tell()
}

func (p *pyramid) pass(ctx context.Context, a *analyser) error {
	info := a.info
	waves := &waveTap{Recording: a.rec, pyramid: p, channel: p.look.Channel, channels: info.Channels}
	// What was read of a span that was not complete is read once more.
	waves.next = p.frames >> p.waveBase << p.waveBase
	p.mu.Lock()
	p.waves = p.waves[:min(int64(len(p.waves)), waves.next>>p.waveBase)]
	p.mu.Unlock()
	a.rec = waves
	total := p.look.columnsAt(p.base, info.Frames)
	step := int64(p.passBlock())
	bins := p.look.bins()
	grouped := make([]uint16, p.bins)
	for at := p.done; at < total; at += step {
		n := min(step, total-at)
		part := make([]uint16, 0, int(n)*p.bins)
		err := a.columns(ctx, p.base, at, int(n), func(_ int, levels []float32) {
			if p.group == 1 {
				for _, v := range levels {
					part = append(part, toHalf(v))
				}
				return
			}
			for i := range grouped {
				most := levels[i*p.group]
				for _, v := range levels[i*p.group : min((i+1)*p.group, bins)] {
					most = max(most, v)
				}
				grouped[i] = toHalf(most)
			}
			part = append(part, grouped...)
		})
		if err != nil {
			return err
		}
		p.add(at, part, min((at+n)*p.look.span(p.base), info.Frames), total)
	}
	return nil
}

// add appends columns to the base, and to the layers above what they complete.
// A last column that is not whole is written over when the recording has grown.
func (p *pyramid) add(at int64, columns []uint16, frames, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.layers) == 0 {
		p.layers = [][]uint16{make([]uint16, 0, total*int64(p.bins))}
	}
	p.layers[0] = append(p.layers[0][:at*int64(p.bins)], columns...)
	p.frames = frames
	p.done = frames / p.look.span(p.base)
	for i := 1; ; i++ {
		below := p.layers[i-1]
		count := (len(below)/p.bins + 1<<layerStep - 1) >> layerStep
		if count < blockColumns/2 {
			break
		}
		if i == len(p.layers) {
			p.layers = append(p.layers, make([]uint16, 0, (total>>(i*layerStep)+1)*int64(p.bins)))
		}
		up := p.layers[i]
		up = up[:min(len(up), int(at>>(i*layerStep))*p.bins)]
		for c := len(up) / p.bins; c < count; c++ {
			up = p.appendJoined(up, below, c<<layerStep, 1<<layerStep)
		}
		p.layers[i] = up
	}
	p.tell()
}

// appendJoined appends one column for several next to each other: the greatest
// of their levels or, with Mean, the level of their mean power.
func (p *pyramid) appendJoined(dst, below []uint16, first, count int) []uint16 {
	count = min(count, len(below)/p.bins-first)
	at := len(dst)
	dst = append(dst, below[first*p.bins:(first+1)*p.bins]...)
	if count == 1 {
		return dst
	}
	into := dst[at:]
	if p.look.Mean {
		for i := range into {
			sum := 0.0
			for k := range count {
				sum += powerOf(below[(first+k)*p.bins+i])
			}
			into[i] = toHalf(float32(10 * math.Log10(sum/float64(count))))
		}
		return dst
	}
	for k := 1; k < count; k++ {
		for i, v := range below[(first+k)*p.bins : (first+k+1)*p.bins] {
			most := into[i]
			if louder(v, most) {
				most = v
			}
			into[i] = most // in any case: there is nothing to predict then
		}
	}
	return dst
}

// powerOf is the power of a level; NaN if that is no number.
func powerOf(h uint16) float64 {
	if h == halfNaN {
		return math.NaN()
	}
	return math.Pow(10, float64(fromHalf(h))/10)
}

// tell wakes those who wait. p.mu is held.
func (p *pyramid) tell() {
	close(p.more)
	p.more = make(chan struct{})
}

// wait gives a channel that is closed when there is more, and whether the
// pyramid is complete already.
func (p *pyramid) wait() (<-chan struct{}, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.more, p.ended || p.err != nil, p.err
}

// block is a block of a level at or above the base; nil if it is not there yet.
func (p *pyramid) block(level int, index, frames int64) *block {
	p.mu.Lock()
	defer p.mu.Unlock()
	end := min((index+1)*blockColumns*p.look.span(level), frames)
	if index*blockColumns*p.look.span(level) >= frames {
		return &block{group: p.group} // behind the end
	}
	if level < p.base || p.frames < end || len(p.layers) == 0 {
		return nil
	}
	from := min((level-p.base)/layerStep, len(p.layers)-1)
	columns := int(min(max(p.look.columnsAt(level, frames)-index*blockColumns, 0), blockColumns))
	b := &block{columns: columns, group: p.group, levels: make([]uint16, 0, columns*p.bins)}
	stored := p.layers[from]
	each := 1 << (level - p.base - from*layerStep)
	for c := range columns {
		first := (int(index)*blockColumns + c) * each
		if (first+1)*p.bins > len(stored) {
			return nil
		}
		b.levels = p.appendJoined(b.levels, stored, first, each)
	}
	return b
}

// wave is a block of the waveform at or above its base; nil if it is not there.
func (p *pyramid) wave(level int, index, frames int64) []extent {
	p.mu.Lock()
	defer p.mu.Unlock()
	span := int64(1) << level
	columns := int(min(max((frames+span-1)/span-index*waveColumns, 0), waveColumns))
	end := min((index*waveColumns+int64(columns))*span, frames)
	if level < p.waveBase || p.waveFrames() < end {
		return nil
	}
	out := make([]extent, columns)
	each := 1 << (level - p.waveBase)
	for i := range out {
		out[i] = noExtent
		first := (int(index)*waveColumns + i) * each
		for _, e := range p.waves[first:min(first+each, len(p.waves))] {
			out[i] = out[i].join(e)
		}
	}
	return out
}

// waveFrames is how far the waveform reaches. p.mu is held.
func (p *pyramid) waveFrames() int64 {
	return min(int64(len(p.waves))<<p.waveBase, p.frames)
}

// waveTap looks at the samples that a pass reads anyway: each once, although
// segments overlap.
type waveTap struct {
	Recording
	pyramid           *pyramid
	channel, channels int
	next              int64  // the first frame not seen
	open              extent // of the span that is not complete
	taken             int    // frames of it
}

func (t *waveTap) ReadFrames(dst []float32, from int64) (int, error) {
	n, err := t.Recording.ReadFrames(dst, from)
	if end := from + int64(n); end > t.next && from <= t.next {
		t.see(dst[(t.next-from)*int64(t.channels) : int64(n)*int64(t.channels)])
		t.next = end
		t.last(end)
	}
	return n, err
}

// see takes the frames that come next.
func (t *waveTap) see(frames []float32) {
	span := 1 << t.pyramid.waveBase
	var columns []extent
	for len(frames) > 0 {
		if t.taken == 0 {
			t.open = noExtent
		}
		n := min(span-t.taken, len(frames)/t.channels)
		t.open = t.open.join(extentOf(frames[:n*t.channels], t.channels, t.channel))
		frames = frames[n*t.channels:]
		if t.taken += n; t.taken == span {
			columns = append(columns, t.open)
			t.taken = 0
		}
	}
	p := t.pyramid
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waves = append(p.waves, columns...)
}

// last adds a span that is not complete, at the end of the recording.
func (t *waveTap) last(end int64) {
	if t.taken > 0 && end >= t.Recording.Info().Frames {
		p := t.pyramid
		p.mu.Lock()
		defer p.mu.Unlock()
		p.waves = append(p.waves, t.open)
	}
}
