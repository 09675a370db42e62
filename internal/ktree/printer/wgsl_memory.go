package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// Elements of storage buffers that WGSL has no type for are parts of words: two or
// four in one, or one in two. They are reached through functions. A word of which
// threads write different parts is changed atomically.

// A group's pool, which several arrays are views of, is words for all of them.

// inWords reports memory whose elements are parts of words: of a storage buffer, or
// of the group's pool.
func (w *wgsl) inWords(m *flat.Mem) bool {
	if m.Pooled {
		return true
	}
	if !m.IsOperand() || m.Role == ktree.Number {
		return false
	}
	if w.isSpread(m) {
		return true
	}
	if m.Kind == ktree.Half && w.native {
		return false
	}
	return isNarrow(m.Kind) || isWide(m.Kind) && m.Comps > 1 || m.Comps == 3
}

// inHalves reports a buffer whose elements are floats of 16 bits for the adapter, too.
func (w *wgsl) inHalves(m *flat.Mem) bool {
	return w.halves && m.Kind == ktree.Half && m.IsOperand() && m.Role != ktree.Number && !m.Atomic && !m.Pooled && !w.isSpread(m)
}

// stored is the type of a buffer's elements.
func (w *wgsl) stored(m *flat.Mem) string {
	switch {
	case w.inHalves(m):
		return "f16"
	case w.inWords(m) && isWide(m.Kind):
		return "vec2<u32>"
	case w.inWords(m) && isNarrow(m.Kind) && m.Changes():
		return "atomic<u32>"
	case w.inWords(m):
		return "u32"
	}
	t := w.kind(m.Kind, false)
	switch {
	case m.Comps > 1 && isWide(m.Kind):
		t = fmt.Sprintf("array<%s, %d>", t, m.Comps)
	case m.Comps > 1:
		t = fmt.Sprintf("vec%d<%s>", m.Comps, t)
	}
	switch {
	case !m.Atomic:
		return t
	case m.Kind == ktree.Float:
		return "atomic<u32>"
	}
	return "atomic<" + t + ">"
}

// pooled writes the functions of an array that is a view of the pool.
func (w *wgsl) pooled(m *flat.Mem) {
	name, t := w.name(m, m.Name), w.kind(m.Kind, false)
	get := func(at string) string {
		if w.atomicPool() {
			return "atomicLoad(&tw_pool[" + at + "])"
		}
		return "tw_pool[" + at + "]"
	}
	put := func(at, v string) string {
		if w.atomicPool() {
			return fmt.Sprintf("atomicStore(&tw_pool[%s], %s);", at, v)
		}
		return fmt.Sprintf("tw_pool[%s] = %s;", at, v)
	}
	switch {
	case isNarrow(m.Kind):
		declared := *m
		declared.Pooled, declared.Role = false, ktree.Output
		w.narrow(&declared, name, "tw_pool")
	case isWide(m.Kind):
		w.line("fn tw_get_%s(i: u32) -> %s { return vec2<u32>(%s, %s); }", name, t, get("2u * i"), get("2u * i + 1u"))
		w.line("fn tw_put_%s(i: u32, v: %s) { %s %s }", name, t, put("2u * i", "v.x"), put("2u * i + 1u", "v.y"))
	default:
		v := "v"
		if t != "u32" {
			v = "bitcast<u32>(v)"
		}
		w.line("fn tw_get_%s(i: u32) -> %s { return %s; }", name, t, w.ofLane(m.Kind, get("i")))
		w.line("fn tw_put_%s(i: u32, v: %s) { %s }", name, t, put("i", v))
	}
}

// atomicPool reports that threads write parts of words of the pool.
func (w *wgsl) atomicPool() bool {
	for _, m := range w.p.Mems {
		if m.Pooled && isNarrow(m.Kind) {
			return true
		}
	}
	return false
}

// pool declares the group's pool.
func (w *wgsl) pool() {
	bytes := w.p.IR.Pool
	if bytes == 0 {
		return
	}
	t := "u32"
	if w.atomicPool() {
		t = "atomic<u32>"
	}
	w.line("var<workgroup> tw_pool: array<%s, %d>;", t, (bytes+3)/4)
	w.out.GroupBytes += (bytes + 3) / 4 * 4
}

// accessors writes the functions of a buffer in words.
func (w *wgsl) accessors(m *flat.Mem, name string) {
	t := w.kind(m.Kind, false)
	switch {
	case w.inHalves(m):
		w.line("fn tw_get_%s(i: u32) -> f32 { return f32(%s[i]); }", name, name)
		if m.Changes() {
			w.line("fn tw_put_%s(i: u32, v: f32) { %s[i] = f16(tw_half(v)); }", name, name)
		}
		return
	case isWide(m.Kind):
		w.line("fn tw_get_%s(i: u32) -> %s { return %s[i]; }", name, t, name)
		if m.Changes() {
			w.line("fn tw_put_%s(i: u32, v: %s) { %s[i] = v; }", name, t, name)
		}
		return
	case !isNarrow(m.Kind):
		w.line("fn tw_get_%s(i: u32) -> %s { return bitcast<%s>(%s[i]); }", name, t, t, name)
		if m.Changes() {
			w.line("fn tw_put_%s(i: u32, v: %s) { %s[i] = bitcast<u32>(v); }", name, t, name)
		}
		return
	}
	w.narrow(m, name, name)
}

// narrow writes the functions of elements of which several are in a word of memory.
func (w *wgsl) narrow(m *flat.Mem, name, memory string) {
	t := w.kind(m.Kind, false)
	bits := m.Kind.Bits()
	each := 32 / bits
	shift := map[int]string{2: "1u", 4: "2u"}[each]
	mask := fmt.Sprintf("%du", 1<<bits-1)
	word := fmt.Sprintf("%s[i >> %s]", memory, shift)
	if m.Changes() {
		word = "atomicLoad(&" + word + ")"
	}
	part := fmt.Sprintf("((%s >> ((i & %du) * %du)) & %s)", word, each-1, bits, mask)
	w.line("fn tw_get_%s(i: u32) -> %s { return %s; }", name, t, bare(w.ofBits(m.Kind, part)))
	if !m.Changes() {
		return
	}
	w.line("fn tw_put_%s(i: u32, v: %s) {", name, t)
	w.line("  let at = (i & %du) * %du;", each-1, bits)
	w.line("  atomicAnd(&%s[i >> %s], ~(%s << at));", memory, shift, mask)
	w.line("  atomicOr(&%s[i >> %s], (%s & %s) << at);", memory, shift, w.toBits(m.Kind, "v"), mask)
	w.line("}")
}

// ofBits is a value of less than 32 bits in a u32; toBits the reverse.
func (w *wgsl) ofBits(k ktree.Kind, s string) string {
	switch k {
	case ktree.Bool:
		return "(" + s + " != 0u)"
	case ktree.Half:
		return "tw_half_of(" + bare(s) + ")"
	case ktree.Bfloat:
		return "tw_bfloat_of(" + bare(s) + ")"
	case ktree.Char, ktree.Short:
		return w.wrapped(k, "bitcast<i32>("+bare(s)+")")
	}
	return s
}

func (w *wgsl) toBits(k ktree.Kind, s string) string {
	switch k {
	case ktree.Bool:
		return "select(0u, 1u, " + s + ")"
	case ktree.Half:
		return "tw_half_bits(" + s + ")"
	case ktree.Bfloat:
		return "tw_bfloat_bits(" + s + ")"
	case ktree.Char, ktree.Short:
		return "bitcast<u32>(" + s + ")"
	}
	return s
}

// element is a place: an element, or a component of one.
func (w *wgsl) element(m *flat.Mem, index string, comp int) string {
	s := w.name(m, m.Name) + "[" + index + "]"
	switch {
	case m.Comps > 1 && isWide(m.Kind):
		s += fmt.Sprintf("[%d]", comp)
	case m.Comps > 1:
		s += "." + "xyzw"[comp:comp+1]
	}
	return s
}

// part is the number of a component among all of a buffer.
func (w *wgsl) part(m *flat.Mem, index string, comp int) string {
	at := "u32(" + index + ")"
	if m.Comps > 1 {
		at = fmt.Sprintf("%s * %du + %du", at, m.Comps, comp)
	}
	return at
}

func (w *wgsl) load(x *flat.Load) string {
	m := x.Mem
	if m.Role == ktree.Number || m.Role == ktree.Meta && w.device {
		return w.number(x)
	}
	at := w.read(m, x.Terms, x.Pos)
	switch {
	case w.inWords(m):
		return fmt.Sprintf("tw_get_%s(%s)", w.name(m, m.Name), w.part(m, at, x.Comp))
	case m.Atomic && m.Kind == ktree.Float:
		return fmt.Sprintf("bitcast<f32>(atomicLoad(&%s))", w.element(m, at, 0))
	case m.Atomic:
		return fmt.Sprintf("atomicLoad(&%s)", w.element(m, at, 0))
	}
	return w.element(m, at, x.Comp)
}

func (w *wgsl) store(s *flat.Store) {
	m, v := s.Mem, bare(w.expr(s.X))
	at, end := w.write(m, s.Terms, s.Pos)
	if w.inWords(m) {
		w.line("tw_put_%s(%s, %s);", w.name(m, m.Name), w.part(m, at, s.Comp), v)
	} else {
		w.line("%s = %s;", w.element(m, at, s.Comp), v)
	}
	end()
}

// number is what a kernel is given by value: a word, or two.
func (w *wgsl) number(x *flat.Load) string {
	m := x.Mem
	each := 1
	if isWide(m.Kind) {
		each = 2
	}
	at := fmt.Sprint(w.words[m] + x.Comp*each)
	if m.Role == ktree.Meta && len(x.Terms) > 0 {
		at = fmt.Sprintf("%d + %s", w.words[m], scaledBy(w.read(m, x.Terms, x.Pos), each))
	}
	switch {
	case each == 2:
		return fmt.Sprintf("vec2<u32>(tw_words[%s], tw_words[%s + 1])", at, at)
	case m.Kind == ktree.Bool:
		return fmt.Sprintf("(tw_words[%s] != 0u)", at)
	case w.kind(m.Kind, false) == "u32":
		return fmt.Sprintf("tw_words[%s]", at)
	}
	return fmt.Sprintf("bitcast<%s>(tw_words[%s])", w.kind(m.Kind, false), at)
}

func scaledBy(index string, by int) string {
	if by == 1 {
		return "(" + index + ")"
	}
	return fmt.Sprintf("(%s) * %d", index, by)
}

// index sums terms; mixed signs meet as i32.
func (w *wgsl) index(m *flat.Mem, terms []flat.Term) string {
	from := ""
	if at, ok := w.starts[m]; ok {
		from = fmt.Sprintf("bitcast<i32>(tw_words[%d])", at)
	}
	if len(terms) == 0 && from == "" {
		return "0"
	}
	signed := from != ""
	for _, t := range terms {
		if t.X.K() != ktree.Uint {
			signed = true
		}
	}
	var parts []string
	if from != "" {
		parts = append(parts, from)
	}
	for _, t := range terms {
		s := w.offset(t.X)
		if signed && t.X.K() == ktree.Uint {
			s = "i32(" + s + ")"
		}
		if t.Scale != 1 {
			suffix := "u"
			if signed {
				suffix = "i"
			}
			s = fmt.Sprintf("%s * %d%s", s, t.Scale, suffix)
		}
		parts = append(parts, s)
	}
	return bare(strings.Join(parts, " + "))
}

// offset prints an index as i32 or u32: sums and products of long numbers are those
// of their lower words.
func (w *wgsl) offset(x flat.Expr) string {
	if x.K() != ktree.Long && x.K() != ktree.Ulong {
		if k := w.kind(x.K(), false); k != "i32" && x.K() != ktree.Uint {
			return "i32(" + bare(w.expr(x)) + ")"
		}
		return w.expr(x)
	}
	switch x := x.(type) {
	case *flat.Const:
		return w.num(ktree.Int, x.Val)
	case *flat.Use:
		if x.Var.Offset {
			return w.name(x.Var, x.Var.Name)
		}
	case *flat.Conv:
		switch k := x.X.K(); {
		case k == ktree.Int:
			return w.expr(x.X)
		case k.IsInt():
			return "i32(" + bare(w.offset(x.X)) + ")"
		}
	case *flat.Bin:
		if x.Op == ktree.Add || x.Op == ktree.Sub || x.Op == ktree.Mul {
			return fmt.Sprintf("(%s %s %s)", w.offset(x.X), x.Op, w.offset(x.Y))
		}
	case *flat.Un:
		if x.Op == ktree.Neg {
			return "(-" + w.offset(x.X) + ")"
		}
	}
	return "bitcast<i32>(" + w.expr(x) + ".x)"
}
