package cuda

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// Launch submits a kernel.
func (q *queue) Launch(l device.Launch) {
	d := q.dev
	err := d.enter()
	if err == nil {
		defer d.leave()
		err = q.usable()
	}
	if err != nil {
		marks.Refuse(&l, markOf, err)
		return
	}
	marks.Run(&l, markOf, func() (*fault, error) { return q.run(&l) })
}

// run binds a kernel to its buffers and submits its steps. mu is held.
func (q *queue) run(l *device.Launch) (own *fault, err error) {
	d := q.dev
	k, ok := l.Kernel.(*kernel)
	if !ok || k.dev != d {
		return nil, fmt.Errorf("%s: kernel %T is another device's", d.name, l.Kernel)
	}
	if err := k.fits(l); err != nil {
		return nil, err
	}
	if err := q.reserve(k.scratchBytes); err != nil {
		return nil, err
	}
	if own, err = q.mayFail(k, l.Label); err != nil {
		return nil, err
	}
	var cell driver.Pointer
	if own != nil {
		cell = own.cell.at
	}
	if cap(q.params) < k.params || cap(q.words) < k.words {
		q.params = make([]unsafe.Pointer, k.params)
		q.words = make([]uint64, k.words)
	}
	q.keep()
	r := driver.Success
	for i := range k.steps {
		s := &k.steps[i]
		var params *unsafe.Pointer
		if params, r = bind(q.words, q.params, k, s, l, q.scratch, cell); r != driver.Success {
			break
		}
		if r = d.gpu.Launch(s.function, s.grid, s.block, s.shared, q.stream, params); r != driver.Success {
			break
		}
	}
	// Some steps may run even if a later one could not be submitted.
	q.submitted++
	q.noteTime()
	q.flew(l, k, own)
	if r != driver.Success {
		return own, d.failed("launch", r)
	}
	return own, nil
}

// mayFail is the fault that a launch may turn out to have, nil if it has none. mu is
// held.
func (q *queue) mayFail(k *kernel, label device.Label) (*fault, error) {
	if k.fault == nil {
		return nil, nil
	}
	c, r := q.dev.cells.take(q.dev.gpu)
	if r != driver.Success {
		return nil, q.dev.failed("pinned memory", r)
	}
	return &fault{queue: q, cell: c, Told: marks.Told{Label: label, Decode: k.fault}}, nil
}

// flew notes what was in the last submission. mu is held.
func (q *queue) flew(l *device.Launch, k *kernel, own *fault) {
	q.flights = append(q.flights, flight{q.submitted, l.Label, k.custom})
	if own != nil {
		own.seq = q.submitted
		q.faults = append(q.faults, own)
	}
}

// bind writes the parameters of a step, each to words of its own, and gives the list of
// their addresses.
func bind(words []uint64, params []unsafe.Pointer, k *kernel, s *step, l *device.Launch, scratch, cell driver.Pointer) (*unsafe.Pointer, driver.Result) {
	w := 0
	for i := range s.params {
		p := &s.params[i]
		params[i] = unsafe.Pointer(&words[w])
		words[w+1] = 0
		switch p.Kind {
		case kgen.FaultCell:
			words[w] = uint64(cell)
		case kgen.Number:
			words[w] = uint64(p.Value)
		case kgen.Argument:
			a := l.Args[p.Index]
			words[w], words[w+1] = a[0], a[1]
		case kgen.MapOf:
			m := k.maps[p.Index]
			runs, r := k.dev.mapOf(m, k.address(m.Buffer, l, scratch))
			if r != driver.Success {
				return nil, r
			}
			copy(words[w:], runs[:])
		default:
			words[w] = uint64(k.address(*p, l, scratch))
		}
		w += paramWords(*p)
	}
	if len(s.params) == 0 {
		return nil, driver.Success
	}
	return &params[0], driver.Success
}

// address is where a parameter points to.
func (k *kernel) address(p kgen.Param, l *device.Launch, scratch driver.Pointer) driver.Pointer {
	switch p.Kind {
	case kgen.ReadPointer:
		return l.Reads[p.Index].(*buffer).at + driver.Pointer(p.Value)
	case kgen.WritePointer:
		return l.Writes[p.Index].(*buffer).at + driver.Pointer(p.Value)
	case kgen.ScratchPointer:
		return scratch + driver.Pointer(k.scratch[p.Index])
	}
	return k.tables[p.Index]
}

// fits checks what a launch was given against what the kernel touches.
func (k *kernel) fits(l *device.Launch) error { return l.Fits(k.dev.name, k.need, k.args, k.dev.room) }

func (d *Device) room(b device.Buffer) (int, error) {
	switch c := b.(*buffer); {
	case c.dev != d:
		return 0, errors.New("a buffer is another device's")
	case c.at == 0:
		return 0, errors.New("a buffer was freed")
	default:
		return c.bytes, nil
	}
}

// reserve makes sure of scratch memory. Launches of a queue run one after the
// other, so they share it. mu is held.
func (q *queue) reserve(bytes int) error {
	if bytes <= q.scratchBytes {
		return nil
	}
	d := q.dev
	p, err := d.take(bytes, q.stream)
	if err != nil {
		return err
	}
	if r := d.giveBack(q.scratch, q.stream); r != driver.Success {
		return d.failed("free", r)
	}
	d.held += bytes - q.scratchBytes
	q.scratch, q.scratchBytes = p, bytes
	return nil
}
