package cuda

import (
	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// CopyFrom copies from another GPU, or another context of this one, without the host.
func (q *queue) CopyFrom(dst, src device.Buffer, bytes int) bool {
	d, b := q.dev, dst.(*buffer)
	from, ok := src.(*buffer)
	if !ok || from.dev == d || bytes > b.bytes || bytes > from.bytes {
		return false
	}
	if d.enter() != nil {
		return false
	}
	defer d.leave()
	if q.usable() != nil || !d.reaches(from.dev) {
		return false
	}
	if bytes > 0 {
		q.keep()
		if q.submit("copy between GPUs", d.gpu.CopyFrom(b.at, from.dev.gpu.Peer(), from.at, bytes, q.stream)) != nil {
			return false
		}
	}
	b.mark.Store(nil)
	return true
}

// reaches reports whether memory of another device can be copied from. mu is held.
func (d *Device) reaches(other *Device) bool {
	p := other.gpu.Peer()
	can, known := d.peers[p]
	if !known {
		can = d.gpu.Reach(p)
		d.peers[p] = can
	}
	return can
}

// peers is what was found out about the contexts that a device may copy from.
type peers map[driver.Peer]bool
