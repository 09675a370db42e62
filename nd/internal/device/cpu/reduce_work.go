package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
)

const (
	// chunkPoints is where a long reduction is cut, so that workers can share
	// it; the places do not depend on how many there are. A power of two.
	chunkPoints = 256 << 10

	// leafRows is how many rows are added one after the other before sums are
	// combined pairwise: enough to hide the combining, few enough to keep the
	// error small.
	leafRows = 32

	// columnsFrom is the length of a kept dimension from which it is worth
	// reducing many columns side by side.
	columnsFrom = 8

	// mostOverlapping is the longest frame, at every element, whose maximum is taken
	// as of a column: one of 3 of 65536 float64 takes 0.04 ms instead of 1, one of
	// 255 1.7 instead of 4.5. Sums keep the order of a line.
	mostOverlapping = 256
)

// reduceWork reduces in one of two ways. By lines: the reduced elements of
// an outer point are computed block by block and each block is reduced to one
// accumulator. By columns, when the elements that lie next to each other
// belong to different results: the last outer dimension is innermost, and a
// row of accumulators is kept.
type reduceWork struct {
	code    *code
	fold    fold
	value   int // place of the vector to reduce
	other   int // place of that which dot multiplies it by
	dot     dot // nil if what is reduced is no product
	columns bool
	outer   int  // outer points
	inner   int  // reduced points
	width   int  // columns: length of the last outer dimension
	piece   int  // most points of a line reduced at once
	direct  bool // elements are used where they lie, not through a register
	short   bool // lines are so short that many are reduced at once
	window  bool // they slide over what lies in memory
	inOrder bool // lines combine their elements from the first to the last
	counts  bool // values are truth values, accumulators how many are true

	valueBytes int // of an element of that vector

	post     *code
	acc      int       // place of the accumulators in post
	accType  elem.Type // of the Acc instruction
	accBytes int       // of a value in a register
}

// finish runs Post on the accumulators of n outer points from o.
func (w *reduceWork) finish(f *frame, s *scratch, acc unsafe.Pointer, o, n int) {
	mark := s.level()
	defer s.back(mark)
	values := acc
	if w.fold.result != nil {
		values = s.pointer(n * w.accBytes)
		w.fold.result(values, acc, n)
	}
	if w.accType.IsHalf() {
		raw := s.pointer(2 * n)
		narrowStep(w.post.vec, w.accType, false)(raw, values, nil, nil, n)
		widenStep(w.post.vec, w.accType)(values, raw, nil, nil, n)
	}
	for end := o + n; o < end; {
		m := w.post.blockAt(o, end)
		f.ptr[w.acc] = values
		w.post.compute(f, o, m)
		values = unsafe.Add(values, m*w.accBytes)
		o += m
	}
}

// tally combines accumulators pairwise as they come: level i holds the sum of
// 2^i of them. n accumulators stand side by side.
type tally struct {
	fold  *fold
	n     int
	room  int // the greatest n
	s     *scratch
	count int
	level [48]unsafe.Pointer // more than any count needs
}

// put adds accumulators; acc is free for the next ones afterwards.
func (t *tally) put(acc unsafe.Pointer) {
	i := 0
	for ; t.count>>i&1 == 1; i++ {
		t.fold.join(t.level[i], acc, t.n)
		acc = t.level[i]
	}
	if t.level[i] == nil {
		t.level[i] = t.s.pointer(t.room * t.fold.size)
	}
	if acc != t.level[i] {
		copy(slice[byte](t.level[i], t.n*t.fold.size), slice[byte](acc, t.n*t.fold.size))
	}
	t.count++
}

// sum is the combination of all that was put, which must be something. The
// tally is empty afterwards.
func (t *tally) sum() unsafe.Pointer {
	var acc unsafe.Pointer
	for i := range t.level {
		switch {
		case t.count>>i&1 == 0:
		case acc == nil:
			acc = t.level[i]
		default:
			t.fold.join(t.level[i], acc, t.n)
			acc = t.level[i]
		}
	}
	t.count = 0
	return acc
}
