package webgpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Launch puts a kernel on the queue.
func (q *queue) Launch(l device.Launch) {
	d := q.dev
	forms, err := d.formsOf(&l)
	d.mu.Lock()
	defer d.mu.Unlock()
	if why := q.usable(); why != nil {
		marks.Refuse(&l, markOf, why)
		return
	}
	marks.Run(&l, markOf, func() (*fault, error) {
		if err != nil {
			return nil, err
		}
		return q.run(&l, forms)
	})
}

// formsOf checks a launch and makes its kernels ready: those of launches in place
// are made when one comes.
func (d *Device) formsOf(l *device.Launch) ([]*form, error) {
	k, ok := l.Kernel.(*kernel)
	if !ok || k.dev != d {
		return nil, fmt.Errorf("%s: kernel %T is another device's", d.name, l.Kernel)
	}
	if err := k.fits(l); err != nil {
		return nil, err
	}
	forms := make([]*form, len(k.steps))
	for i, s := range k.steps {
		f, err := d.form(s, sameBuffers(s, l))
		if err != nil {
			return nil, err
		}
		forms[i] = f
	}
	return forms, nil
}

// sameBuffers finds buffers that a step has twice, one of them to write; nil if
// there are none.
func sameBuffers(s *step, l *device.Launch) []int {
	type who struct {
		kind   kgen.ParamKind // of scratch, tables and cells
		index  int
		buffer device.Buffer
	}
	first := map[who]int{}
	same := make([]int, len(s.buffers))
	written := map[int]bool{}
	twice := false
	for i, at := range s.buffers {
		p := s.params[at]
		w := who{kind: p.Kind, index: p.Index}
		writes := false
		switch p.Kind {
		case kgen.ReadPointer:
			w = who{buffer: l.Reads[p.Index]}
		case kgen.WritePointer:
			w, writes = who{buffer: l.Writes[p.Index]}, true
		default:
			writes = s.writes(at)
		}
		j, seen := first[w]
		if !seen {
			first[w], j = i, i
		}
		same[i] = j
		written[j] = written[j] || writes
		twice = twice || seen
	}
	if !twice {
		return nil
	}
	apart := true
	for i, j := range same {
		if !written[j] {
			same[i] = i // reading twice is allowed
		}
		apart = apart && same[i] == i
	}
	if apart {
		return nil
	}
	return same
}

// run binds a kernel to its buffers and adds its steps to the batch. mu is held.
func (q *queue) run(l *device.Launch, forms []*form) (own *fault, err error) {
	d, k := q.dev, l.Kernel.(*kernel)
	if l.Timed != nil {
		d.submit() // a batch of its own is timed
	}
	if err := d.reserve(k.scratch); err != nil {
		return nil, err
	}
	var c *cell
	if k.fault != nil {
		own = &fault{dev: d, Told: marks.Told{Label: l.Label, Decode: k.fault}}
		if c, err = d.cell(own); err != nil {
			return nil, err
		}
	}
	for i, s := range k.steps {
		if err := d.dispatch(k, s, forms[i], l, c); err != nil {
			return own, err
		}
	}
	d.launches++
	d.labels = append(d.labels, l.Label)
	if d.commands != nil { // a program without elements adds nothing: its batch may never be submitted
		q.last = d.submitted + 1
		for _, list := range [][]device.Buffer{l.Reads, l.Writes} {
			for _, b := range list {
				b.(*buffer).batch = q.last
			}
		}
	}
	if l.Timed != nil {
		d.submitTimed(l.Timed)
	} else {
		d.soon()
	}
	return own, nil
}

// at is the memory of a buffer parameter.
func (k *kernel) at(p kgen.Param, l *device.Launch, c *cell) driver.Buffer {
	switch p.Kind {
	case kgen.ReadPointer:
		return l.Reads[p.Index].(*buffer).at
	case kgen.WritePointer:
		return l.Writes[p.Index].(*buffer).at
	case kgen.ScratchPointer:
		return k.dev.scratch[p.Index].at
	case kgen.TablePointer:
		return k.tables[p.Index].at
	}
	return c.at
}

// dispatch adds a step to the batch, in as many parts as its groups need. mu is held.
func (d *Device) dispatch(k *kernel, s *step, f *form, l *device.Launch, c *cell) error {
	words := slices.Clone(f.words)
	for i, p := range s.params {
		if p.Kind == kgen.Argument {
			at := f.shader.Numbers[i]
			for j, v := range l.Args[p.Index] {
				words[at+2*j], words[at+2*j+1] = uint32(v), uint32(v>>32)
			}
		}
	}
	at := lists.Map(s.buffers, func(param int) driver.Buffer { return k.at(s.params[param], l, c) })
	joined, err := d.join(f, at, words)
	if err != nil {
		return err
	}
	bindings := make([]driver.Binding, len(f.shader.Bound))
	for i, b := range f.shader.Bound {
		switch b.Kind {
		case printer.BoundBuffer:
			from, bytes := 0, f.bytes[b.Buffer]
			if n := f.pieces; n != nil && n[b.Buffer] > 1 {
				from = b.Piece * f.pieceBytes
				bytes = min(bytes-from, f.pieceBytes)
			}
			if bytes < b.Least { // the library would end the process
				return fmt.Errorf("%s: %d bytes of a buffer with elements of %d", f.shader.Entry, bytes, b.Least)
			}
			bindings[i] = driver.Binding{Buffer: at[b.Buffer], At: from, Bytes: bytes}
		case printer.BoundReads:
			bindings[i] = driver.Binding{Buffer: joined.reads.at, Bytes: joined.reads.bytes}
		case printer.BoundChanges:
			bindings[i] = driver.Binding{Buffer: joined.changes.at, Bytes: joined.changes.bytes}
		case printer.BoundCell:
			bindings[i] = driver.Binding{Buffer: c.at, Bytes: cellBytes}
		}
	}
	most := int(d.limits.Groups)
	for z := 0; z < s.groups[2]; z += most {
		for y := 0; y < s.groups[1]; y += most {
			for x := 0; x < s.groups[0]; x += most {
				from := [3]int{x, y, z}
				var count [3]int
				for i := range from {
					words[f.shader.Base+i] = uint32(s.from[i] + from[i])
					count[i] = min(most, s.groups[i]-from[i])
				}
				w, err := d.bindWords(words)
				if err != nil {
					return err
				}
				bindings[len(bindings)-1] = w
				d.batch().Dispatch(f.pipeline, bindings, count)
			}
		}
	}
	d.part(joined)
	return nil
}

// fits checks what a launch was given against what the kernel touches.
func (k *kernel) fits(l *device.Launch) error { return l.Fits(k.dev.name, k.need, k.args, k.dev.room) }

func (d *Device) room(b device.Buffer) (int, error) {
	c, ok := b.(*buffer)
	if !ok || c.dev != d {
		return 0, errors.New("a buffer is another device's")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.at == 0 {
		return 0, errors.New("a buffer was freed")
	}
	return c.bytes, nil
}
