package sched

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// ErrReleased is the error of any use of a released array.
var ErrReleased = errors.New("array was released")

// Value is what an evaluated node holds: a view of a block, and the event
// after which its elements are there. Several values may show one block.
type Value struct {
	dev    *Device
	block  *device.Block
	view   shape.View
	stream int
	event  device.Event
	past   graph.Past // nil if they came from the host

	// run is the evaluation that makes the value, until it is known how that
	// ended.
	run atomic.Pointer[Run]

	mu       sync.Mutex
	released bool
	donated  bool
	cleanup  runtime.Cleanup
}

// newValue takes over one reference to the block. It is given back when the
// value is released or nothing refers to it any more.
func newValue(d *Device, b *device.Block, v shape.View, stream int, e device.Event) *Value {
	val := &Value{dev: d, block: b, view: v, stream: stream, event: e}
	val.cleanup = runtime.AddCleanup(val, (*device.Block).Release, b)
	return val
}

// Past is what the value was computed from.
func (v *Value) Past() graph.Past { return v.past }

// acquire adds a reference to the block, unless the value was released.
func (v *Value) acquire() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.released {
		return false
	}
	v.block.Retain()
	return true
}

// release gives the value's reference back, once.
func (v *Value) release() {
	v.mu.Lock()
	again := v.released
	v.released = true
	v.mu.Unlock()
	if !again {
		v.cleanup.Stop()
		v.block.Release()
	}
}

// give takes the value's reference away from it if the value was donated and
// the only other reference is the caller's, who then has both.
func (v *Value) give() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.released || !v.donated || v.block.Refs() != 2 {
		return false
	}
	v.released = true
	v.cleanup.Stop()
	return true
}

func (v *Value) isDonated() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.donated
}

func (v *Value) isReleased() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.released
}

// happened reports whether the elements are there, or never will be.
func (v *Value) happened() bool { return v.event.Happened() }

// Release gives the memory of a node's value back and makes the node unusable.
func (e *Engine) Release(n *graph.Node) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v, ok := n.Held().(*Value); ok {
		v.release()
		return
	}
	n.Hold(&Value{released: true})
}

// Donate allows the next evaluation that uses the node to overwrite its
// value. The node is released by that evaluation if it does.
func (e *Engine) Donate(n *graph.Node) {
	if v, ok := n.Held().(*Value); ok {
		v.mu.Lock()
		v.donated = true
		v.mu.Unlock()
	}
}

// IsReleased reports whether a node was released.
func IsReleased(n *graph.Node) bool {
	v, ok := n.Held().(*Value)
	return ok && v.isReleased()
}
