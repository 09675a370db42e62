package sched

import (
	"context"
	"errors"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// flush makes sure that the run's work is being done.
func (r *Run) flush() {
	for _, lane := range r.lanes {
		if s, err := r.dev.stream(lane); err == nil {
			s.queue.Flush()
		}
	}
}

// Wait returns when the values are there, with the first failure, or when ctx
// is done. The run is over for the caller.
func (r *Run) Wait(ctx context.Context) error {
	if len(r.lanes) > 1 {
		r.flush()
	}
	for _, v := range r.values {
		if err := v.event.Wait(ctx); err != nil {
			r.flush()
			r.Then(nil)
			return err
		}
	}
	err := r.settle()
	r.free()
	return err
}

// Then settles the run when its last value is there and tells w, if that is not
// nil, the outcome. It makes nothing run: flush does. The run is over for the
// caller.
func (r *Run) Then(w Waiter) {
	r.then = w
	r.left.Store(1)
	for _, v := range r.values {
		if !v.happened() {
			r.left.Add(1)
			v.event.Then(r.arrive)
		}
	}
	r.arrived()
}

// arrived is called for every value that was to come.
func (r *Run) arrived() {
	if r.left.Add(-1) > 0 {
		return
	}
	err, w := r.settle(), r.then
	if err != nil && w != nil && mayBeOthers(err, r.borrowed) { // its own cannot be cancelled
		go r.engine.again(slices.Clone(r.nodes), w)
		w = nil
	}
	r.free()
	if w != nil {
		w.Done(err)
	}
}

// settle finds out how the run ended; every value's event has happened. Nodes are left for
// who evaluates them again where it failed.
func (r *Run) settle() error {
	for _, v := range r.values {
		if owner := v.run.Load(); owner != nil && owner != r {
			owner.settleValue(v)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var first error
	for i, v := range r.values {
		if v.run.Load() == r {
			r.finish(i)
		}
		if err := v.block.Err(); err != nil && first == nil {
			first = err
		}
		v.block.Release()
	}
	if first == nil {
		r.drop()
	}
	return first
}

// settleValue finds out how one value of the run ended, which has happened,
// while others may still be on their way. The run may be another's by now, which
// does not have the value.
func (r *Run) settleValue(v *Value) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.values {
		if r.values[i] == v && v.run.Load() == r {
			r.finish(i)
		}
	}
}

// finish takes a value that failed off its node, so that the node can be
// evaluated again, and lets a node with a good one go of its inputs. r.mu is
// held.
func (r *Run) finish(i int) {
	v, n := r.values[i], r.nodes[i]
	if v.block.Err() == nil {
		n.Detach()
	} else if n.Unhold(&v.self) {
		v.release()
	}
	v.run.Store(nil)
}

// mayBeOthers reports whether a failure may be that of another evaluation: of
// its context, or of something that the nodes asked for do not depend on.
func mayBeOthers(err error, borrowed bool) bool {
	var c *device.Cancelled
	return borrowed || errors.As(err, &c)
}
