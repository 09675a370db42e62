package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// pointer is the name of the pointer to a slot's line.
func (k *kernel) pointer(slot int) string {
	if h, ok := k.homes[slot]; ok {
		return h.name
	}
	return k.global(slot)
}

// global is the pointer to a line in a buffer.
func (k *kernel) global(slot int) string {
	switch {
	case k.inSegments && k.p.Slots[slot].Segment != 0:
		return fmt.Sprintf("g%d", slot)
	case k.inSegments && k.p.Slots[slot].Kind == ir.InSlot:
		return fmt.Sprintf("(s%d + fresh)", slot)
	}
	return fmt.Sprintf("s%d", slot)
}

// where is the element an operand has at a place.
func where(o ir.Operand, at place) string {
	switch along(o) {
	case 0:
		return fmt.Sprint(o.Offset)
	case 1:
		return at.plus(o.Offset).String()
	}
	return fmt.Sprintf("%d * %s + %d", along(o), at, o.Offset)
}

// read gives the values of an operand of a slot at a cell.
func (k *kernel) read(slot int, o ir.Operand, c cell) []string {
	if m, ok := k.virtual[slot]; ok {
		return k.evaluated(m, o, c)
	}
	t := k.p.Slots[slot].Type
	if v, ok := k.scalars[slot]; ok {
		return repeated(v, c.width)
	}
	if k.keeps && k.kept != nil && k.p.Slots[slot].Kind == ir.InSlot {
		key := fmt.Sprint(slot, where(o, c.element(0)), c.width)
		if _, ok := k.kept[key]; !ok {
			k.keeps = false
			k.kept[key] = k.read(slot, o, c)
			k.keeps = true
		}
		return k.kept[key]
	}
	_, shared := k.homes[slot]
	if shared {
		k.guard.beforeRead(k.text, k.pointer(slot))
	}
	if along(o) == 0 && c.width > 1 {
		v := k.read(slot, o, one(c.at))
		return repeated(v[0], c.width)
	}
	if k.inPairs(slot, o, c) {
		pair := "c64"
		if t == elem.Float64 {
			pair = "c128"
		}
		s, _ := c.shifted(o.Offset)
		v := k.let(pair, "((const %s*)%s)[%s]", pair, k.pointer(slot), s.at)
		return []string{v + ".re", v + ".im"}
	}
	var out []string
	for j := range c.width {
		at := where(o, c.element(j))
		m := k.p.Slots[slot].Margin
		there := m == nil || k.whole
		if !there && m.Rule != ir.Constant {
			at = fmt.Sprintf("%s(run%d + (%s), length%d) - run%d", k.uses.Part(sourceOf(m.Rule)), slot, at, slot, slot)
		}
		x := k.uses.Get(t, fmt.Sprintf("%s[%s]", k.pointer(slot), at))
		if !there && m.Rule == ir.Constant {
			x = fmt.Sprintf("(u64)(run%d + (%s)) < (u64)length%d ? %s : fill%d", slot, at, slot, x, slot)
		}
		out = append(out, k.let(emit.Value(t), "%s", x))
	}
	return out
}

// sourceOf is the function of a rule: from a place of a line to one in its run.
func sourceOf(r ir.Rule) string {
	return [...]string{ir.Reflect: "source_reflect", ir.Edge: "source_edge", ir.Wrap: "source_wrap"}[r]
}

func repeated(v string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// inPairs reports that the elements of a cell may be read or written as one:
// they are neighbours, and the first is always at an even place.
func (k *kernel) inPairs(slot int, o ir.Operand, c cell) bool {
	s := k.p.Slots[slot]
	if c.width != 2 || s.Margin != nil && !k.whole || along(o) != 1 || o.Offset%2 != 0 || s.Type != elem.Float32 && s.Type != elem.Float64 {
		return false
	}
	if _, shared := k.homes[slot]; shared {
		return true
	}
	even := s.Offset%2 == 0 && s.Segment%2 == 0
	for _, n := range s.Strides {
		even = even && n%2 == 0
	}
	return even
}

// write stores values of an operand of a slot at a cell, in the buffer and on
// chip, as far as the slot is there.
func (k *kernel) write(slot int, o ir.Operand, c cell, v []string, ok string) {
	s := k.p.Slots[slot]
	ok = both(c.at.ok, ok)
	put := func(pointer, ok string, pairs bool) {
		if pairs {
			pair := "c64"
			if s.Type == elem.Float64 {
				pair = "c128"
			}
			at, _ := c.shifted(o.Offset)
			k.when(ok, "((%s*)%s)[%s] = %s{%s, %s};", pair, pointer, at.at, pair, v[0], v[1])
			return
		}
		for j := range c.width {
			k.when(ok, "%s[%s] = %s;", pointer, where(o, c.element(j)), k.uses.Put(s.Type, v[j]))
		}
	}
	if _, staged := k.staged[slot]; staged {
		k.guard.beforeWrite(k.text, swapped)
		put(k.scratch(emit.Memory(s.Type)), ok, false)
		return
	}
	if h, shared := k.homes[slot]; shared {
		k.guard.beforeWrite(k.text, h.name)
		put(h.name, ok, k.inPairs(slot, o, c))
	}
	if s.Kind == ir.OutSlot {
		h, shared := k.homes[slot]
		delete(k.homes, slot)
		put(k.global(slot), both(k.alive(), ok), k.inPairs(slot, o, c))
		if shared {
			k.homes[slot] = h
		}
	}
}

// evaluated computes a slot that is never stored: the map m at the cell that
// an operand of the slot reads.
func (k *kernel) evaluated(m int, o ir.Operand, c cell) []string {
	s := k.p.Stages[m]
	p := s.Program.(*ir.Map)
	shift := o.Offset - p.Out[0].Offset
	at, ok := c.shifted(shift)
	if !ok {
		var out []string
		for j := range c.width {
			out = append(out, k.evaluated(m, o, one(c.element(j)))...)
		}
		return out
	}
	return k.code(&p.Code, func(slot int) []string { return k.read(s.Reads[slot], p.In[slot], at) }, at, p.Value[:1])[0]
}

// code writes a code at a cell. It gives, for every wanted instruction, the
// values at the cell's elements.
func (k *kernel) code(c *ir.Code, load func(operand int) []string, at cell, wanted []int) [][]string {
	loaded := map[int][]string{}
	for _, slot := range emit.Needed(c, wanted...) {
		loaded[slot] = load(slot)
	}
	for _, a := range emit.ArgSlots(c) {
		k.args[a] = true
	}
	out := make([][]string, len(wanted))
	for j := range at.width {
		s := k.uses.Code(c, emit.Spelling{
			Prefix: k.name("u") + "_",
			Load:   func(slot int) string { return loaded[slot][j] },
			Index:  func(slot int) string { return where(c.Positions[slot], at.element(j)) },
			Near:   k.near,
		}, wanted...)
		k.paste(s.Head + s.Body)
		for i, w := range wanted {
			out[i] = append(out[i], s.Names[w])
		}
	}
	return out
}
