package median

import "github.com/twiddle-go/twiddle/internal/simd/vec"

// block is how many columns go through all steps together: few enough that the rows of them
// stay in the first cache.
const block = 256

// Columns gives the medians of columns: dst[i] is that of rows[j][i] for all j. Rows are an odd
// number, as long as dst, and have no NaN.
//
// It forgets: of half of the rows and two more, neither the least nor the greatest element is
// the median. They are dropped, the next row comes in, and so on until one is left. All
// steps are minima and maxima of two rows, in vectors.
func Columns[T vec.Float](k *vec.Real[T], dst []T, rows [][]T) {
	width, most := min(block, len(dst)), len(rows)/2+2
	s := selection[T]{k: k, kept: make([]row[T], 0, most), free: make([][]T, 0, most+1)}
	buffers := make([]T, width*cap(s.free))
	for from := 0; from < len(dst); from += block {
		to := min(from+block, len(dst))
		s.kept, s.free = s.kept[:0], s.free[:0]
		for i := range cap(s.free) {
			s.free = append(s.free, buffers[i*width:][:to-from])
		}
		few := most
		for _, r := range rows {
			s.kept = append(s.kept, row[T]{elements: r[from:to]})
			if len(s.kept) == few {
				s.drop()
				few--
			}
		}
		copy(dst[from:to], s.kept[0].elements)
	}
}

// row is a row of columns; it may be overwritten if it is own.
type row[T vec.Float] struct {
	elements []T
	own      bool
}

// selection is the rows that may have the median, and buffers that nobody uses.
type selection[T vec.Float] struct {
	k    *vec.Real[T]
	kept []row[T]
	free [][]T
}

// drop forgets the least and the greatest element of every column, of three or more.
func (s *selection[T]) drop() {
	last := len(s.kept) - 1
	for i := range len(s.kept) / 2 {
		s.exchange(i, last-i)
	}
	// The least is now in the first half, the greatest in the second; the middle one of an
	// odd number may be either.
	for i := 1; i < last/2; i++ {
		s.exchange(0, i)
	}
	s.replace(last/2, s.kept[0], s.k.Max.VV)
	for i := (last+1)/2 + 1; i < last; i++ {
		s.exchange(i, last)
	}
	s.replace((last+1)/2, s.kept[last], s.k.Min.VV)
	s.kept = append(s.kept[:0], s.kept[1:last]...)
}

// exchange puts the lesser elements of two rows into the first and the greater into the second.
func (s *selection[T]) exchange(low, high int) {
	a := s.kept[low]
	lesser := s.take()
	s.k.Min.VV(lesser, a.elements, s.kept[high].elements, false)
	s.replace(high, a, s.k.Max.VV)
	s.kept[low] = row[T]{lesser, true}
}

// replace computes a row anew from itself and another, which nobody needs any longer.
func (s *selection[T]) replace(i int, other row[T], of func(dst, x, y []T, stream bool)) {
	r := s.kept[i]
	if other.own {
		s.free = append(s.free, other.elements)
	}
	if !r.own {
		r.elements, r.own = s.take(), true
	}
	of(r.elements, s.kept[i].elements, other.elements, false)
	s.kept[i] = r
}

func (s *selection[T]) take() []T {
	b := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	return b
}
