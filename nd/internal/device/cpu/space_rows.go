package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// shortRow is the length of a row below which the calls for each would cost more than the copy.
const shortRow = 64

// gatherShort copies the elements of whole rows from index on, many short ones of a dimension at
// once, moves index behind them and gives their number: 0 if rows are long, few, or begun already.
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
	if lead == last {
		packRows(k, o.size, dst, src, o.strides[last-1], o.strides[last], rows, cols)
	} else {
		var at [mostPlaces]int
		places := at[:1]
		for i := lead; i <= last; i++ { // those of a row, the last dimension fastest
			inner := len(places)
			places = at[:inner*dims[i]]
			for p := inner - 1; p >= 0; p-- {
				for c := dims[i] - 1; c >= 0; c-- {
					places[p*dims[i]+c] = places[p] + c*o.strides[i]
				}
			}
		}
		packPlaces(o.size, dst, src, o.strides[lead-1], rows, places)
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

// mostPlaces bounds the places of a row that is packed place by place.
const mostPlaces = 16

// packPlaces copies rows: dst[r*len(places)+c] = src[r*down+places[c]].
func packPlaces(size int, dst, src unsafe.Pointer, down, rows int, places []int) {
	switch size {
	case 1:
		packPlacesOf[uint8](dst, src, down, rows, places)
	case 2:
		packPlacesOf[uint16](dst, src, down, rows, places)
	case 4:
		packPlacesOf[uint32](dst, src, down, rows, places)
	case 8:
		packPlacesOf[uint64](dst, src, down, rows, places)
	default:
		packPlacesOf[complex128](dst, src, down, rows, places)
	}
}

func packPlacesOf[T any](dst, src unsafe.Pointer, down, rows int, places []int) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	to := unsafe.Slice((*T)(dst), rows*len(places))
	for c, place := range places {
		from := unsafe.Add(src, place*size)
		for i, at := c, 0; i < len(to); i, at = i+len(places), at+down*size {
			to[i] = *(*T)(unsafe.Add(from, at))
		}
	}
}

// packRows copies rows of cols elements: dst[r*cols+c] = src[r*down+c*across].
func packRows(k *vec.Move, size int, dst, src unsafe.Pointer, down, across, rows, cols int) {
	if down == 0 {
		gatherLine(k, size, dst, src, across, cols)
		b := slice[byte](dst, rows*cols*size)
		for done := cols * size; done < len(b); {
			done += copy(b[done:], b[:done])
		}
		return
	}
	switch size {
	case 1:
		packRowsOf[uint8](dst, src, down, across, rows, cols)
	case 2:
		packRowsOf[uint16](dst, src, down, across, rows, cols)
	case 4:
		packRowsOf[uint32](dst, src, down, across, rows, cols)
	case 8:
		packRowsOf[uint64](dst, src, down, across, rows, cols)
	default:
		packRowsOf[complex128](dst, src, down, across, rows, cols)
	}
}

// fewColumns is how many columns are copied one after the other: rows that short have a loop of
// too few turns.
const fewColumns = 4

func packRowsOf[T any](dst, src unsafe.Pointer, down, across, rows, cols int) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	to := unsafe.Slice((*T)(dst), rows*cols)
	switch {
	case cols <= fewColumns:
		places := [fewColumns]int{0, across, 2 * across, 3 * across}
		packPlacesOf[T](dst, src, down, rows, places[:cols])
	case across == 0:
		for r := range rows {
			v := *(*T)(unsafe.Add(src, r*down*size))
			row := to[r*cols:][:cols]
			for c := range row {
				row[c] = v
			}
		}
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
