package cpu

import (
	"sync/atomic"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

const (
	// alignment is what device.Device promises for buffers: a cache line, and
	// the widest vector register.
	alignment = 64

	// mapFrom is the size from which buffers come from the operating system
	// and not from the Go heap: what the pool keeps on the heap lets as much
	// garbage pile up beside it, and big ones want huge pages. Smaller ones
	// would make too many mappings: a process may have 65530.
	mapFrom = 256 << 10

	// cheapBelow is the size below which making a buffer anew costs about what
	// finding it in the pool does.
	cheapBelow = 64 << 10
)

// buffer is device memory. Its mark is the error of the last launch that
// wrote it; it is set by the queue's runner and may be read at any time.
type buffer struct {
	dev     *Device
	bytes   int
	mem     []byte // at least bytes long, aligned; nil once freed
	mapping []byte // what to give back to the operating system, nil for heap memory
	mark    atomic.Pointer[mark]
}

type mark struct{ err error }

func (b *buffer) Bytes() int { return b.bytes }

func (b *buffer) Err() error {
	if m := b.mark.Load(); m != nil {
		return m.err
	}
	return nil
}

func (b *buffer) setErr(err error) {
	if err != nil {
		b.mark.Store(&mark{err})
	} else if b.mark.Load() != nil {
		b.mark.Store(nil)
	}
}

// HostBytes is the memory itself.
func (b *buffer) HostBytes() []byte { return b.mem[:b.bytes] }

// base is where the elements start.
func (b *buffer) base() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b.mem)) }

// Scratch is the bytes of large scratch.
func (d *Device) Scratch() int { return d.team.pile.held() }

// Trim gives back the scratch that no worker uses.
func (d *Device) Trim() { d.team.pile.trim() }

// Cheap reports buffers that the pool need not keep many of.
func (d *Device) Cheap(bytes int) bool { return bytes < cheapBelow }

// Alloc gives zeroed or reused memory, aligned to 64 bytes.
func (d *Device) Alloc(bytes int) (device.Buffer, error) {
	b := &buffer{dev: d, bytes: bytes}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, device.ErrClosed
	}
	if bytes < 0 || bytes > d.limit-d.held {
		return nil, d.outOfMemory(bytes)
	}
	switch {
	case bytes >= mapFrom:
		var err error
		if b.mem, b.mapping, err = mapMemory(bytes); err != nil {
			return nil, d.outOfMemory(bytes)
		}
	default:
		// An empty buffer has memory too, so that base is never nil.
		b.mem = alignedBytes(max(bytes, 1))
	}
	d.held += bytes
	d.buffers[b] = struct{}{}
	return b, nil
}

func (d *Device) outOfMemory(bytes int) error {
	e := &device.OutOfMemoryError{Device: d.name, Asked: bytes, Held: d.held, Free: d.limit - d.held}
	if d.limited {
		e.Limit = d.limit
	}
	return e
}

// Free gives a buffer's memory back; freeing twice does nothing.
func (d *Device) Free(b device.Buffer) {
	c, ok := b.(*buffer)
	if !ok || c.dev != d {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, live := d.buffers[c]; live {
		delete(d.buffers, c)
		d.held -= c.bytes
		c.release()
	}
}

func (b *buffer) release() {
	if b.mapping != nil {
		unmapMemory(b.mapping)
	}
	b.mem, b.mapping = nil, nil
}
