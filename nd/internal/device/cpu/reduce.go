package cpu

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

func (d *Device) compileReduce(r *ir.Reduce) (work, error) {
	outer, inner := slices.Clone(r.Outer()), slices.Clone(r.Dims[len(r.Dims)-r.Inner:])
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
	if w.inner > 0 && main >= 0 {
		anyOrder := r.Op == ir.Max || r.Op == ir.Min
		w.columns = arrange(outer, inner, outerParts, innerParts, main, r.Op >= ir.ArgMax, anyOrder && w.inner <= mostOverlapping)
	}
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

	value := r.Value
	if truth := truthOf(r); truth >= 0 && !w.columns && w.inner > mostShort {
		value, w.valueBytes, w.counts = truth, 1, true
		w.fold = countFold(w.fold, t)
	}
	c, values, err := d.compileCode(&r.Code, codeShape{dims: dims, rows: rows}, body[:len(r.In)], body[len(r.In):], 0, nil, value)
	if err != nil {
		return nil, err
	}
	w.code, w.value = c, values[value].ptr
	if a, b := factors(r); a >= 0 && !w.columns && w.inner > mostShort {
		if products, values, err := d.compileCode(&r.Code, codeShape{dims: dims, rows: rows}, body[:len(r.In)], body[len(r.In):], 0, nil, a, b); err == nil && products.readsOnly() {
			w.code, w.value, w.other, w.dot = products, values[a].ptr, values[b].ptr, dotOf(d.vec, t)
			c = products
		}
	}
	src := r.Instrs[value]
	w.direct = w.dot != nil || src.Kind == ir.Load && !src.Type.IsHalf() && len(c.steps) == 0 && len(c.loads) == 1 && c.loads[0].kind == loadDirect
	w.short = !w.columns && !c.rows && w.inner > 1 && w.inner <= mostShort && foldsShort(r.Op, t)
	w.inOrder = r.Op == ir.Prod || r.Op == ir.ArgMax || r.Op == ir.ArgMin
	w.window = src.Kind == ir.Load && !w.counts && w.isWindow()
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
	out := output{layout: tail[len(tail)-1], value: r.Post.Last(), mem: len(r.In) + nPost}
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
// Where the reduced elements are as near, as in overlapping frames, the caller
// decides.
func arrange(outer, inner []int, outerParts, innerParts []layout, main int, positions, overlapping bool) (columns bool) {
	near, far := ir.Nearest(outer, outerParts[main].strides), ir.Nearest(inner, innerParts[main].strides)
	sortByStride(outer, outerParts, main)
	if !positions {
		sortByStride(inner, innerParts, main)
	}
	return near > 0 && (far == 0 || near < far || overlapping && near == far) && sideBySide(outer, outerParts[main].strides) >= columnsFrom
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
