package cuda

import (
	"context"
	"runtime"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/driver"
)

// event is the moment a queue has finished its first seq things. A driver
// event is recorded there, or it is at the end of the queue.
type event struct {
	q   *queue
	seq uint64
}

// waiter is told when seq things are done: through ready if someone is
// parked, else by a call.
type waiter struct {
	seq   uint64
	ready chan struct{}
	call  func()
}

// known reports what needs no call: on a lost device everything has happened.
func (e *event) known() bool {
	return e.q.finished.Load() >= e.seq || e.q.dev.lost.Load() != nil
}

// Happened asks the driver if need be.
func (e *event) Happened() bool {
	if e.known() {
		return true
	}
	d := e.q.dev
	d.mu.Lock()
	early := e.seq == e.q.submitted && time.Since(e.q.at) < soonest
	d.mu.Unlock()
	if early {
		return false
	}
	if d.enter() != nil {
		return true
	}
	e.q.poll()
	d.leave()
	return e.known()
}

// soonest is less than any launch takes to be done, as seen from the host: 5 us
// on an H200. Before that the driver need not be asked.
const soonest = 3 * time.Microsecond

// spinFor is how long a waiter asks the driver again and again before it lets
// the operating system wake it, which takes some 50 us: longer than that, so
// that it stays a part of what is waited for.
const spinFor = 150 * time.Microsecond

// Wait returns when the event has happened or ctx is done.
func (e *event) Wait(ctx context.Context) error {
	if e.known() {
		return nil
	}
	if ctx == nil {
		ctx = context.Background()
	}
	for start := time.Now(); time.Since(start) < spinFor; {
		if e.Happened() {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		runtime.Gosched()
	}
	ready := make(chan struct{}, 1)
	if !e.q.register(waiter{seq: e.seq, ready: ready}) {
		return nil
	}
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		e.q.unregister(ready)
		return context.Cause(ctx)
	}
}

// Then calls f when the event happens.
func (e *event) Then(f func()) {
	if e.known() || !e.q.register(waiter{seq: e.seq, call: f}) {
		f()
	}
}

// register adds a waiter and makes sure that someone watches; false if its
// time has come.
func (q *queue) register(w waiter) bool {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	if q.finished.Load() >= w.seq || q.dev.lost.Load() != nil {
		return false
	}
	q.waiters = append(q.waiters, w)
	if !q.watching {
		q.watching = true
		go q.watch()
	}
	return true
}

func (q *queue) unregister(ready chan struct{}) {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	for i, w := range q.waiters {
		if w.ready == ready {
			q.waiters = append(q.waiters[:i], q.waiters[i+1:]...)
			return
		}
	}
}

// watch sleeps in the driver until the next event that someone waits for, and
// tells them, until nobody waits.
func (q *queue) watch() {
	for {
		calls, next := q.tell()
		for _, f := range calls {
			f()
		}
		if next == 0 {
			return
		}
		d := q.dev
		r := d.gpu.Enter()
		if r == driver.Success {
			r = d.gpu.SyncEvent(next)
		}
		d.gpu.Leave()
		if r != driver.Success {
			d.mu.Lock()
			d.lose(r)
			d.mu.Unlock()
		}
	}
}

// tell signals the waiters whose time has come, returns the calls to make
// without the lock, and chooses the event to sleep on; 0 ends the watching.
func (q *queue) tell() (calls []func(), next driver.Event) {
	d := q.dev
	d.mu.Lock()
	defer d.leave()
	if r := d.gpu.Enter(); r != driver.Success {
		d.lose(r)
	}
	before := q.watched
	q.watched = 0
	q.poll()
	if before != 0 && !q.isRecorded(before) {
		q.spare = append(q.spare, before)
	}
	done, lost := q.finished.Load(), d.lost.Load() != nil
	first := ^uint64(0)
	kept := q.waiters[:0]
	for _, w := range q.waiters {
		switch {
		case w.seq > done && !lost:
			kept = append(kept, w)
			first = min(first, w.seq)
		case w.ready != nil:
			w.ready <- struct{}{}
		default:
			calls = append(calls, w.call)
		}
	}
	clear(q.waiters[len(kept):])
	q.waiters = kept
	if len(q.waiters) > 0 && (len(q.recorded) == 0 || q.recorded[len(q.recorded)-1].seq < first) {
		q.record()
	}
	for _, r := range q.recorded {
		if r.seq >= first {
			q.watched = r.event
			return calls, r.event
		}
	}
	q.watching = false
	return calls, 0
}

func (q *queue) isRecorded(e driver.Event) bool {
	for _, r := range q.recorded {
		if r.event == e {
			return true
		}
	}
	for _, s := range q.spare {
		if s == e {
			return true
		}
	}
	return false
}

// waitForWatcher returns when nobody sleeps on an event of the queue, which is
// soon: its work is done.
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
