package webgpu

import (
	"context"
	"runtime"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// queue is a name for a part of the device's work. All of it runs in the order in
// which it was put.
type queue struct {
	dev    *Device
	last   uint64 // the last batch that has work of it; guarded by mu
	closed bool
}

// NewQueue gives an empty queue.
func (d *Device) NewQueue() (device.Queue, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usableNow(); err != nil {
		return nil, err
	}
	return &queue{dev: d}, nil
}

// usable is nil, or why the queue does no more work. mu is held.
func (q *queue) usable() error {
	if q.closed {
		return device.ErrClosed
	}
	return q.dev.usableNow()
}

// Record gives the event of everything so far.
func (q *queue) Record() device.Event {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	return device.Event{Clock: q.dev, N: q.last}
}

// Wait has nothing to do for events of the device, whose work is in order. Others
// are waited for here and now.
func (q *queue) Wait(e device.Event) {
	if e.Clock != device.Clock(q.dev) {
		_ = e.Wait(context.Background())
	}
}

// Flush submits what was put on the queue.
func (q *queue) Flush() {
	d := q.dev
	d.mu.Lock()
	if q.last > d.submitted {
		d.submit()
	}
	d.mu.Unlock()
}

// Close refuses further work and waits for what there is.
func (q *queue) Close() error {
	q.dev.mu.Lock()
	q.closed = true
	last := q.last
	q.dev.mu.Unlock()
	q.dev.wait(last)
	return nil
}

// known reports what needs no call: on a lost device everything has happened.
func (d *Device) known(n uint64) bool { return d.finished.Load() >= n || d.lost.Load() != nil }

// Reached asks the library if need be.
func (d *Device) Reached(n uint64) bool {
	if d.known(n) {
		return true
	}
	d.mu.Lock()
	if n > d.submitted {
		d.submit()
	}
	d.poll()
	calls := d.tell()
	d.mu.Unlock()
	run(calls)
	return d.known(n)
}

// A waiter asks again after a share of the time it has waited, so that it costs
// little and comes little too late; but not more seldom than every longestPause.
const (
	spinFor      = 50 * time.Microsecond
	pausePart    = 16
	longestPause = 500 * time.Microsecond
)

// WaitFor returns when batch n is done or ctx is.
func (d *Device) WaitFor(ctx context.Context, n uint64) error {
	if ctx == nil {
		ctx = context.Background()
	}
	for start := time.Now(); !d.Reached(n); {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if waited := time.Since(start); waited < spinFor {
			runtime.Gosched()
		} else {
			device.Nap(min(waited/pausePart, longestPause))
		}
	}
	return nil
}

// wait returns when batch n is done.
func (d *Device) wait(n uint64) { _ = d.WaitFor(context.Background(), n) }

// Call calls f when batch n is done.
func (d *Device) Call(n uint64, f func()) {
	d.mu.Lock()
	if d.known(n) {
		d.mu.Unlock()
		f()
		return
	}
	d.call(n, f)
	d.mu.Unlock()
}

// call has f called when batch n is done, which it is not yet. mu is held.
func (d *Device) call(n uint64, f func()) {
	d.waiters.Call(n, f)
	if !d.watching {
		d.watching = true
		go d.watch()
	}
}

// tell takes the calls whose time has come. mu is held.
func (d *Device) tell() []func() {
	if !d.waiters.Any() {
		return nil
	}
	done := d.finished.Load()
	if d.lost.Load() != nil {
		done = device.Never
	}
	calls, _ := d.waiters.Tell(done, nil)
	return calls
}

func run(calls []func()) {
	for _, f := range calls {
		f()
	}
}

// watch polls for those who want to be called, until nobody is left.
func (d *Device) watch() {
	for pause := time.Duration(0); ; pause = min(pause+20*time.Microsecond, longestPause) {
		device.Nap(pause)
		d.mu.Lock()
		d.submit()
		d.poll()
		calls := d.tell()
		d.watching = d.waiters.Any()
		watching := d.watching
		d.mu.Unlock()
		run(calls)
		if !watching {
			return
		}
		if len(calls) > 0 {
			pause = 0
		}
	}
}

var _ device.Clock = (*Device)(nil)
