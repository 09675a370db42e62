package view

import (
	"context"
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd"
)

// Columns are computed in batches of segments, several at a time: samples are
// read in order, spectra computed beside one another, and columns given in order.

// seat is what one of those who compute has: a stream and memory.
type seat struct {
	stream *nd.Stream
	room   []float32 // frames as they are read
	lines  []float32 // the same, by channel
}

// take gives the seats of so many, as many as the device is worth.
func (a *analyser) take(n int) ([]*seat, error) {
	most := runtime.GOMAXPROCS(0)
	if a.stream.Device() != nd.CPU() {
		most = 2 // one reads while the other waits for the device
	}
	n = max(1, min(n, most))
	for len(a.seats) < n {
		stream := a.stream
		if i := len(a.seats); i > 0 {
			var err error
			if stream, err = stream.Device().Band(i); err != nil {
				return nil, err
			}
		}
		a.seats = append(a.seats, &seat{stream: stream})
	}
	return a.seats[:n], nil
}

// batch is how many segments of a hop are taken at a time, a power of two. On
// processors samples and spectra are to stay in the cache of one; other devices
// want more to do.
func (a *analyser) batch(hop int) int {
	samples, spectra := 1<<20, 1<<19
	if a.stream.Device() == nd.CPU() {
		samples, spectra = 1<<18, 1<<17
	}
	s := min(2048, spectra/a.look.bins(), samples/(a.channels()*hop))
	b := 1
	for 2*b <= s {
		b *= 2
	}
	return b
}

// read fills s.room with the frames of a run. Frames that the recording does not
// have are silent.
func (a *analyser) read(s *seat, r run) error {
	s.room = grown(s.room, r.frames(a.look.N)*a.info.Channels)
	return readPadded(a.rec, s.room, r.first, a.info.Channels)
}

// evaluate gives the levels of a run whose frames have been read.
func (a *analyser) evaluate(ctx context.Context, s *seat, r run) ([]float32, error) {
	n := r.frames(a.look.N)
	s.lines = grown(s.lines, n*a.channels())
	a.byChannel(s.lines, s.room, n)
	return nd.Slice[float32](ctx, a.array(s.stream, s.lines, r))
}

// byChannel puts the samples of the channels of the look together.
func (a *analyser) byChannel(dst, frames []float32, n int) {
	all := a.info.Channels
	switch {
	case a.look.Channel != allChannels && !a.look.IQ:
		for i := range n {
			dst[i] = frames[i*all+a.look.Channel]
		}
	case all == 2 && n > 0: // as complex numbers, which are taken apart faster
		pairs := unsafe.Slice((*complex64)(unsafe.Pointer(&frames[:2*n][0])), n)
		k := &vec.For(simd.Active()).C64
		k.Real(dst[:n], pairs, false)
		k.Imag(dst[n:2*n], pairs, false)
	case n > 0:
		_, _ = dst[n*all-1], frames[n*all-1]
		vec.For(simd.Active()).Move.Transpose(4, unsafe.Pointer(&dst[0]), unsafe.Pointer(&frames[0]), n, all, n, all, false)
	}
}

// columns computes columns of a level and gives each to f, in order. Its slice
// is used again.
func (a *analyser) columns(ctx context.Context, level int, column int64, columns int, f func(i int, levels []float32)) error {
	whole := a.look.runOf(level, column, columns)
	step := max(1, min(a.batch(whole.hop), whole.count))
	count := (whole.count + step - 1) / step
	seats, err := a.take(count)
	if err != nil {
		return err
	}
	c := collector{analyser: a, whole: whole, step: step, f: f}
	q := queue{count: count}
	q.next = sync.NewCond(&q.mu)
	var wait sync.WaitGroup
	for _, s := range seats[1:] {
		wait.Go(func() { a.work(ctx, s, &q, &c) })
	}
	a.work(ctx, seats[0], &q, &c)
	wait.Wait()
	return q.err
}

// queue orders batches: reading them, and giving what came of them.
type queue struct {
	count   int
	reading sync.Mutex
	read    int // batches that were read, under reading

	mu    sync.Mutex
	given int
	next  *sync.Cond // given has changed, or err
	err   error      // the first
}

// work computes batches until none is left.
func (a *analyser) work(ctx context.Context, s *seat, q *queue, c *collector) {
	for {
		q.reading.Lock()
		i := q.read
		if i == q.count {
			q.reading.Unlock()
			return
		}
		q.read++
		r := c.run(i)
		err := a.read(s, r)
		q.reading.Unlock()
		var levels []float32
		if err == nil {
			levels, err = a.evaluate(ctx, s, r)
		}
		if !q.give(i, err, func() { c.take(i*c.step, r, levels) }) {
			return
		}
	}
}

// give waits for the batches before one, and then calls f; it does not if
// one of them has failed, and reports that.
func (q *queue) give(i int, err error, f func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.given < i && q.err == nil {
		q.next.Wait()
	}
	if q.err == nil {
		if q.err = err; err == nil {
			f()
			q.given++
		}
		q.next.Broadcast()
	}
	return q.err == nil
}

// collector makes columns of batches, in order.
type collector struct {
	*analyser
	whole run
	step  int
	held  []float64 // of a column that one batch does not hold
	f     func(i int, levels []float32)
}

// run is the segments of a batch.
func (c *collector) run(i int) run {
	at := i * c.step
	return run{first: c.whole.first + int64(at)*int64(c.whole.hop), hop: c.whole.hop, count: min(c.step, c.whole.count-at), group: min(c.whole.group, c.step)}
}

// take takes the levels of a batch, whose first segment is at of the whole run.
func (c *collector) take(at int, r run, levels []float32) {
	bins, group := c.look.bins(), c.whole.group
	if r.group == group {
		for i := 0; i < r.count/group; i++ {
			c.f(at/group+i, levels[i*bins:(i+1)*bins])
		}
		return
	}
	if c.merge(levels, at%group == 0); (at+c.step)%group == 0 {
		c.merged(levels, group/c.step)
		c.f(at/group, levels)
	}
}

// merge adds the levels of a part of a column to those before it.
func (c *collector) merge(levels []float32, first bool) {
	if first {
		c.held = c.held[:0]
		for _, v := range levels {
			if c.look.Mean {
				c.held = append(c.held, math.Pow(10, float64(v)/10))
			} else {
				c.held = append(c.held, float64(v))
			}
		}
		return
	}
	for i, v := range levels {
		if c.look.Mean {
			c.held[i] += math.Pow(10, float64(v)/10)
		} else {
			c.held[i] = max(c.held[i], float64(v)) // NaN stays
		}
	}
}

// merged is the levels of a column whose parts were merged.
func (c *collector) merged(dst []float32, parts int) {
	for i, v := range c.held {
		if c.look.Mean {
			v = 10 * math.Log10(v/float64(parts))
		}
		dst[i] = float32(v)
	}
}
