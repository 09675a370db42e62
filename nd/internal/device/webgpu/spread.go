package webgpu

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// mostBindings is how many buffers a kernel may have.
func (d *Device) mostBindings() int {
	return int(min(d.limits.StorageBuffers, d.limits.BindingsPerGroup))
}

// pieceBytes is the most that a piece of a buffer has.
func (d *Device) pieceBytes() int {
	const most = 1 << 30 // more is not needed, and does not fit an int everywhere
	align := uint64(max(d.limits.StorageAlignment, 4))
	return int(min(d.limits.StorageBinding, most) / align * align)
}

// spread meets the adapter's limits: buffers that are larger than a binding are cut
// into pieces, and where there are too many, small ones are joined.
func (d *Device) spread(s *step, sizes []int, written []bool, o *printer.ShaderOptions) error {
	most := d.mostBindings()
	bindings := 1 // of the words
	if o.Check {
		bindings++
	}
	atomic := printer.IsAtomic(s.flat)
	var reads, changes []int // those that may be joined
	for i, bytes := range sizes {
		if o.Same != nil && o.Same[i] != i {
			continue
		}
		switch {
		case uint64(bytes) > d.limits.StorageBinding:
			if o.Pieces == nil {
				o.Pieces, o.PieceBytes = make([]int, len(sizes)), d.pieceBytes()
			}
			o.Pieces[i] = (bytes + o.PieceBytes - 1) / o.PieceBytes
			bindings += o.Pieces[i] - 1
		case atomic[i] || s.params[s.buffers[i]].Kind == kgen.FaultCell:
		case written[i]:
			changes = append(changes, i)
		default:
			reads = append(reads, i)
		}
		bindings++
	}
	if bindings <= most {
		return nil
	}
	o.Joined = make([]bool, len(sizes))
	for _, list := range [][]int{reads, changes} { // those that are read are copied once, not twice
		slices.SortFunc(list, func(a, b int) int { return sizes[a] - sizes[b] })
		total := 0
		for n, i := range list {
			over := bindings - most
			if over <= 0 || len(list) == 1 || uint64(total+sizes[i]) > d.limits.StorageBinding {
				break
			}
			total += sizes[i]
			o.Joined[i] = true
			if n > 0 {
				bindings--
			}
		}
	}
	if bindings > most {
		return fmt.Errorf("%d bindings, the adapter has %d of %d bytes: %w", bindings, most, d.limits.StorageBinding, device.ErrUnsupported)
	}
	return nil
}

// written says of each buffer whether the kernel writes it, where buffer i is buffer
// same[i].
func (s *step) written(same []int) []bool {
	list := make([]bool, len(s.buffers))
	for i, param := range s.buffers {
		first := i
		if same != nil {
			first = same[i]
		}
		list[first] = list[first] || s.writes(param)
	}
	return list
}

// extents says of each buffer how many bytes the kernel sees of it, where buffer i is
// buffer same[i].
func (s *step) extents(same []int) []int {
	list := slices.Clone(s.bytes)
	for i, first := range same {
		list[first] = max(list[first], s.bytes[i])
	}
	return list
}

// writes reports a parameter that the kernel writes.
func (s *step) writes(param int) bool {
	switch s.params[param].Kind {
	case kgen.ReadPointer:
		return false
	case kgen.WritePointer:
		return true
	}
	return !s.flat.IR.Params[param].Type.Const
}

// joint is memory that several buffers of a launch are joined in.
type joint struct {
	reads, changes scratch
	back           []moved // what is copied back
}

type moved struct {
	to        driver.Buffer
	at, bytes int
}

// join copies the buffers that a kernel has joined next to each other, and tells it
// where they are. mu is held.
func (d *Device) join(f *form, at []driver.Buffer, words []uint32) (j joint, err error) {
	for i, word := range f.shader.Joins {
		if word < 0 {
			continue
		}
		to := &j.reads
		if f.written[i] {
			to = &j.changes
			j.back = append(j.back, moved{at[i], to.bytes, f.bytes[i]})
		}
		words[word] = uint32(to.bytes / 4)
		to.bytes += f.bytes[i]
	}
	for i, m := range []*scratch{&j.reads, &j.changes} {
		if m.bytes == 0 {
			continue
		}
		if err = d.grow(&d.joints[i], m.bytes); err != nil {
			return joint{}, err
		}
		m.at = d.joints[i].at
	}
	for i, word := range f.shader.Joins {
		if word >= 0 {
			to := j.reads
			if f.written[i] {
				to = j.changes
			}
			d.batch().Copy(to.at, 4*int(words[word]), at[i], 0, f.bytes[i])
		}
	}
	return j, nil
}

// part copies what a kernel changed back. mu is held.
func (d *Device) part(j joint) {
	for _, m := range j.back {
		d.batch().Copy(m.to, 0, j.changes.at, m.at, m.bytes)
	}
}
