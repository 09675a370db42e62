package cpu

import (
	"context"
	"runtime"
	"sync"
)

// event is the moment a queue has finished its first seq commands. Nothing is
// queued for it, and it holds no state of its own.
type event struct {
	q   *queue
	seq uint64
}

// waiter is told when seq commands are finished: through ready if someone is
// parked, else by a call.
type waiter struct {
	seq   uint64
	ready chan struct{}
	call  func()
}

// readyChans recycles the channels that waiters park on; each has room for
// the one signal it gets.
var readyChans = sync.Pool{New: func() any { return make(chan struct{}, 1) }}

func (e *event) Happened() bool { return e.q.finished.Load() >= e.seq }

// spins is how often a waiter looks again before it parks: about 10 us, the
// time it takes to park and be woken.
const spins = 100

// Wait returns when the event has happened. If nobody is running the queue
// the caller does, up to the event.
func (e *event) Wait(ctx context.Context) error {
	if e.Happened() {
		return nil
	}
	if ctx == nil {
		ctx = context.Background()
	}
	q := e.q
	for spin := 0; !e.Happened(); spin++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if q.claim() {
			if err := q.drain(ctx, e.seq); err != nil && !e.Happened() {
				return err
			}
			continue
		}
		if spin < spins {
			runtime.Gosched()
			continue
		}
		if err := q.park(ctx, e.seq); err != nil {
			return err
		}
	}
	return nil
}

// Then calls f when the event happens. It does not make it happen: that is
// for Wait and Flush.
func (e *event) Then(f func()) {
	if e.Happened() || !e.q.register(waiter{seq: e.seq, call: f}) {
		f()
	}
}

// register adds a waiter, or reports false if its time has come already.
func (q *queue) register(w waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.registerLocked(w)
}

func (q *queue) registerLocked(w waiter) bool {
	q.waiters = append(q.waiters, w)
	q.wakeAt.Store(min(q.wakeAt.Load(), w.seq))
	// The runner stores finished before it loads wakeAt, so one of the two
	// sees the other.
	if q.finished.Load() >= w.seq {
		q.waiters = q.waiters[:len(q.waiters)-1]
		return false
	}
	return true
}

// park blocks until seq is finished, the queue has no runner, or ctx is done.
func (q *queue) park(ctx context.Context, seq uint64) error {
	ready := readyChans.Get().(chan struct{})
	defer readyChans.Put(ready)
	q.mu.Lock()
	parked := q.running && q.registerLocked(waiter{seq: seq, ready: ready})
	q.mu.Unlock()
	if !parked {
		return nil
	}
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
	}
	if !q.unregister(ready) {
		<-ready // the signal is on its way; the channel must be empty to be reused
	}
	return context.Cause(ctx)
}

func (q *queue) unregister(ready chan struct{}) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, w := range q.waiters {
		if w.ready == ready {
			q.waiters = append(q.waiters[:i], q.waiters[i+1:]...)
			return true
		}
	}
	return false
}

// wakeLocked signals the parked waiters whose time has come and returns the
// calls to make, which must be made without the lock.
func (q *queue) wakeLocked() (calls []func()) {
	seq, next := q.finished.Load(), never
	keep := q.waiters[:0]
	for _, w := range q.waiters {
		switch {
		case w.seq > seq:
			keep = append(keep, w)
			next = min(next, w.seq)
		case w.ready != nil:
			w.ready <- struct{}{}
		default:
			calls = append(calls, w.call)
		}
	}
	clear(q.waiters[len(keep):])
	q.waiters = keep
	q.wakeAt.Store(next)
	return calls
}
