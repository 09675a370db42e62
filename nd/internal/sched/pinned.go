package sched

import (
	"context"
	"os"
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Pinned is memory of Go's that the device copies from and to by itself, all 0. It
// is collected like any other, and no longer pinned from then on.
func (d *Device) Pinned(bytes int) ([]byte, error) {
	p, ok := device.As[device.Pinner](d.dev)
	if !ok || bytes == 0 {
		return make([]byte, bytes), nil
	}
	if d.closed.Load() {
		return nil, d.closedError()
	}
	// Pages of its own, and whole ones.
	page := os.Getpagesize()
	all := make([]byte, bytes+2*page)
	skip := int(-uintptr(unsafe.Pointer(&all[0])) & uintptr(page-1))
	whole := (bytes + page - 1) &^ (page - 1)
	mem := all[skip : skip+whole]
	if err := p.Pin(mem); err != nil {
		return nil, err
	}
	// A finalizer and no cleanup: the memory must not be used again before it is
	// unpinned.
	runtime.SetFinalizer(&all[0], func(first *byte) {
		p.Unpin(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(first), skip)), whole))
	})
	return mem[:bytes:bytes], nil
}

// Upload gives a data node the elements of a slice, which may be changed as soon as
// it returns.
func (e *Engine) Upload(ctx context.Context, n *graph.Node, host []byte) error {
	if ctx == nil {
		return ErrNilContext
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	d, err := e.Device(n.Device)
	if err != nil {
		return err
	}
	b, ev, err := d.upload(ctx, host)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	n.HoldRef(&newValue(d, b, shape.Contiguous(n.Shape), ioQueue, ev, true).self)
	return nil
}
