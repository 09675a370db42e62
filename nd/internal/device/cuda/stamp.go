package cuda

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// stamp is a timed event of the driver.
type stamp struct {
	queue *queue
	event device.Event
	timed driver.Event
	err   error // it could not be made
}

// Stamp notes the GPU's time when all work so far is done.
func (q *queue) Stamp() device.Stamp {
	d := q.dev
	s := &stamp{queue: q}
	if s.err = d.enter(); s.err != nil {
		return s
	}
	defer d.leave()
	if s.err = q.usable(); s.err != nil {
		return s
	}
	q.keep()
	r := driver.Success
	if n := len(d.timed); n > 0 {
		s.timed, d.timed = d.timed[n-1], d.timed[:n-1]
	} else {
		s.timed, r = d.gpu.NewEvent(true)
	}
	if r == driver.Success {
		r = d.gpu.Record(s.timed, q.stream)
	}
	if s.err = q.submit("stamp", r); s.err == nil {
		s.event = q.eventNow()
		runtime.AddCleanup(s, d.reuse, s.timed)
	}
	return s
}

// reuse takes back the event of a stamp that nobody has any more.
func (d *Device) reuse(e driver.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.timed = append(d.timed, e)
	}
}

// Since waits for both and asks the GPU.
func (s *stamp) Since(ctx context.Context, earlier device.Stamp) (time.Duration, error) {
	from := earlier.(*stamp)
	for _, x := range []*stamp{from, s} {
		if x.err != nil {
			return 0, x.err
		}
		if err := x.event.Wait(ctx); err != nil {
			return 0, err
		}
	}
	d := s.queue.dev
	if err := d.enterUsable(); err != nil {
		return 0, err
	}
	defer d.leave()
	ms, r := d.gpu.Elapsed(from.timed, s.timed)
	if r != driver.Success {
		return 0, fmt.Errorf("%s: stamp: %w", d.name, r)
	}
	return time.Duration(float64(ms) * 1e6), nil
}
