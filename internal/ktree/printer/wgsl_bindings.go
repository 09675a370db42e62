package printer

import (
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// take gives n words.
func (w *wgsl) take(n int) int {
	at := w.out.Words
	w.out.Words += n
	return at
}

// bindings declares buffers and workgroup memory, and gives numbers their words.
func (w *wgsl) bindings() {
	engine := w.p.IR.IsEngine()
	if engine {
		w.out.Numbers = make([]int, len(w.p.IR.Params))
		for i := range w.out.Numbers {
			w.out.Numbers[i] = -1
		}
	}
	w.pool()
	for _, b := range w.buffers() {
		w.numbers[b.mem] = b.number
		w.out.Joins = append(w.out.Joins, -1)
	}
	for _, m := range w.p.Mems {
		switch {
		case m.Pooled:
			w.pooled(m)
		case m.Role == ktree.Number:
			w.words[m] = w.take(m.Comps * max(m.Kind.Bits()/32, 1))
			w.out.Numbers[m.Index] = w.words[m]
		case m.Role == ktree.Meta && w.device:
			n := w.dims[m.Index] * max(m.Kind.Bits()/32, 1)
			if m.What == "ndim" {
				n = 1
			}
			w.words[m] = w.take(n)
			w.out.Metas = append(w.out.Metas, w.words[m])
		case m.IsOperand():
			if m.Role == ktree.Input && w.device {
				w.starts[m] = w.take(1)
				w.out.Starts = append(w.out.Starts, w.starts[m])
			}
			if w.check && m.Role != ktree.Meta {
				w.lens[m] = w.take(1)
				w.out.Lens = append(w.out.Lens, w.lens[m])
			}
			w.buffer(m, w.numbers[m])
		case m.Role == ktree.Local && m.Space == ktree.Threadgroup:
			w.line("var<workgroup> %s: array<%s, %d>;", w.name(m, m.Name), w.stored(m), m.Len)
			w.out.GroupBytes += m.Len * groupSize(m)
		case m.Role == ktree.Global:
			w.table(m)
		}
	}
	if w.device {
		w.out.Base = w.take(3)
		if !engine {
			w.out.Grid = w.take(3)
		}
	}
	w.joins()
	if w.check {
		w.checks()
	}
	if engine || w.device {
		w.line("@group(0) @binding(%d) var<storage, read> tw_words: array<u32>;", len(w.out.Written))
	} else {
		w.line("@group(0) @binding(%d) var<uniform> tw_grid: vec3<u32>;", len(w.out.Written))
	}
	w.bound(Bound{Kind: BoundWords}, false)
	w.line("")
}

// bound notes what a binding is.
func (w *wgsl) bound(b Bound, written bool) {
	w.out.Bound, w.out.Written = append(w.out.Bound, b), append(w.out.Written, written)
}

// groupSize is the bytes of an element in workgroup memory.
func groupSize(m *flat.Mem) int {
	each := 4
	if isWide(m.Kind) {
		each = 8
	}
	comps := m.Comps
	if comps == 3 {
		comps = 4
	}
	return each * comps
}

// buffer declares the buffer of that number, unless it is another one.
func (w *wgsl) buffer(m *flat.Mem, number int) {
	changes := m.Changes()
	if number < len(w.same) && w.same[number] != number {
		for _, first := range w.buffers()[:number] {
			if first.number == w.same[number] {
				w.names[m] = w.names[first.mem]
				return
			}
		}
	}
	access := "read"
	for _, other := range w.buffers() {
		if other.number < len(w.same) && w.same[other.number] == number {
			changes = changes || other.mem.Changes()
		}
	}
	if w.isSpread(m) {
		w.spread(m, number, changes)
		return
	}
	// Accesses of one that only another name writes are those of a written one.
	declared := *m
	if changes {
		access = "read_write"
		if m.Role == ktree.Input {
			declared.Role = ktree.Output
		}
		declared.ReadOnly = false
	}
	name := w.name(m, m.Name)
	w.line("@group(0) @binding(%d) var<storage, %s> %s: array<%s>;", len(w.out.Written), access, name, w.stored(&declared))
	if w.inWords(m) {
		w.accessors(&declared, name)
	}
	w.bound(Bound{Buffer: number, Least: w.stride(m)}, changes)
}

// stride is how far elements of a buffer are apart.
func (w *wgsl) stride(m *flat.Mem) int {
	switch {
	case w.inHalves(m):
		return 2
	case w.inWords(m) && isWide(m.Kind):
		return 8
	case w.inWords(m):
		return 4
	}
	return groupSize(m)
}

type numbered struct {
	number int
	mem    *flat.Mem
}

// buffers lists the operands that are buffers, in order.
func (w *wgsl) buffers() (list []numbered) {
	for _, m := range w.p.Mems {
		if m.IsOperand() && m.Role != ktree.Number && !(m.Role == ktree.Meta && w.device) {
			list = append(list, numbered{len(list), m})
		}
	}
	return list
}

// table declares constants.
func (w *wgsl) table(m *flat.Mem) {
	t := w.stored(m)
	var vals []string
	for i := 0; i < len(m.Values); i += m.Comps {
		var part []string
		for _, v := range m.Values[i : i+m.Comps] {
			part = append(part, w.num(m.Kind, v))
		}
		s := strings.Join(part, ", ")
		if m.Comps > 1 {
			s = t + "(" + s + ")"
		}
		vals = append(vals, s)
	}
	w.line("const %s = array<%s, %d>(%s);", w.name(m, m.Name), t, m.Len, strings.Join(vals, ", "))
}
