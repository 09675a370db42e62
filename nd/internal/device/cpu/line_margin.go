package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// withMargin is where the lines of a tile begin in a slot with a margin: in the
// buffer, where all of them are there, and otherwise on chip, with what the rule
// says around what is there. at is where the first would begin in the buffer.
func (r *lineRun) withMargin(s *ir.Slot, buffer unsafe.Pointer, at, column, lines int) unsafe.Pointer {
	m, size := s.Margin, s.Type.Size()
	place, n := m.At(r.index), s.Len
	if last := len(m.Strides) - 1; last >= 0 {
		place += column * m.Strides[last]
		n += (lines - 1) * m.Strides[last]
	}
	if place >= m.From && place+n <= m.To {
		return unsafe.Add(buffer, at*size)
	}
	chip := r.own.pointer(n * size)
	from, to := min(max(m.From-place, 0), n), max(min(m.To-place, n), 0)
	if from < to {
		copy(slice[byte](unsafe.Add(chip, from*size), (to-from)*size), slice[byte](unsafe.Add(buffer, (at+from)*size), (to-from)*size))
	} else {
		from, to = n, n
	}
	around := surround[complex128]
	switch size {
	case 1:
		around = surround[uint8]
	case 2:
		around = surround[uint16]
	case 4:
		around = surround[uint32]
	case 8:
		around = surround[uint64]
	}
	around(s, r.stage.args, chip, buffer, at-place, place, from, to, n)
	return chip
}

// surround writes elements [0, from) and [to, n) of a stretch on chip that begins
// at a place of the run. zero is where place 0 would be in the buffer. T has the
// size of an element.
func surround[T any](s *ir.Slot, args []scalar.Arg, chip, buffer unsafe.Pointer, zero, place, from, to, n int) {
	m := s.Margin
	out := slice[T](chip, n)
	var cell [2]uint64
	if m.Rule == ir.Constant {
		putConstant(unsafe.Pointer(&cell), s.Type, args[m.Fill])
	}
	for _, part := range [...][2]int{{0, from}, {to, n}} {
		for e := part[0]; e < part[1]; e++ {
			if m.Rule == ir.Constant {
				out[e] = *(*T)(unsafe.Pointer(&cell))
				continue
			}
			out[e] = *(*T)(unsafe.Add(buffer, (zero+m.Source(place+e))*s.Type.Size()))
		}
	}
}
