package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// rowMap is a map of one step over rows that are too short to be blocks of
// their own in mapWork, and whose operands lie in order along a row but not
// from row to row: frames times a window. Gathering rows into a block would
// cost more than the step, so it runs once per row, with nothing else to do
// than to move on.
type rowMap struct {
	code *code
	next []rowMove
	rows int
	cols int
}

// rowMove is how far an operand moves from row to row, in bytes.
type rowMove struct{ ptr, mem, start, bytes int }

// Rows of a rowMap have at least as many elements as make a call worth it.
const rowMapFrom = 16

// compileRowMap is nil if the map is not such a one. Operands are the outputs,
// then the inputs.
func (d *Device) compileRowMap(m *kern.Map, dims []int, operands []layout, outs []output) *rowMap {
	if len(dims) != 2 || dims[1] < rowMapFrom || dims[1] >= rowsFrom || len(m.Positions) > 0 {
		return nil
	}
	c, _, err := d.compileCode(&m.Code, codeShape{dims: dims, rows: true}, operands[len(m.Out):], nil, 0, outs)
	if err != nil || len(c.steps) != 1 || c.steps[0].one || c.steps[0].chain != nil || len(c.stores) > 0 || dims[1] > c.block {
		return nil
	}
	w := &rowMap{code: c, rows: dims[0], cols: dims[1]}
	for _, o := range c.loads {
		switch {
		case o.kind == loadOnce:
		case o.kind == loadDirect:
			w.next = append(w.next, rowMove{o.ptr, o.mem, o.offset * o.size, o.strides[0] * o.size})
		default:
			return nil
		}
	}
	return w
}

func (w *rowMap) run(l *launch) error {
	if w.rows*w.cols <= inlineUpTo {
		w.part(l, l.s, 0, w.rows)
		return nil
	}
	per := max(1, partPoints(w.rows*w.cols, l.team.size)/w.cols)
	return l.team.do((w.rows+per-1)/per, l.s, func(part int, s *scratch) error {
		w.part(l, s, part*per, min((part+1)*per, w.rows))
		return nil
	})
}

// part computes the rows from..end.
func (w *rowMap) part(l *launch, s *scratch, from, end int) {
	f := w.code.begin(l, s)
	st, ptr := &w.code.steps[0], f.ptr
	for i := from; i < end; i++ {
		for _, m := range w.next { // from the start each time: a pointer never leaves its buffer
			ptr[m.ptr] = unsafe.Add(l.mem[m.mem], m.start+i*m.bytes)
		}
		st.run(ptr[st.d], ptr[st.a], ptr[st.b], ptr[st.c], w.cols)
	}
}
