package cuda

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// pins are the parts of the process's memory that the GPU copies from and to by
// itself, in the order of their addresses. Whoever copies looks without a lock.
type pins struct {
	list atomic.Pointer[[][]byte] // changed under the device's mu
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// has reports whether all of b is pinned.
func (p *pins) has(b []byte) bool {
	list := p.list.Load()
	if list == nil || len(b) == 0 {
		return false
	}
	at := addressOf(b)
	i, exact := slices.BinarySearchFunc(*list, at, func(m []byte, at uintptr) int { return cmp.Compare(addressOf(m), at) })
	if !exact {
		i--
	}
	return i >= 0 && at+uintptr(len(b)) <= addressOf((*list)[i])+uintptr(len((*list)[i]))
}

// all is every part that is pinned.
func (p *pins) all() [][]byte {
	if list := p.list.Load(); list != nil {
		return *list
	}
	return nil
}

// set replaces the list.
func (p *pins) set(list [][]byte) {
	slices.SortFunc(list, func(a, b []byte) int { return cmp.Compare(addressOf(a), addressOf(b)) })
	p.list.Store(&list)
}

// Pin lets the GPU copy from and to mem directly.
func (d *Device) Pin(mem []byte) error {
	if len(mem) == 0 {
		return nil
	}
	wantHugePages(mem)
	if err := d.staging.inParts(len(mem), func(next func() (from, to int, ok bool)) error {
		for from, to, ok := next(); ok; from, to, ok = next() {
			populate(mem[from:to])
		}
		return nil
	}); err != nil {
		return err
	}
	if err := d.enterUsable(); err != nil {
		return err
	}
	defer d.leave()
	if r := d.gpu.HostRegister(mem); r != driver.Success {
		return d.failed(fmt.Sprintf("pin %d bytes of host memory", len(mem)), r)
	}
	d.pins.set(append(slices.Clone(d.pins.all()), mem))
	return nil
}

// Unpin ends what Pin began. Nothing is being copied from or to mem.
func (d *Device) Unpin(mem []byte) {
	if len(mem) == 0 || d.enter() != nil {
		return
	}
	defer d.leave()
	list := slices.Clone(d.pins.all())
	for i, m := range list {
		if &m[0] == &mem[0] {
			d.pins.set(slices.Delete(list, i, i+1))
			_ = d.gpu.HostUnregister(mem)
			return
		}
	}
}

// unpinAll is for Close. mu is held.
func (d *Device) unpinAll() {
	for _, m := range d.pins.all() {
		_ = d.gpu.HostUnregister(m)
	}
	d.pins.set(nil)
}

// writeDirect copies from pinned memory and returns when that may be changed again.
func (q *queue) writeDirect(b *buffer, src []byte) error {
	defer runtime.KeepAlive(src)
	e, err := q.direct("write", func() driver.Result { return q.dev.gpu.CopyToDevice(b.at, src, q.stream) })
	if err != nil {
		return err
	}
	return e.Wait(context.Background())
}

// readDirect copies to pinned memory. Once the copy has been submitted it is waited
// for, whatever ctx says: the GPU writes to dst until then. What may take long is
// waited for before.
func (q *queue) readDirect(ctx context.Context, dst []byte, b *buffer) error {
	defer runtime.KeepAlive(dst)
	if err := q.Record().Wait(ctx); err != nil {
		return err
	}
	e, err := q.direct("read", func() driver.Result { return q.dev.gpu.CopyToHost(dst, b.at, q.stream) })
	if err != nil {
		return err
	}
	return e.Wait(context.Background())
}

// direct submits a copy and gives the event behind it.
func (q *queue) direct(what string, copy func() driver.Result) (device.Event, error) {
	d := q.dev
	if err := d.enter(); err != nil {
		return device.Event{}, err
	}
	defer d.leave()
	if err := q.usable(); err != nil {
		return device.Event{}, err
	}
	q.keep()
	if err := q.submit(what, copy()); err != nil {
		return device.Event{}, err
	}
	return q.eventNow(), nil
}

var _ device.Pinner = (*Device)(nil)
