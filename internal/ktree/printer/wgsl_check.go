package printer

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// A checked kernel looks at every index, in 64 bits. An access outside of its object
// touches nothing, or reads the first element, and is noted in a fault cell of
// FaultWords. The upper half of the cell's first word says that someone was there.

// checks declares the fault cell.
func (w *wgsl) checks() {
	w.line("@group(0) @binding(%d) var<storage, read_write> tw_cell: array<atomic<u32>>;", len(w.out.Bound))
	w.bound(Bound{Kind: BoundCell}, true)
	w.line("var<private> tw_who: vec2<u32>;")
	w.function("fn tw_find(i: vec2<u32>, n: u32, access: u32) -> i32", []string{
		"if (i.y == 0u && i.x < n) { return i32(i.x); }",
		"if (atomicExchange(&tw_cell[1], 1u) == 0u) {",
		"  atomicStore(&tw_cell[0], access); atomicStore(&tw_cell[2], i.x); atomicStore(&tw_cell[3], i.y);",
		"  atomicStore(&tw_cell[4], n); atomicStore(&tw_cell[6], tw_who.x); atomicStore(&tw_cell[7], tw_who.y);",
		"}",
		"return -1i;",
	})
}

// threadNumber is a thread's place in the grid, of 64 bits, x fastest.
func (w *wgsl) threadNumber() string {
	of := func(s string) string { return "vec2<u32>(" + s + ", 0u)" }
	rest := fmt.Sprintf("tw_add(%s, tw_mul(%s, %s))", of("tw_at.y"), of("tw_grid.y"), of("tw_at.z"))
	return fmt.Sprintf("tw_add(%s, tw_mul(%s, %s))", of("tw_at.x"), of("tw_grid.x"), rest)
}

// found is the checked index of an access: -1 if it is outside.
func (w *wgsl) found(m *flat.Mem, terms []flat.Term, at source.Pos) string {
	sum := w.num(ktree.Long, ktree.Num{})
	for i, t := range terms {
		x := w.converted(t.X.K(), ktree.Long, w.expr(t.X))
		if t.Scale != 1 {
			x = fmt.Sprintf("tw_mul(%s, %s)", bare(x), w.num(ktree.Long, ktree.Num{I: int64(t.Scale)}))
		}
		if i == 0 {
			sum = x
		} else {
			sum = fmt.Sprintf("tw_add(%s, %s)", sum, bare(x))
		}
	}
	n := fmt.Sprintf("%du", m.Len)
	if word, ok := w.lens[m]; ok {
		n = fmt.Sprintf("tw_words[%d]", word)
	} else if m.Role == ktree.Meta {
		n = fmt.Sprintf("%du", w.dims[m.Index])
	}
	w.out.Accesses = append(w.out.Accesses, Access{Pos: at, Name: m.Name})
	return fmt.Sprintf("tw_find(%s, %s, %du)", bare(sum), n, len(w.out.Accesses))
}

// looked reports memory whose indices are checked.
func (w *wgsl) looked(m *flat.Mem) bool { return w.check && m.Role != ktree.Number }

// fromStart adds where an operand's first element is to an index of type i32.
func (w *wgsl) fromStart(m *flat.Mem, index string) string {
	if at, ok := w.starts[m]; ok {
		return fmt.Sprintf("bitcast<i32>(tw_words[%d]) + %s", at, index)
	}
	return index
}

// read is the index of a load.
func (w *wgsl) read(m *flat.Mem, terms []flat.Term, at source.Pos) string {
	if !w.looked(m) {
		return w.index(m, terms)
	}
	return w.fromStart(m, fmt.Sprintf("max(%s, 0i)", w.found(m, terms, at)))
}

// write is the index of what follows, which changes memory and ends with the function
// it gives.
func (w *wgsl) write(m *flat.Mem, terms []flat.Term, at source.Pos) (index string, end func()) {
	if !w.looked(m) {
		return w.index(m, terms), func() {}
	}
	w.line("{")
	w.indent++
	w.line("let tw_to = %s;", w.found(m, terms, at))
	w.line("if (tw_to >= 0i) {")
	w.indent++
	return w.fromStart(m, "tw_to"), func() {
		w.indent--
		w.line("}")
		w.indent--
		w.line("}")
	}
}
