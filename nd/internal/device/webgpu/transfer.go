package webgpu

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
)

// Write copies to a buffer in the order of the work. The library keeps a copy.
func (q *queue) Write(dst device.Buffer, src []byte) {
	d, b := q.dev, dst.(*buffer)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := q.write(b, src); err != nil {
		b.mark.Fail(err)
		return
	}
	b.mark.Store(nil)
}

// write is Write. mu is held.
func (q *queue) write(b *buffer, src []byte) error {
	d := q.dev
	if err := q.usable(); err != nil {
		return err
	}
	switch {
	case b.dev != d || b.at == 0:
		return fmt.Errorf("%s: write: the buffer is another device's, or was freed", d.name)
	case len(src) > b.bytes:
		return fmt.Errorf("%s: write: %d bytes into a buffer of %d", d.name, len(src), b.bytes)
	}
	// A write comes before what is submitted next, so that what is not submitted yet
	// has to be.
	d.submit()
	words := len(src) &^ 3
	for at := 0; at < words; at += writePiece {
		d.gpu.Write(b.at, at, src[at:min(at+writePiece, words)])
	}
	if words == len(src) {
		return nil
	}
	if len(src) == b.bytes { // what follows in the word belongs to nobody
		d.gpu.Write(b.at, words, padded(src[words:]))
		return nil
	}
	return q.writeTail(b, words, src[words:])
}

// writePiece bounds what the library has to keep at once.
const writePiece = 64 << 20

// writeTail changes a part of a word: the word is fetched first. mu is held, and
// given up meanwhile.
func (q *queue) writeTail(b *buffer, at int, part []byte) error {
	d := q.dev
	r, err := d.fetch(b, at, 4)
	if err != nil {
		return err
	}
	d.mu.Unlock()
	d.wait(r.seq)
	d.mu.Lock()
	word, err := d.arrived(r)
	if err != nil {
		return err
	}
	copy(word, part)
	d.gpu.Write(b.at, at, word)
	return nil
}

// Read copies from a buffer when all work so far is done.
func (q *queue) Read(ctx context.Context, dst []byte, src device.Buffer) error {
	d, b := q.dev, src.(*buffer)
	d.mu.Lock()
	err := q.usable()
	switch {
	case err != nil:
	case b.dev != d || b.at == 0:
		err = fmt.Errorf("%s: read: the buffer is another device's, or was freed", d.name)
	case len(dst) > b.bytes:
		err = fmt.Errorf("%s: read: %d bytes from a buffer of %d", d.name, len(dst), b.bytes)
	}
	if err != nil {
		d.mu.Unlock()
		return err
	}
	state := b.mark.Load()
	var list []*readback
	last := q.last
	for at := 0; at < len(dst) && err == nil; at += readPiece {
		var r *readback
		if r, err = d.fetch(b, at, min(readPiece, len(dst)-at)); err == nil {
			list = append(list, r)
			last = r.seq
		}
	}
	d.mu.Unlock()
	if err == nil {
		err = d.WaitFor(ctx, last)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, r := range list {
		data, failed := d.arrived(r)
		if err == nil && failed != nil {
			err = failed
		}
		if err == nil {
			copy(dst[i*readPiece:], data)
		}
	}
	if err == nil {
		err = d.lost.Err()
	}
	if err == nil && state != nil {
		state.Poll()
		err = state.Outcome()
	}
	return err
}

// readPiece is what is copied at once.
const readPiece = 16 << 20

// readback is a copy to the host under way.
type readback struct {
	seq   uint64
	piece *piece
	bytes int
	data  []byte // once arrived, until it is unmapped
	done  bool
	gone  bool // nobody waits for it any more
}

// fetch queues a copy, in a batch that is submitted. mu is held.
func (d *Device) fetch(b *buffer, at, bytes int) (*readback, error) {
	p, err := d.staging.take(d, rounded(bytes))
	if err != nil {
		return nil, err
	}
	d.batch().Copy(p.at, 0, b.at, at, rounded(bytes))
	b.batch = d.submitted + 1
	d.submit()
	if err := d.lost.Err(); err != nil {
		return nil, err
	}
	r := &readback{seq: d.submitted, piece: p, bytes: bytes}
	f := d.flights[len(d.flights)-1]
	f.left++
	d.gpu.Map(p.at, rounded(bytes), func(data []byte) {
		f.left--
		r.done, r.data = true, data
		if r.gone {
			d.release(r)
		}
	})
	return r, nil
}

// arrived is the bytes of a copy, which the caller uses at once. mu is held.
func (d *Device) arrived(r *readback) ([]byte, error) {
	if !r.done {
		r.gone = true
		return nil, d.lost.Err()
	}
	if r.data == nil {
		return nil, fmt.Errorf("%s: read: the memory could not be mapped", d.name)
	}
	data := append([]byte(nil), r.data[:r.bytes]...)
	d.release(r)
	return data, nil
}

func (d *Device) release(r *readback) {
	if r.data != nil {
		r.data = nil
		d.gpu.Unmap(r.piece.at)
		d.staging.put(d, r.piece)
	}
}

// piece is memory that the host can read.
type piece struct {
	at    driver.Buffer
	bytes int
}

// staging keeps pieces for reuse, by size: powers of two.
type staging struct {
	free map[int][]*piece
	kept int // bytes
}

// mostStaging bounds what is kept.
const mostStaging = 128 << 20

func (s *staging) take(d *Device, bytes int) (*piece, error) {
	size := 4 << 10
	for size < bytes {
		size *= 2
	}
	if list := s.free[size]; len(list) > 0 {
		p := list[len(list)-1]
		s.free[size] = list[:len(list)-1]
		s.kept -= size
		return p, nil
	}
	at, err := d.take(size, driver.MapRead|driver.CopyDst)
	if err != nil {
		return nil, err
	}
	return &piece{at, size}, nil
}

func (s *staging) put(d *Device, p *piece) {
	if s.kept+p.bytes > mostStaging {
		d.gpu.FreeBuffer(p.at)
		return
	}
	if s.free == nil {
		s.free = map[int][]*piece{}
	}
	s.free[p.bytes] = append(s.free[p.bytes], p)
	s.kept += p.bytes
}
