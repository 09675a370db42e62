package webgpu

import (
	"errors"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
)

// buffer is memory of the device, and what is known of its contents.
type buffer struct {
	dev   *Device
	bytes int
	at    driver.Buffer
	batch uint64 // the last that uses it; guarded by mu
	mark  marks.Mark
}

func (b *buffer) Bytes() int { return b.bytes }

func markOf(b device.Buffer) *marks.Mark { return &b.(*buffer).mark }

// Err is the buffer's mark.
func (b *buffer) Err() error {
	d := b.dev
	if err := d.lost.Err(); err != nil {
		return err
	}
	s := b.mark.Load()
	if s == nil {
		return nil
	}
	d.mu.Lock()
	s.Poll()
	err := s.Outcome()
	calls := d.tell()
	d.mu.Unlock()
	run(calls)
	return err
}

// whole rounds up to the words that memory is made of. The least that is bound has
// room for one element of any type, which shaders insist on.
func whole(bytes int) int { return max(rounded(bytes), 16) }

// rounded is a number of bytes in whole words.
func rounded(bytes int) int { return (bytes + 3) &^ 3 }

// Alloc gives memory, zeroed by WebGPU's rules.
func (d *Device) Alloc(bytes int) (device.Buffer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usableNow(); err != nil {
		return nil, err
	}
	at, err := d.take(bytes, driver.Storage|driver.CopySrc|driver.CopyDst)
	if err != nil {
		return nil, err
	}
	b := &buffer{dev: d, bytes: bytes, at: at}
	d.held += bytes
	d.buffers[b] = struct{}{}
	return b, nil
}

// take allocates. mu is held.
func (d *Device) take(bytes int, use driver.Usage) (driver.Buffer, error) {
	oom := &device.OutOfMemoryError{Device: d.name, Asked: bytes, Held: d.held, Free: -1}
	if bytes < 0 || uint64(bytes) > d.limits.BufferBytes-3 {
		return 0, oom
	}
	at, err := d.gpu.NewBuffer(whole(bytes), use)
	switch {
	case errors.Is(err, driver.ErrOutOfMemory):
		return 0, oom
	case err != nil:
		return 0, err
	}
	return at, nil
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
		if c.batch > d.submitted {
			d.submit() // commands must not name what is gone
		}
		d.gpu.FreeBuffer(c.at)
		c.at = 0
	}
}

// scratch is memory that the steps of launches share.
type scratch struct {
	at    driver.Buffer
	bytes int
}

// reserve makes sure of scratch memory. mu is held.
func (d *Device) reserve(sizes []int) error {
	for i, n := range sizes {
		if i == len(d.scratch) {
			d.scratch = append(d.scratch, scratch{})
		}
		if err := d.grow(&d.scratch[i], n); err != nil {
			return err
		}
	}
	return nil
}

// grow makes sure that memory which launches share has some bytes. mu is held.
func (d *Device) grow(s *scratch, bytes int) error {
	if s.at != 0 && s.bytes >= bytes {
		return nil
	}
	at, err := d.take(bytes, driver.Storage|driver.CopySrc|driver.CopyDst)
	if err != nil {
		return err
	}
	if s.at != 0 {
		d.submit() // what is to come may still use the old one
		d.gpu.FreeBuffer(s.at)
	}
	d.held += bytes - s.bytes
	*s = scratch{at, bytes}
	return nil
}

// table is constant data.
type table struct {
	at    driver.Buffer
	bytes int
}

// table gives the memory of constants, uploaded at their first use. mu is held.
func (d *Device) table(key string, data func() []byte) (*table, error) {
	if t, ok := d.tables[key]; ok {
		return t, nil
	}
	bytes := data()
	at, err := d.take(len(bytes), driver.Storage|driver.CopySrc|driver.CopyDst)
	if err != nil {
		return nil, err
	}
	d.gpu.Write(at, 0, padded(bytes))
	t := &table{at, len(bytes)}
	d.held += len(bytes)
	d.tables[key] = t
	return t, nil
}

// padded is data in whole words.
func padded(data []byte) []byte {
	if len(data)%4 == 0 {
		return data
	}
	return append(append([]byte(nil), data...), make([]byte, 4-len(data)%4)...)
}
