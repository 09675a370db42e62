package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// shortRow is the length of a row below which the calls for each would cost more than the copy.
const shortRow = 64

// gatherShort copies the elements of whole rows from index on, many short ones of a dimension at
// once, and gives their number: 0 if rows are long, few, or begun already. Index ends up at the
// first point that is left, if there is one.
func gatherShort(k *vec.Move, dst, src unsafe.Pointer, o *layout, dims, index []int, n int) int {
	last := len(dims) - 1
	if last == 0 || dims[last] >= shortRow || index[last] != 0 {
		return 0
	}
	lead, cols := last, dims[last] // a row is what the dimensions from lead on have
	for lead > 1 && index[lead-1] == 0 && cols*dims[lead-1] <= mostPlaces {
		lead--
		cols *= dims[lead]
	}
	rows := min(n/cols, dims[lead-1]-index[lead-1])
	if rows < 2 {
		return 0
	}
	if lead == last && o.strides[last-1] == 0 {
		gatherLine(k, o.size, dst, src, o.strides[last], cols)
		repeatBytes(slice[byte](dst, rows*cols*o.size), cols*o.size)
	} else if lead == last && o.strides[last-1] == 1 && cols > fewPlaces {
		k.Transpose(o.size, dst, src, cols, o.strides[last], cols, rows, false)
	} else if lead == last && o.strides[last] == 1 && cols*o.size >= packBytes {
		packWholeRows(dst, src, o.strides[last-1]*o.size, rows, cols*o.size)
	} else {
		var room [mostPlaces]int
		places := o.places(dims[lead:], lead, room[:])
		switch down, across := o.strides[lead-1], o.strides[last]; o.size {
		case 1:
			packRows[uint8](dst, src, down, across, rows, cols, places)
		case 2:
			packRows[uint16](dst, src, down, across, rows, cols, places)
		case 4:
			packRows[uint32](dst, src, down, across, rows, cols, places)
		case 8:
			packRows[uint64](dst, src, down, across, rows, cols, places)
		default:
			packRows[complex128](dst, src, down, across, rows, cols, places)
		}
	}
	if done := rows * cols; done < n {
		index[lead-1] += rows - 1
		for i := lead; i <= last; i++ {
			index[i] = dims[i] - 1
		}
		advance(index, dims)
		return done
	}
	return n
}

// repeatBytes fills b with its first bytes, again and again.
func repeatBytes(b []byte, period int) {
	for done := period; done < len(b); {
		done += copy(b[done:], b[:done])
	}
}

// mostPlaces bounds the places of a row that is packed place by place, and fewPlaces those of a row of
// one dimension: longer ones have loops of their own, of enough turns.
const (
	mostPlaces = 16
	fewPlaces  = 4
)

// places are where the elements of a row of some dimensions lie, the last dimension fastest, or nil
// for one dimension of more than fewPlaces. The first of the dimensions is number lead.
func (l *layout) places(dims []int, lead int, room []int) []int {
	if len(dims) == 1 && dims[0] > fewPlaces {
		return nil
	}
	places := room[:1]
	for i, n := range dims {
		inner := len(places)
		places = room[:inner*n]
		for p := inner - 1; p >= 0; p-- {
			for c := n - 1; c >= 0; c-- {
				places[p*n+c] = places[p] + c*l.strides[lead+i]
			}
		}
	}
	return places
}

// packRows copies rows of cols elements: dst[r*cols+c] = src[r*down+places[c]], or src[r*down+c*across]
// if there are no places.
func packRows[T any](dst, src unsafe.Pointer, down, across, rows, cols int, places []int) {
	size := int(unsafe.Sizeof(*new(T)))
	to := slice[T](dst, rows*cols)
	switch {
	case places != nil:
		for c, place := range places {
			from := unsafe.Add(src, place*size)
			for i, at := c, 0; i < len(to); i, at = i+cols, at+down*size {
				to[i] = *(*T)(unsafe.Add(from, at))
			}
		}
	case across == 0:
		repeatOf[T](dst, src, down, rows, cols)
	default:
		for r := range rows {
			from := unsafe.Add(src, r*down*size)
			row := to[r*cols:][:cols]
			for c := range row {
				row[c] = *(*T)(unsafe.Add(from, c*across*size))
			}
		}
	}
}

// packBytes is what a row that lies in order is copied by.
const packBytes = 16

// packWholeRows copies rows of that many bytes or more, which begin down bytes apart. The last
// copy of a row may overlap the one before it.
func packWholeRows(dst, src unsafe.Pointer, down, rows, bytes int) {
	last := bytes - packBytes
	for r := range rows {
		to, from := unsafe.Add(dst, r*bytes), unsafe.Add(src, r*down)
		for at := 0; at < last; at += packBytes {
			*(*[packBytes]byte)(unsafe.Add(to, at)) = *(*[packBytes]byte)(unsafe.Add(from, at))
		}
		*(*[packBytes]byte)(unsafe.Add(to, last)) = *(*[packBytes]byte)(unsafe.Add(from, last))
	}
}
