package cuda

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// known reports what needs no call: on a lost device everything has happened.
func (q *queue) known(n uint64) bool {
	return q.finished.Load() >= n || q.dev.lost.Load() != nil
}

// Reached asks the driver if need be. The driver has an event behind the first n
// things, or they are all there are.
func (q *queue) Reached(n uint64) bool {
	if q.known(n) {
		return true
	}
	d := q.dev
	d.mu.Lock()
	early := n == q.submitted && time.Since(q.at) < soonest
	d.mu.Unlock()
	if early {
		return false
	}
	if d.enter() != nil {
		return true
	}
	q.poll()
	d.leave()
	return q.known(n)
}

// soonest is less than any launch takes to be done, as seen from the host: 5 us
// on an H200. Before that the driver need not be asked.
const soonest = 3 * time.Microsecond

// spinFor is how long a waiter asks the driver again and again before it lets
// the operating system wake it, which takes 50 to 80 us: so long that this is a
// small part of what is waited for.
const spinFor = time.Millisecond

// spinPart is what part of the time waited passes before the driver is asked
// again: asking takes the device's lock, which others need to submit work.
const spinPart = 64

// bellLooks is how often a waiter looks at the bell before others may run on its thread, and
// firstLooks how often at first. A look takes a nanosecond, letting others run 150 and more: by
// then the bell has rung unseen. And who lets others run may go on on another core, where
// nothing that the next launch needs is near.
const firstLooks, bellLooks = 1 << 14, 256

// WaitFor returns when the first n things are done or ctx is.
func (q *queue) WaitFor(ctx context.Context, n uint64) error {
	if q.known(n) {
		return nil
	}
	if ctx == nil {
		ctx = context.Background()
	}
	start := time.Now()
	bell, looks := q.ring(n, start), firstLooks
	for waited := time.Duration(0); waited < spinFor; waited = time.Since(start) {
		for ; bell != nil && looks > 0; looks-- {
			if atomic.LoadUint64(bell) >= n {
				q.rang(n)
				break
			}
		}
		looks = bellLooks
		if q.known(n) || bell == nil && q.Reached(n) {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		runtime.Gosched()
		for bell == nil && time.Since(start) < waited+waited/spinPart {
			runtime.Gosched()
		}
	}
	d := q.dev
	ready := make(chan struct{}, 1)
	d.mu.Lock()
	if q.known(n) {
		d.mu.Unlock()
		return nil
	}
	q.waiters.Park(n, ready)
	q.watchFor()
	d.mu.Unlock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		d.mu.Lock()
		q.waiters.Leave(ready)
		d.mu.Unlock()
		return context.Cause(ctx)
	}
}

// ring has the GPU write to the host's memory when the first n things are done, which
// are all there are, and says where: asking the driver takes 1.6 us while there is work
// to do (an H200, CUDA 13.0). nil if that is not possible or no longer needed.
func (q *queue) ring(n uint64, now time.Time) *uint64 {
	d := q.dev
	if d.enter() != nil {
		return nil
	}
	defer d.leave()
	if now.Sub(q.at) >= soonest {
		q.poll()
	}
	if !d.rings || q.known(n) || n != q.submitted || q.stream == 0 {
		return nil
	}
	r := driver.Success
	if q.bell.words == nil {
		q.bell, r = d.cells.take(d.gpu)
	}
	if q.rung != n && r == driver.Success {
		r = d.gpu.WriteValue(q.stream, q.bell.at, n)
	}
	if r != driver.Success {
		_ = d.failed("bell", r)
		d.rings = false
		return nil
	}
	q.rung = n
	return &q.bell.words[0]
}

// rang notes that the first n things are done. The driver is needed only to destroy graphs.
func (q *queue) rang(n uint64) {
	d := q.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(q.graphs) > 0 {
		if d.gpu.Enter() != driver.Success {
			d.gpu.Leave()
			return
		}
		defer d.gpu.Leave()
	}
	if q.finished.Load() < n {
		happened := 0
		for happened < len(q.recorded) && q.recorded[happened].seq <= n {
			happened++
		}
		q.reached(happened, n)
	}
}

// Call calls f when the first n things are done.
func (q *queue) Call(n uint64, f func()) {
	q.dev.mu.Lock()
	if q.known(n) {
		q.dev.mu.Unlock()
		f()
		return
	}
	q.waiters.Call(n, f)
	q.watchFor()
	q.dev.mu.Unlock()
}

// watchFor makes sure that someone watches for those who wait. mu is held.
func (q *queue) watchFor() {
	if !q.watching {
		q.watching = true
		go q.watch()
	}
}

// watch looks how far the queue is, and tells those who wait, until nobody does. It
// sleeps for a part of the time that was waited: the driver could let it sleep until an
// event happens, but such events cost the host as much as half a launch.
func (q *queue) watch() {
	const part, shortest, longest = 32, 50 * time.Microsecond, time.Millisecond
	start, last := time.Now(), uint64(0)
	for {
		next := q.tell()
		for _, f := range q.calls {
			f()
		}
		clear(q.calls)
		switch {
		case next == device.Never:
			if q.unwatch() {
				return
			}
			continue
		case next != last:
			start, last = time.Now(), next
		}
		device.Nap(min(max(time.Since(start)/part, shortest), longest))
	}
}

// tell signals the waiters whose time has come, puts the calls that the watcher
// is to make without the lock in q.calls, and gives the next count that someone waits
// for.
func (q *queue) tell() (next uint64) {
	d := q.dev
	d.mu.Lock()
	defer d.leave()
	if r := d.gpu.Enter(); r != driver.Success {
		d.lose(r)
	}
	q.poll()
	done := q.finished.Load()
	if d.lost.Load() != nil {
		done = device.Never
	}
	q.calls, next = q.waiters.Tell(done, q.calls[:0])
	return next
}

// unwatch ends the watching, unless someone came meanwhile.
func (q *queue) unwatch() bool {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	q.watching = q.waiters.Any()
	return !q.watching
}

// waitForWatcher returns when nobody watches the queue any more, which is soon: its
// work is done.
func (q *queue) waitForWatcher() {
	for {
		q.dev.mu.Lock()
		watching := q.watching
		q.dev.mu.Unlock()
		if !watching {
			return
		}
		runtime.Gosched()
	}
}

var _ device.Clock = (*queue)(nil)
