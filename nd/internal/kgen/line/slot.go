package line

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// pointer is the pointer to a slot's line.
func (k *kernel) pointer(slot ir.SlotID) build.Val {
	if _, ok := k.homes[slot]; ok {
		return k.chip(slot)
	}
	if k.carried[slot] {
		return k.swap(kgen.MemoryOf(k.p.Slots[slot].Type))
	}
	return k.global(slot)
}

// chip is the pointer to a slot's line in shared memory.
func (k *kernel) chip(slot ir.SlotID) build.Val {
	return k.room(kgen.MemoryOf(k.p.Slots[slot].Type), k.homes[slot].offset)
}

// global is the pointer to a line in a buffer.
func (k *kernel) global(slot ir.SlotID) build.Val {
	switch {
	case !k.fresh.IsNil() && k.p.Slots[slot].Segment != 0:
		return k.parts[slot]
	case !k.fresh.IsNil() && k.p.Slots[slot].Kind == ir.InSlot:
		return k.at[slot].Plus(k.fresh)
	}
	return k.at[slot]
}

// read gives the values of an operand of a slot at a cell.
func (k *kernel) read(slot ir.SlotID, o ir.Operand, c cell) []kgen.Num {
	if m, ok := k.virtual[slot]; ok {
		return k.evaluated(m, o, c)
	}
	t := k.p.Slots[slot].Type
	if v, ok := k.scalars[slot]; ok {
		return repeated(v, c.width)
	}
	if k.keeps && k.kept != nil && k.p.Slots[slot].Kind == ir.InSlot {
		base, add := parted(c.at.at)
		key := loaded{slot: slot, offset: o.Offset, along: o.Along(), width: c.width, add: add}
		if r, ok := base.E.(*ktree.Ref); ok {
			key.base = r.Var
		}
		if _, ok := k.kept[key]; !ok {
			k.keeps = false
			k.kept[key] = k.read(slot, o, c)
			k.keeps = true
		}
		return k.kept[key]
	}
	if h, shared := k.homes[slot]; shared {
		k.guard.beforeRead(h.name)
	}
	if k.carried[slot] {
		k.guard.beforeRead(swapped)
	}
	if o.Along() == 0 && c.width > 1 {
		return repeated(k.read(slot, o, one(c.at))[0], c.width)
	}
	if k.inPairs(slot, o, c) {
		pair := k.Array("pair", kgen.MemoryOf(t), 2)
		k.Move(pair.At(0), k.pointer(slot).At(where(o, c.element(0))), 2)
		return []kgen.Num{kgen.Get(t, pair.At(0)), kgen.Get(t, pair.At(1))}
	}
	return lists.Make(c.width, func(j int) kgen.Num { return k.element(slot, where(o, c.element(j))) })
}

// element is one element of a slot, also where a margin's rule has it.
func (k *kernel) element(slot ir.SlotID, at build.Val) kgen.Num {
	t, m, from := k.p.Slots[slot].Type, k.p.Slots[slot].Margin, k.pointer(slot)
	if m == nil || k.whole {
		return k.valueAt(t, from.At(at))
	}
	source := k.Let("source", k.runs[slot].Add(at.To(k.positions())))
	if m.Rule != ir.Constant {
		return k.valueAt(t, from.At(sourceOf(m.Rule, source, k.lengths[slot]).Sub(k.runs[slot])))
	}
	there := k.Let("there", source.To(k.sizes()).Lt(k.lengths[slot].To(k.sizes())))
	x := kgen.Get(t, from.At(at))
	fill := k.fills[slot]
	if t.IsComplex() {
		v := k.Let("x", there.Choose(from.At(at), build.Vec(fill.Re, fill.Im)))
		return kgen.Num{Re: v.X(), Im: v.Y()}
	}
	return kgen.Real(k.Let("x", there.Choose(x.Re, fill.Re)))
}

// valueAt is the value of an element of memory, named.
func (k *kernel) valueAt(t elem.Type, from build.Val) kgen.Num {
	if t.IsComplex() {
		if k.once {
			from = build.Once(from)
		}
		from = k.Let("z", from)
	}
	return kgen.Named(k.Kernel, "x", kgen.Get(t, from))
}

// sourceOf is where in a run of n elements a place is by a rule that may be beyond
// it.
func sourceOf(r ir.Rule, at, n build.Val) build.Val {
	switch r {
	case ir.Reflect:
		return at.Lt(0).Choose(at.Neg(), at.Lt(n).Choose(at, n.Sub(1).Mul(2).Sub(at)))
	case ir.Edge:
		return at.Lt(0).Choose(0, at.Lt(n).Choose(at, n.Sub(1)))
	}
	return at.Lt(0).Choose(at.Add(n), at.Lt(n).Choose(at, at.Sub(n)))
}

func repeated(v kgen.Num, n int) []kgen.Num {
	return slices.Repeat([]kgen.Num{v}, n)
}

// inPairs reports that the elements of a cell may be read or written as one:
// they are neighbours, and the first is always at an even place.
func (k *kernel) inPairs(slot ir.SlotID, o ir.Operand, c cell) bool {
	s := k.p.Slots[slot]
	if c.width != 2 || s.Margin != nil && !k.whole || o.Along() != 1 || o.Offset%2 != 0 || !s.Type.IsFloat() || s.Type.IsHalf() && !k.target.Wide {
		return false
	}
	if _, shared := k.homes[slot]; shared || k.carried[slot] {
		return true
	}
	return s.Offset%2 == 0 && s.Segment%2 == 0 && !slices.ContainsFunc(s.Strides, func(n int) bool { return n%2 != 0 })
}

// write stores values of an operand of a slot at a cell, in the buffer and on
// chip, as far as the slot is there.
func (k *kernel) write(slot ir.SlotID, o ir.Operand, c cell, v []kgen.Num, ok build.Val) {
	s := k.p.Slots[slot]
	ok = both(c.at.ok, ok)
	put := func(pointer, ok build.Val, pairs bool) {
		k.when(ok, func() {
			if pairs {
				pair := k.Array("pair", kgen.MemoryOf(s.Type), 2)
				k.Set(pair.At(0), kgen.Put(s.Type, v[0]))
				k.Set(pair.At(1), kgen.Put(s.Type, v[1]))
				k.Move(pointer.At(where(o, c.element(0))), pair.At(0), 2)
				return
			}
			for j := range c.width {
				k.Set(pointer.At(where(o, c.element(j))), kgen.Put(s.Type, v[j]))
			}
		})
	}
	if _, staged := k.staged[slot]; staged || k.carried[slot] {
		if k.together {
			put(k.putTogether(slot), ok, false)
			return
		}
		k.guard.beforeWrite(swapped)
		put(k.swap(kgen.MemoryOf(s.Type)), ok, false)
		return
	}
	if h, shared := k.homes[slot]; shared {
		k.guard.beforeWrite(h.name)
		put(k.chip(slot), ok, k.inPairs(slot, o, c))
	}
	if s.Kind == ir.OutSlot && (k.pair == nil || !k.storeTurned(slot, o, c, v[0], ok)) {
		h, shared := k.homes[slot]
		delete(k.homes, slot)
		put(k.global(slot), both(k.alive(), ok), k.inPairs(slot, o, c))
		if shared {
			k.homes[slot] = h
		}
	}
}

// alive is the condition that a thread has a line to store.
func (k *kernel) alive() build.Val {
	if k.outer.turned {
		return k.live2
	}
	return k.live
}

// evaluated computes a slot that is never stored: the map m at the cell that
// an operand of the slot reads.
func (k *kernel) evaluated(m int, o ir.Operand, c cell) []kgen.Num {
	s := k.p.Stages[m]
	p := s.Program.(*ir.Map)
	shift := o.Offset - p.Out[0].Offset
	at, ok := c.shifted(shift)
	if !ok {
		return lists.Make(c.width, func(j int) kgen.Num { return k.evaluated(m, o, one(c.element(j)))[0] })
	}
	return k.code(&p.Code, func(slot int) []kgen.Num { return k.read(s.Reads[slot], p.In[slot], at) }, at, p.Value[:1])[0]
}
