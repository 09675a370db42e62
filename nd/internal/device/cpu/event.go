package cpu

import (
	"context"
	"runtime"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// readyChans recycles the channels that waiters park on; each has room for
// the one signal it gets.
var readyChans = sync.Pool{New: func() any { return make(chan struct{}, 1) }}

// Reached reports whether the first n commands are finished. An event holds no
// state of its own, and nothing is queued for it.
func (q *queue) Reached(n uint64) bool { return q.finished.Load() >= n }

// spins is how often a waiter looks again before it parks: about 10 us, the
// time it takes to park and be woken.
const spins = 100

// WaitFor returns when the first n commands are finished. If nobody is running
// the queue the caller does, up to there.
func (q *queue) WaitFor(ctx context.Context, n uint64) error {
	if q.Reached(n) {
		return nil
	}
	if ctx == nil {
		ctx = context.Background()
	}
	for spin := 0; !q.Reached(n); spin++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if q.claim() {
			if err := q.drain(ctx, n); err != nil && !q.Reached(n) {
				return err
			}
			continue
		}
		if spin < spins {
			runtime.Gosched()
			continue
		}
		if err := q.park(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// Call calls f when the first n commands are finished. It does not make that
// happen: that is for WaitFor and Flush.
func (q *queue) Call(n uint64, f func()) {
	q.mu.Lock()
	if q.Reached(n) {
		q.mu.Unlock()
		f()
		return
	}
	q.waiters.Call(n, f)
	q.wakeAt = min(q.wakeAt, n)
	q.mu.Unlock()
}

// park blocks until n commands are finished, the queue has no runner, or ctx is
// done.
func (q *queue) park(ctx context.Context, n uint64) error {
	ready := readyChans.Get().(chan struct{})
	defer readyChans.Put(ready)
	q.mu.Lock()
	if !q.running || q.Reached(n) {
		q.mu.Unlock()
		return nil
	}
	q.waiters.Park(n, ready)
	q.wakeAt = min(q.wakeAt, n)
	q.mu.Unlock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	left := q.waiters.Leave(ready)
	q.mu.Unlock()
	if !left {
		<-ready // the signal is on its way; the channel must be empty to be reused
	}
	return context.Cause(ctx)
}

var _ device.Clock = (*queue)(nil)
