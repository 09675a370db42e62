package sched

import (
	"errors"
	"runtime"
	"slices"
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
//
// A value belongs to one block for good. When it is released it stays with the
// block, and is used again by the next evaluation that gets the block: whoever
// has a reference to the block, and whoever holds the engine's lock, has nothing
// to fear. Others look again, once they have a reference, whether their node
// still holds the value.
type Value struct {
	dev    *Device
	block  *device.Block
	view   shape.View
	stream int
	event  device.Event
	past   graph.Past // nil if the elements came from the host; may be shared
	own    graph.Past // room for the past of one evaluation

	// run is the evaluation that makes the value, until it is known how that
	// ended.
	run atomic.Pointer[Run]

	mu       sync.Mutex
	released bool
	donated  bool

	cleanup runtime.Cleanup
	self    any // the value itself, as nodes hold it
	few     [8]uint64
}

// releasedValue is what a released node holds.
var releasedValue = func() *Value {
	v := &Value{released: true, past: graph.Anything}
	v.self = v
	return v
}()

// newValue takes over one reference to the block. It is given back when the
// value is released or nothing refers to it any more. A fresh block has just
// come from the pool, or with all its references: then a value that was left
// with it is used, and the engine's lock is held.
func newValue(d *Device, b *device.Block, view shape.View, stream int, e device.Event, fresh bool) *Value {
	var v *Value
	if fresh {
		v, _ = b.TakeSpare().(*Value)
	}
	if v == nil {
		v = &Value{dev: d, block: b}
		v.self = v
		v.own = v.few[:0]
		v.cleanup = runtime.AddCleanup(v, (*device.Block).Release, b)
	}
	v.view, v.stream, v.event, v.past = view, stream, e, nil
	v.mu.Lock()
	v.released, v.donated = false, false
	v.mu.Unlock()
	return v
}

// Drop says that the block of a released value is gone.
func (v *Value) Drop() { v.cleanup.Stop() }

// Past is what the value was computed or copied from; the caller has a reference to its
// block.
func (v *Value) Past() graph.Past { return v.past }

// CopyPast is Past for anyone; it fails if the value was released.
func (v *Value) CopyPast() (graph.Past, bool) {
	if v == releasedValue {
		return v.past, true
	}
	if !v.acquire() {
		return nil, false
	}
	defer v.block.Release()
	return slices.Clone(v.past), true
}

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

// release gives the value's reference back, once. The value may be another's
// from then on.
func (v *Value) release() {
	v.mu.Lock()
	again := v.released
	v.released = true
	v.mu.Unlock()
	if !again {
		v.block.ReleaseWith(&v.self)
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
	return true
}

func (v *Value) isDonated() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.donated
}

// happened reports whether the elements are there, or never will be.
func (v *Value) happened() bool { return v.event.Happened() }

// Release gives the memory of a node's value back and makes the node unusable.
func (e *Engine) Release(n *graph.Node) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v, ok := n.Held().(*Value)
	n.HoldRef(&releasedValue.self)
	if ok {
		v.release()
	}
}

// Donate allows the next evaluation that uses the node to overwrite its
// value. The node is released by that evaluation if it does.
func (e *Engine) Donate(n *graph.Node) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v, ok := n.Held().(*Value); ok && v != releasedValue {
		v.mu.Lock()
		v.donated = true
		v.mu.Unlock()
	}
}

// isReleased reports whether a node was released.
func isReleased(n *graph.Node) bool { return n.Holds(&releasedValue.self) }

// IsThere reports whether the elements of a node can be read without computing
// anything.
func IsThere(n *graph.Node) bool {
	switch h := n.Held().(type) {
	case *graph.Host:
		return true
	case *Value:
		return h != releasedValue && h.happened()
	}
	return false
}
