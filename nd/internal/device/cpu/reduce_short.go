package cpu

import (
	"math/bits"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Lines of a few elements are reduced many at once: their first elements are brought side by
// side, their second ones, and so on, and whole columns are combined, in the order in which
// a line by itself combines its elements. One by one, a line of three takes as long as 30
// elements of a long one.

// mostShort is the longest line that is reduced so: not more than the running sums of a
// line, so that every element has one of its own.
const mostShort = 16

// foldsShort reports folds that combine two columns as they combine two elements of a line. Products
// of complex numbers round differently in vectors.
func foldsShort(op ir.ReduceOp, t elem.Type) bool { return op != ir.Prod || !t.IsComplex() }

// foldShort reduces m lines that lie one after the other at x. room has as many bytes as they do.
func (w *reduceWork) foldShort(acc, x, room unsafe.Pointer, m int) {
	n := w.inner
	w.code.vec.Move.Transpose(w.valueBytes, room, x, m, n, m, n, false)
	column := func(i int) unsafe.Pointer { return unsafe.Add(room, i*m*w.valueBytes) }
	if w.inOrder {
		w.fold.start(acc, column(0), m, 0)
		for i := 1; i < n; i++ {
			w.fold.add(acc, column(i), m, i)
		}
		return
	}
	half := halfOf(n)
	for i := range n - half {
		w.fold.join(column(i), column(i+half), m)
	}
	w.joinColumns(acc, column, half, m)
}

// A window that slides over what lies in memory has all of its first elements side by side
// already, so its columns are read where they lie, and nothing is brought anywhere.

// mostWindow is the longest window that is reduced so.
func mostWindow(bytes int) int { return min(64, 256/bytes) } // a line's running sums are 256 bytes

// isWindow reports such a reduction. The only operand's last outer dimension and the reduced one
// walk the same elements.
func (w *reduceWork) isWindow() bool {
	c := w.code
	if w.columns || w.inOrder || len(c.steps) > 0 || len(c.loads) != 1 || c.loads[0].kind == loadOnce || c.loads[0].ptr != w.value {
		return false
	}
	last := len(c.dims) - 1
	o := &c.loads[0]
	return last > 0 && c.dims[last] == w.inner && w.inner > 1 && w.inner <= mostWindow(w.valueBytes) &&
		o.size == w.valueBytes && o.strides[last-1] == 1 && o.strides[last] > 0 && c.dims[last-1] >= columnsFrom
}

// windows reduces and stores the windows from..end.
func (w *reduceWork) windows(f, post *frame, s *scratch, from, end int) {
	c := w.code
	run := c.dims[len(c.dims)-2]
	batch := max(columnsFrom, windowBytes/w.valueBytes)
	acc, room := s.pointer(batch*w.fold.size), s.pointer(halfOf(w.inner)*batch*w.valueBytes)
	for o := from; o < end; {
		n := min(batch, end-o, run-o%run)
		locate(f.index, c.dims, o*w.inner)
		w.foldWindow(acc, c.loads[0].address(f.mem[c.loads[0].mem], f.index), room, n)
		w.finish(post, s, acc, o, n)
		o += n
	}
}

// foldWindow reduces m windows, the first of which begins at x. room has a
// column of m for the largest power of two below their length.
func (w *reduceWork) foldWindow(acc, x, room unsafe.Pointer, m int) {
	n, step := w.inner, w.code.loads[0].strides[len(w.code.dims)-1]
	column := func(i int) unsafe.Pointer { return unsafe.Add(room, i*m*w.valueBytes) }
	half := halfOf(n)
	for i := range half {
		copy(slice[byte](column(i), m*w.valueBytes), slice[byte](unsafe.Add(x, i*step*w.valueBytes), m*w.valueBytes))
		if i+half < n {
			w.fold.join(column(i), unsafe.Add(x, (i+half)*step*w.valueBytes), m)
		}
	}
	w.joinColumns(acc, column, half, m)
}

// windowBytes is the length of a column of them: 32 of those fit a first-level cache.
const windowBytes = 1 << 10

// halfOf is the largest power of two below n: where the running sums of a line are folded.
func halfOf(n int) int { return 1 << (bits.Len(uint(n-1)) - 1) }

// joinColumns combines n columns of m by halves.
func (w *reduceWork) joinColumns(acc unsafe.Pointer, column func(int) unsafe.Pointer, n, m int) {
	for half := n / 2; half > 0; half /= 2 {
		for i := range half {
			w.fold.join(column(i), column(i+half), m)
		}
	}
	w.fold.none(acc, m) // sums begin with 0, which makes 0 of -0
	w.fold.join(acc, column(0), m)
}
