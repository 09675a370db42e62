package printer

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// Adapters bind so many buffers, of so many bytes. A buffer that is larger has several
// bindings, its pieces. Where there are too many, some share one: what the kernel
// reads is copied next to each other before a launch, what it writes also back after
// it. Both are memory of words, reached through functions.

// BoundKind says what a binding is.
type BoundKind uint8

const (
	BoundBuffer  BoundKind = iota // Piece of Buffer
	BoundReads                    // what is joined and read
	BoundChanges                  // what is joined and written
	BoundCell                     // the fault cell
	BoundWords                    // the numbers
)

// Bound is what a binding is.
type Bound struct {
	Kind          BoundKind
	Buffer, Piece int
	Least         int // bytes of an element, which shaders insist on
}

// isSpread reports a buffer that is in pieces, or joined with others.
func (w *wgsl) isSpread(m *flat.Mem) bool {
	n, ok := w.numbers[m]
	if !ok {
		return false
	}
	if n < len(w.same) {
		n = w.same[n]
	}
	return n < len(w.pieces) && w.pieces[n] > 1 || n < len(w.joined) && w.joined[n]
}

// spread declares such a buffer.
func (w *wgsl) spread(m *flat.Mem, number int, changes bool) {
	if m.Atomic {
		w.fail("%s is atomic, and too large for a binding or one buffer too many", m.Name)
		return
	}
	name := w.name(m, m.Name)
	narrow := changes && isNarrow(m.Kind)
	var place func(at string, f func(word string) string) []string
	if number < len(w.joined) && w.joined[number] {
		from := w.take(1)
		w.out.Joins[number] = from
		memory := "tw_reads"
		if changes {
			memory = "tw_changes"
			narrow = true // as all that are written: some may be
		}
		place = func(at string, f func(string) string) []string {
			return []string{f(fmt.Sprintf("%s[tw_words[%d] + %s]", memory, from, at))}
		}
	} else {
		n := w.pieces[number]
		access, t := "read", "u32"
		if changes {
			access = "read_write"
		}
		if narrow {
			t = "atomic<u32>"
		}
		for i := range n {
			w.line("@group(0) @binding(%d) var<storage, %s> tw_piece%d_%s: array<%s>;", len(w.out.Bound), access, i, name, t)
			w.bound(Bound{Buffer: number, Piece: i, Least: 4}, changes)
		}
		place = func(at string, f func(string) string) (list []string) {
			for i := range n {
				word := f(fmt.Sprintf("tw_piece%d_%s[%s - %du]", i, name, at, i*w.pieceWords))
				if i < n-1 {
					word = fmt.Sprintf("if (%s < %du) { %s }", at, (i+1)*w.pieceWords, word)
				}
				list = append(list, word)
			}
			return list
		}
	}
	load := func(word string) string { return "return " + word + ";" }
	save := func(word string) string { return word + " = v; return;" }
	if narrow {
		load = func(word string) string { return "return atomicLoad(&" + word + ");" }
		save = func(word string) string { return "atomicStore(&" + word + ", v); return;" }
	}
	w.function(fmt.Sprintf("fn tw_word_%s(i: u32) -> u32", name), place("i", load))
	if changes {
		w.function(fmt.Sprintf("fn tw_set_%s(i: u32, v: u32)", name), place("i", save))
	}
	if changes && isNarrow(m.Kind) {
		w.function(fmt.Sprintf("fn tw_mix_%s(i: u32, keep: u32, v: u32)", name), place("i", func(word string) string {
			return fmt.Sprintf("atomicAnd(&%s, keep); atomicOr(&%s, v); return;", word, word)
		}))
	}
	w.wordAccessors(m, name, changes)
}

func (w *wgsl) function(head string, body []string) {
	w.line("%s {", head)
	for _, s := range body {
		w.line("  %s", s)
	}
	w.line("}")
}

// wordAccessors writes the functions of elements in memory whose words are reached
// through functions.
func (w *wgsl) wordAccessors(m *flat.Mem, name string, changes bool) {
	t := w.kind(m.Kind, false)
	var get, put string
	switch {
	case isNarrow(m.Kind):
		bits := m.Kind.Bits()
		each := 32 / bits
		mask := uint32(1)<<bits - 1
		shift := map[int]int{2: 1, 4: 2}[each]
		part := fmt.Sprintf("((tw_word_%s(i >> %du) >> ((i & %du) * %du)) & %du)", name, shift, each-1, bits, mask)
		get = bare(w.ofBits(m.Kind, part))
		put = fmt.Sprintf("let at = (i & %du) * %du; tw_mix_%s(i >> %du, ~(%du << at), (%s & %du) << at);",
			each-1, bits, name, shift, mask, w.toBits(m.Kind, "v"), mask)
	case isWide(m.Kind):
		get = fmt.Sprintf("vec2<u32>(tw_word_%s(2u * i), tw_word_%s(2u * i + 1u))", name, name)
		put = fmt.Sprintf("tw_set_%s(2u * i, v.x); tw_set_%s(2u * i + 1u, v.y);", name, name)
	default:
		v := "v"
		if t != "u32" {
			v = "bitcast<u32>(v)"
		}
		get = w.ofLane(m.Kind, fmt.Sprintf("tw_word_%s(i)", name))
		put = fmt.Sprintf("tw_set_%s(i, %s);", name, v)
	}
	w.line("fn tw_get_%s(i: u32) -> %s { return %s; }", name, t, bare(get))
	if changes {
		w.line("fn tw_put_%s(i: u32, v: %s) { %s }", name, t, put)
	}
}

// joins declares the memory of joined buffers.
func (w *wgsl) joins() {
	reads, changes := false, false
	for _, b := range w.buffers() {
		if b.number >= len(w.joined) || !w.joined[b.number] || w.out.Joins[b.number] < 0 {
			continue
		}
		if w.changed(b) {
			changes = true
		} else {
			reads = true
		}
	}
	if reads {
		w.line("@group(0) @binding(%d) var<storage, read> tw_reads: array<u32>;", len(w.out.Bound))
		w.bound(Bound{Kind: BoundReads}, false)
	}
	if changes {
		w.line("@group(0) @binding(%d) var<storage, read_write> tw_changes: array<atomic<u32>>;", len(w.out.Bound))
		w.bound(Bound{Kind: BoundChanges}, true)
	}
}

// changed reports a buffer that the kernel writes, by this name or another one.
func (w *wgsl) changed(b numbered) bool {
	for _, other := range w.buffers() {
		same := other.number == b.number || other.number < len(w.same) && w.same[other.number] == b.number
		if same && other.mem.Changes() {
			return true
		}
	}
	return false
}

// IsAtomic reports buffers of a kernel that threads change atomically, which can be
// neither joined nor in pieces.
func IsAtomic(p *flat.Program) (list []bool) {
	for _, m := range p.Mems {
		if m.IsOperand() && m.Role != ktree.Number && m.Role != ktree.Meta {
			list = append(list, m.Atomic)
		}
	}
	return list
}
