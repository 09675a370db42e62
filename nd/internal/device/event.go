package device

import (
	"context"
	"slices"
)

// Event is a point in a queue's work: the moment its clock has counted to N. It
// is a value, so that recording one costs nothing. The zero Event has happened.
type Event struct {
	Clock Clock
	N     uint64
}

// Clock counts what a queue has done.
type Clock interface {
	// Reached reports whether the count is n or more. It never blocks.
	Reached(n uint64) bool
	// WaitFor returns when the count is n or ctx is done. The caller may be put
	// to work on the queue's behalf meanwhile.
	WaitFor(ctx context.Context, n uint64) error
	// Call calls f once, when the count is n, from any goroutine; at once if it
	// is already. f must not block.
	Call(n uint64, f func())
}

// Happened never blocks.
func (e Event) Happened() bool { return e.Clock == nil || e.Clock.Reached(e.N) }

// Wait returns when the event has happened or ctx is done; see Clock.
func (e Event) Wait(ctx context.Context) error {
	if e.Clock == nil {
		return nil
	}
	return e.Clock.WaitFor(ctx, e.N)
}

// Then calls f when the event happens; see Clock.
func (e Event) Then(f func()) {
	if e.Clock == nil {
		f()
		return
	}
	e.Clock.Call(e.N, f)
}

// Waiters are those who want to know when a clock has come to some count. The
// clock's owner guards them.
type Waiters struct{ list []waiter }

// waiter is told through ready if someone is parked, else by a call.
type waiter struct {
	n     uint64
	ready chan<- struct{}
	call  func()
}

// Park adds a waiter, a channel that has room for the signal.
func (w *Waiters) Park(n uint64, ready chan<- struct{}) {
	w.list = append(w.list, waiter{n: n, ready: ready})
}

// Call adds a function to be called.
func (w *Waiters) Call(n uint64, f func()) { w.list = append(w.list, waiter{n: n, call: f}) }

// Leave removes the waiter of a channel; false if the signal was sent.
func (w *Waiters) Leave(ready chan<- struct{}) bool {
	before := len(w.list)
	w.list = slices.DeleteFunc(w.list, func(x waiter) bool { return x.ready == ready })
	return len(w.list) < before
}

// Parked reports whether someone waits at a channel.
func (w *Waiters) Parked() bool {
	return slices.ContainsFunc(w.list, func(x waiter) bool { return x.ready != nil })
}

// Any reports whether anyone waits.
func (w *Waiters) Any() bool { return len(w.list) > 0 }

// Tell signals those whose count has come, appends the calls to make, which must
// be made without the owner's lock, and gives the least count that is left:
// Never if nobody is.
func (w *Waiters) Tell(count uint64, calls []func()) ([]func(), uint64) {
	next := Never
	kept := w.list[:0]
	for _, x := range w.list {
		switch {
		case x.n > count:
			kept = append(kept, x)
			next = min(next, x.n)
		case x.ready != nil:
			x.ready <- struct{}{}
		default:
			calls = append(calls, x.call)
		}
	}
	clear(w.list[len(kept):])
	w.list = kept
	return calls, next
}

// Never is a count that no clock comes to.
const Never = ^uint64(0)
