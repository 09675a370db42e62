package cuda

import (
	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
)

// buffer is memory of a GPU, and what is known of its contents.
type buffer struct {
	dev   *Device
	bytes int
	at    driver.Pointer
	mark  marks.Mark
}

func (b *buffer) Bytes() int { return b.bytes }

// leastAlloc is what an empty buffer gets, so that every buffer has an address.
const leastAlloc = 64

// Alloc gives memory, aligned to 256 bytes.
func (d *Device) Alloc(bytes int) (device.Buffer, error) {
	if err := d.enterUsable(); err != nil {
		return nil, err
	}
	defer d.leave()
	p, err := d.take(bytes, d.memory)
	if err != nil {
		return nil, err
	}
	// Once the memory stream is past the allocation, any stream may use it.
	if r := d.gpu.SyncStream(d.memory); r != driver.Success {
		return nil, d.failed("alloc", r)
	}
	b := &buffer{dev: d, bytes: bytes, at: p}
	d.held += bytes
	d.buffers[b] = struct{}{}
	return b, nil
}

// take allocates in the order of a stream. mu is held.
func (d *Device) take(bytes int, s driver.Stream) (p driver.Pointer, err error) {
	r := driver.OutOfMemory
	if bytes >= 0 && bytes <= d.info.MemoryBytes {
		p, r = d.tryTake(bytes, s)
		if r == driver.OutOfMemory {
			// Freed memory is given back for good when its stream is waited for.
			if r = d.gpu.SyncStream(d.memory); r == driver.Success {
				p, r = d.tryTake(bytes, s)
			}
		}
	}
	switch r {
	case driver.Success:
		return p, nil
	case driver.OutOfMemory:
		e := &device.OutOfMemoryError{Device: d.name, Asked: bytes, Held: d.held, Free: -1}
		if free, _, r := d.gpu.MemoryInfo(); r == driver.Success {
			e.Free = free
		}
		return 0, e
	}
	return 0, d.failed("alloc", r)
}

func (d *Device) tryTake(bytes int, s driver.Stream) (driver.Pointer, driver.Result) {
	if d.pooled {
		return d.gpu.AllocAsync(max(bytes, leastAlloc), s)
	}
	return d.gpu.Alloc(max(bytes, leastAlloc))
}

// giveBack frees memory that no stream but s uses. mu is held.
func (d *Device) giveBack(p driver.Pointer, s driver.Stream) driver.Result {
	switch {
	case p == 0:
		return driver.Success
	case d.pooled:
		return d.gpu.FreeAsync(p, s)
	}
	return d.gpu.Free(p) // waits for the launches that use it
}

// Free gives a buffer's memory back; freeing twice does nothing.
func (d *Device) Free(b device.Buffer) {
	c, ok := b.(*buffer)
	if !ok || c.dev != d || d.enter() != nil {
		return
	}
	defer d.leave()
	if _, live := d.buffers[c]; live {
		delete(d.buffers, c)
		d.held -= c.bytes
		_ = d.giveBack(c.at, d.memory)
		c.at = 0
	}
}
