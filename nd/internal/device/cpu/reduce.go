package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
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
	columns bool
	outer   int  // outer points
	inner   int  // reduced points
	width   int  // columns: length of the last outer dimension
	piece   int  // most points of a line reduced at once
	direct  bool // elements are used where they lie, not through a register

	valueBytes int // of an element of that vector

	post     *code
	acc      int       // place of the accumulators in post
	accType  elem.Type // of the Acc instruction
	accBytes int       // of a value in a register
}

func (d *Device) compileReduce(r *ir.Reduce) (work, error) {
	outer, inner := slices.Clone(r.Outer()), slices.Clone(r.Dims[len(r.Dims)-r.Inner:])
	if ir.Count(outer) == 0 {
		return nothing{}, nil
	}
	t := r.Instrs[r.Value].Type.Compute()
	w := &reduceWork{outer: ir.Count(outer), inner: ir.Count(inner), valueBytes: t.Size()}
	var ok bool
	if w.fold, ok = foldOf(d.vec, r.Op, t); !ok {
		return nil, unsupported(r, r.Op.String()+" of "+t.String())
	}

	// The operands of Code have an outer and an inner part, those of Post
	// only an outer one. Each part is reordered and collapsed by itself.
	body := layoutsOf(r.In, r.Positions)
	operands, main := len(body), -1
	if lies := r.Layout(); lies != nil { // beside the operands, to be put in order with them
		main = operands
		body = append(body, layout{strides: lies})
	}
	tail := layoutsOf(r.Post.In, r.Post.Positions, []ir.Operand{r.Out})
	outerParts := make([]layout, 0, len(body)+len(tail))
	innerParts := make([]layout, 0, len(body))
	for _, o := range body {
		outerParts = append(outerParts, layout{o.size, o.offset, slices.Clone(o.strides[:len(outer)])})
		innerParts = append(innerParts, layout{o.size, 0, slices.Clone(o.strides[len(outer):])})
	}
	outerParts = append(outerParts, tail...)
	w.columns = w.inner > 0 && main >= 0 && arrange(outer, inner, outerParts, innerParts, main, r.Op >= ir.ArgMax)
	outer = collapsed(outer, outerParts)
	inner = collapsed(inner, innerParts)

	last := len(outer)
	dims := slices.Concat(outer, inner)
	rows := len(inner) == 1 && inner[0] >= rowsFrom
	if w.columns {
		last--
		w.width = outer[last]
		dims = slices.Concat(outer[:last], inner, outer[last:])
		rows = w.width >= rowsFrom
	}
	for i := range body {
		o, in := &outerParts[i], &innerParts[i]
		body[i] = layout{o.size, o.offset, slices.Concat(o.strides[:last], in.strides, o.strides[last:])}
	}
	tail = outerParts[len(body):]
	body = body[:operands]

	c, values, err := d.compileCode(&r.Code, codeShape{dims: dims, rows: rows}, body[:len(r.In)], body[len(r.In):], 0, nil, r.Value)
	if err != nil {
		return nil, err
	}
	w.code, w.value = c, values[r.Value].ptr
	src := r.Instrs[r.Value]
	w.direct = src.Kind == ir.Load && !src.Type.IsHalf() && len(c.steps) == 0 && len(c.loads) == 1 && c.loads[0].kind == loadDirect
	w.piece = c.block
	if w.direct {
		w.piece = chunkPoints
	}
	if r.Op <= ir.Prod && !t.IsInteger() && !(w.direct && r.Op == ir.Sum) {
		// Rounding shows where a line is cut: always there where vec.Block cuts
		// a sum, which is of real and imaginary parts side by side.
		w.piece = vec.Block
		if t.IsComplex() {
			w.piece /= 2
		}
	}

	nPost := len(r.Post.In)
	out := output{layout: tail[len(tail)-1], value: len(r.Post.Instrs) - 1, mem: len(r.In) + nPost}
	w.post, values, err = d.compileCode(&r.Post, codeShape{dims: outer, rows: len(outer) < 2}, tail[:nPost], tail[nPost:len(tail)-1], len(r.In), []output{out})
	if err != nil {
		return nil, err
	}
	w.acc, w.accType = values[0].ptr, r.Post.Instrs[0].Type
	w.accBytes = w.accType.Compute().Size()
	return w, nil
}

// arrange puts the dimensions in the order in which main lies in memory, and
// reports whether nearest neighbours belong to different results, of which
// enough lie side by side. Positions over reduced dimensions fix their order.
func arrange(outer, inner []int, outerParts, innerParts []layout, main int, positions bool) (columns bool) {
	nearest := func(dims, strides []int) int {
		least := 0
		for i, n := range dims {
			if s := max(strides[i], -strides[i]); n > 1 && s > 0 && (least == 0 || s < least) {
				least = s
			}
		}
		return least
	}
	near, far := nearest(outer, outerParts[main].strides), nearest(inner, innerParts[main].strides)
	sortByStride(outer, outerParts, main)
	if !positions {
		sortByStride(inner, innerParts, main)
	}
	return near > 0 && (far == 0 || near < far) && sideBySide(outer, outerParts[main].strides) >= columnsFrom
}

// sideBySide is how many elements the last dimensions walk as one.
func sideBySide(dims, strides []int) int {
	n, next := 1, 0
	for i := len(dims) - 1; i >= 0; i-- {
		switch {
		case dims[i] == 1:
			continue
		case next != 0 && strides[i] != next:
			return n
		}
		n *= dims[i]
		next = strides[i] * dims[i]
	}
	return n
}

// sortByStride puts the dimension with the smallest nonzero stride of operand
// main last; those it does not depend on come first.
func sortByStride(dims []int, operands []layout, main int) {
	copy(dims, over(dims, operands, func(s *ir.Space) { s.Order(main) }))
}

func (w *reduceWork) run(l *launch) error {
	switch {
	case w.inner == 0:
		return w.runEmpty(l)
	case w.columns:
		return w.runColumns(l)
	}
	return w.runLines(l)
}

// runEmpty stores identities.
func (w *reduceWork) runEmpty(l *launch) error {
	const most = 1024
	acc := l.s.pointer(min(w.outer, most) * w.fold.size)
	f := w.post.begin(l, l.s)
	for o := 0; o < w.outer; o += most {
		n := min(most, w.outer-o)
		w.fold.none(acc, n)
		w.finish(f, l.s, acc, o, n)
	}
	return nil
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
