package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/line"
)

// withMargin is where the lines of a tile begin in a slot with a margin: in the
// buffer, where all of them are there, and otherwise on chip, with the constant
// around what is there. at is where the first would begin in the buffer.
func (r *lineRun) withMargin(s *line.Slot, buffer unsafe.Pointer, at, column, lines int) unsafe.Pointer {
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
	var cell [16]byte
	putConstant(unsafe.Pointer(&cell), s.Type, r.stage.args[m.Fill])
	for e := range n {
		if e < from || e >= to {
			copy(slice[byte](unsafe.Add(chip, e*size), size), cell[:size])
		}
	}
	return chip
}
