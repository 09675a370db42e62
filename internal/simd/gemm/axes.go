package gemm

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// Axis is one of several axes that are the rows of a matrix, or its columns: Len places, Stride
// elements apart.
type Axis struct{ Len, Stride int }

// span is how far below and above their first element axes reach.
func span(axes []Axis, lo, hi int) (int, int) {
	for _, a := range axes {
		far := (a.Len - 1) * a.Stride
		lo, hi = lo+min(far, 0), hi+max(far, 0)
	}
	return lo, hi
}

// count is how many places axes have together.
func count(axes []Axis) int {
	n := 1
	for _, a := range axes {
		n *= a.Len
	}
	return n
}

// places are where the rows or columns of a factor lie in the current block, in bytes.
type places struct {
	at            []int
	along, length int // stride of the innermost axis, in numbers, and its length
}

// fill finds the places of n indices from the first one on.
func (p *places) fill(axes []Axis, size, first, n int) {
	last := axes[len(axes)-1]
	p.at, p.along, p.length = p.at[:0], last.Stride, last.Len
	for len(p.at) < n {
		i, at := (first+len(p.at))/last.Len, (first+len(p.at))%last.Len
		left := min(last.Len-at, n-len(p.at))
		at *= last.Stride
		for _, a := range slices.Backward(axes[:len(axes)-1]) {
			at += i % a.Len * a.Stride
			i /= a.Len
		}
		for range left {
			p.at = append(p.at, at*size)
			at += last.Stride
		}
	}
}

// part is n of the places.
func (p places) part(first, n int) places { return places{p.at[first:][:n], p.along, p.length} }

// nextTo is how many of the places from the first one on lie one number after the other.
func nextTo(at []int, size int) int {
	n := 1
	for n < len(at) && at[n]-at[n-1] == size {
		n++
	}
	return n
}

// patch copies rows that lie anywhere: dst[p*step+j] = src[j], offsets[p] bytes further, for p < rows and
// j < cols. It counts in float32, as strip does.
type patch func(dst, src *float32, offsets *int, step, rows, cols int)

func portablePatch(dst, src *float32, offsets *int, step, rows, cols int) {
	for p, offset := range unsafe.Slice(offsets, rows) {
		from := (*float32)(unsafe.Add(unsafe.Pointer(src), offset))
		copy(unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(dst), 4*p*step)), cols), unsafe.Slice(from, cols))
	}
}

// square is how many rows, and at most as many columns, are brought together before they are transposed.
const square = 32

// squares are rooms of that size, for numbers of 8 bytes.
var squares = sync.Pool{New: func() any { return new([square * square]float64) }}

// packPlaces does to[p*width+i] = the number at i and p, for each place i of one axis and p of the other, and fills
// the columns that are left with zeros. patch copies most numbers at a time.
func packPlaces[R float32 | float64](level simd.Level, patch patch, most int, to []R, width int, base unsafe.Pointer, i, p places) {
	size := int(unsafe.Sizeof(to[0]))
	units := size / 4
	if len(i.at) < width {
		clear(to)
	}
	switch {
	case i.along == 1 && (p.along != 1 || i.length >= p.length):
		for at := 0; at < len(i.at); {
			n := nextTo(i.at[at:], size)
			patch((*float32)(unsafe.Pointer(&to[at])), (*float32)(unsafe.Add(base, i.at[at])), &p.at[0], width*units, len(p.at), n*units)
			at += n
		}
	case p.along == 1:
		room := squares.Get().(*[square * square]float64)
		transpose := vec.For(level).Move.Transpose
		for row := 0; row < len(i.at); row += square {
			rows := min(square, len(i.at)-row)
			for at := 0; at < len(p.at); {
				n := nextTo(p.at[at:min(at+most, len(p.at))], size)
				patch((*float32)(unsafe.Pointer(room)), (*float32)(unsafe.Add(base, p.at[at])), &i.at[row], square*units, rows, n*units)
				transpose(size, unsafe.Pointer(&to[at*width+row]), unsafe.Pointer(room), width, square, rows, n, false)
				at += n
			}
		}
		squares.Put(room)
	default:
		for q, offset := range p.at {
			line, from := to[q*width:][:len(i.at)], unsafe.Add(base, offset)
			for j := range line {
				line[j] = *(*R)(unsafe.Add(from, i.at[j]))
			}
		}
	}
}
