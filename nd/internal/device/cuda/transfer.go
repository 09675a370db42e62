package cuda

import (
	"context"
	"fmt"
	"time"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
)

// Write copies src into pinned memory and queues copies from there; what is pinned
// itself is copied from where it is, and waited for.
func (q *queue) Write(dst device.Buffer, src []byte) {
	d, b := q.dev, dst.(*buffer)
	if len(src) > b.bytes {
		b.mark.Fail(fmt.Errorf("%s: write: %d bytes into a buffer of %d", d.name, len(src), b.bytes))
		return
	}
	var err error
	if d.pins.has(src) {
		err = q.writeDirect(b, src)
	} else {
		err = d.staging.inParts(len(src), func(next func() (from, to int, ok bool)) error {
			for from, to, ok := next(); ok; from, to, ok = next() {
				if err := q.writePart(b, from, src[from:to]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		err = q.usable()
	}
	if err != nil {
		b.mark.Fail(err)
		return
	}
	b.mark.Store(nil)
}

func (q *queue) writePart(b *buffer, at int, src []byte) error {
	p, err := q.piece(context.Background(), len(src), true)
	if err != nil {
		return err
	}
	copy(p, src)
	d := q.dev
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	err = q.usable()
	if err == nil {
		q.keep()
		err = q.submit("write", d.gpu.CopyToDevice(b.at+driver.Pointer(at), p[:len(src)], q.stream))
	}
	if err != nil {
		d.staging.put(p)
		return err
	}
	q.pieces = append(q.pieces, piece{q.submitted, p})
	q.record() // so that the piece comes back when the copy is done
	return nil
}

// submit counts something that was put on the stream. mu is held.
func (q *queue) submit(what string, r driver.Result) error {
	if r != driver.Success {
		return q.dev.failed(what, r)
	}
	q.submitted++
	return nil
}

// copyPause is about as long as a piece takes to be copied.
const copyPause = 100 * time.Microsecond

// piece gives pinned memory. If there is none left it waits for the oldest
// copy, or gives nil: whoever holds pieces must not wait for more.
func (q *queue) piece(ctx context.Context, bytes int, wait bool) ([]byte, error) {
	d := q.dev
	for {
		if err := d.enter(); err != nil {
			return nil, err
		}
		err := q.usable()
		var p []byte
		var oldest device.Event
		if err == nil {
			var r driver.Result
			if p, r = d.staging.take(d.gpu, bytes); r != driver.Success {
				err = d.failed("pinned memory", r)
			} else if p == nil {
				for other := range d.queues {
					other.poll()
					if len(other.pieces) > 0 {
						oldest = device.Event{Clock: other, N: other.pieces[0].seq}
					}
				}
				p, _ = d.staging.take(d.gpu, bytes)
			}
		}
		d.leave()
		switch {
		case p != nil || err != nil || !wait:
			return p, err
		case oldest.Clock != nil:
			err = oldest.Wait(ctx)
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		default: // readers hold it all, and are busy copying
			device.Nap(copyPause)
		}
		if err != nil {
			return nil, err
		}
	}
}

// part is a copy to the host under way.
type part struct {
	mem  []byte // pinned; nil for none
	dst  []byte
	done device.Event
}

// Read queues copies into pinned memory and moves them to dst as they arrive; to
// what is pinned itself the GPU copies directly.
func (q *queue) Read(ctx context.Context, dst []byte, src device.Buffer) error {
	d, b := q.dev, src.(*buffer)
	d.mu.Lock()
	err := q.usable()
	s := b.mark.Load()
	d.mu.Unlock()
	if err == nil && len(dst) > b.bytes {
		err = fmt.Errorf("%s: read: %d bytes from a buffer of %d", d.name, len(dst), b.bytes)
	}
	switch {
	case err != nil:
	case len(dst) == 0:
		err = q.Record().Wait(ctx)
	case d.pins.has(dst):
		err = q.readDirect(ctx, dst, b)
	default:
		wantHugePages(dst)
		err = d.staging.inParts(len(dst), func(next func() (from, to int, ok bool)) error {
			return q.readParts(ctx, dst, b, next)
		})
	}
	if err != nil {
		return err
	}
	return d.outcome(s)
}

// readParts copies one part after the other. The next one is under way while a part
// is moved to its place. Only who holds no pinned memory waits for some.
func (q *queue) readParts(ctx context.Context, dst []byte, b *buffer, next func() (from, to int, ok bool)) error {
	d := q.dev
	var now, after part
	defer func() { q.abandon(now, after) }()
	from, to, ok := next()
	for ok || now.mem != nil {
		var err error
		if now.mem == nil {
			now, err = q.readPart(ctx, b, from, dst[from:to], true)
			if from, to, ok = next(); err != nil {
				return err
			}
		}
		if ok {
			if after, err = q.readPart(ctx, b, from, dst[from:to], false); err != nil {
				return err
			}
			if after.mem != nil {
				from, to, ok = next()
			}
		}
		populate(now.dst)
		if err := now.done.Wait(ctx); err != nil {
			return err
		}
		if err := d.lost.Err(); err != nil {
			return err
		}
		copy(now.dst, now.mem)
		d.mu.Lock()
		d.staging.put(now.mem)
		d.mu.Unlock()
		now, after = after, part{}
	}
	return nil
}

// readPart queues one copy; without pinned memory, and not to wait for it, none.
func (q *queue) readPart(ctx context.Context, b *buffer, at int, dst []byte, wait bool) (part, error) {
	mem, err := q.piece(ctx, len(dst), wait)
	if mem == nil || err != nil {
		return part{}, err
	}
	d := q.dev
	if err := d.enter(); err != nil {
		return part{}, err
	}
	defer d.leave()
	err = q.usable()
	if err == nil {
		q.keep()
		err = q.submit("read", d.gpu.CopyToHost(mem[:len(dst)], b.at+driver.Pointer(at), q.stream))
	}
	if err != nil {
		d.staging.put(mem)
		return part{}, err
	}
	return part{mem, dst, q.eventNow()}, nil
}

// abandon lets copies whose reader gave up finish in their own time.
func (q *queue) abandon(parts ...part) {
	q.dev.mu.Lock()
	defer q.dev.mu.Unlock()
	for _, p := range parts {
		if p.mem != nil {
			q.asked = q.submitted
			q.pieces = append(q.pieces, piece{q.submitted, p.mem})
		}
	}
}

// outcome is the error of a state, as far as it is known.
func (d *Device) outcome(s *marks.State) error {
	if err := d.lost.Err(); err != nil {
		return err
	}
	if s == nil {
		return nil
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	s.Poll()
	return s.Outcome()
}
