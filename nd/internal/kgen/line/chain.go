package line

import (
	"maps"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// follow finds the stages in (from, end) that can run in a chain whose values
// are given, and who is served by it.
func (k *kernel) follow(values map[ir.SlotID]int, from, end int) *chain {
	c := &chain{values: values, from: from, next: -1, gives: -1}
	fresh, busy := map[ir.SlotID]bool{}, map[ir.SlotID]bool{} // slots that stages in between write, and use
	for j := from + 1; j < end; j++ {
		if k.attached[j] || k.isVirtual(j) {
			continue
		}
		s := k.p.Stages[j]
		shift, ok := k.links(c, s, fresh, busy)
		if !ok {
			for _, slot := range s.Writes {
				fresh[slot], busy[slot] = true, true
			}
			for _, slot := range s.Reads {
				busy[slot] = true
			}
			continue
		}
		c.stages = append(c.stages, link{j, shift})
		k.attached[j] = true
		m := s.Program.(*ir.Map)
		for i, slot := range s.Reads {
			if _, ok := c.values[slot]; ok || s.First != nil && slices.Contains(s.Writes, slot) {
				k.served[ir.Use{Stage: j, Operand: i}] = true
			}
		}
		for i, slot := range s.Writes {
			if s.First == nil && k.slots[slot].Writers[0] == j && len(k.slots[slot].Writers) == 1 && m.Out[i].Along() == 1 {
				c.values[slot] = shift + m.Out[i].Offset
			} else {
				fresh[slot] = true
			}
			if s.First != nil {
				k.held[slot] = &accumulator{slot: slot, element: shift + m.Out[i].Offset, chain: c}
			}
		}
	}
	return c
}

// links reports whether a stage can run in a chain, and where.
func (k *kernel) links(c *chain, s ir.Stage, fresh, busy map[ir.SlotID]bool) (shift int, ok bool) {
	m, isMap := s.Program.(*ir.Map)
	if !isMap {
		return 0, false
	}
	for i, slot := range s.Reads {
		at, passes := c.values[slot]
		switch {
		case passes:
			o := m.In[i]
			if o.Along() != 1 && m.Dims[0] != 1 || ok && at-o.Offset != shift {
				return 0, false
			}
			shift, ok = at-o.Offset, true
		case s.First != nil && slices.Contains(s.Writes, slot):
			if k.p.Slots[slot].Kind != ir.LocalSlot || len(k.slots[slot].Writers) != 1 {
				return 0, false
			}
		case k.reads(slot, fresh):
			return 0, false
		}
	}
	for _, slot := range s.Writes {
		if busy[slot] {
			return 0, false
		}
	}
	return shift, ok
}

// reads reports whether reading a slot reads one of those given, also by way
// of slots that are computed where they are read.
func (k *kernel) reads(slot ir.SlotID, given map[ir.SlotID]bool) bool {
	if given[slot] {
		return true
	}
	if m, ok := k.virtual[slot]; ok {
		return slices.ContainsFunc(k.p.Stages[m].Reads, func(s ir.SlotID) bool { return k.reads(s, given) })
	}
	return false
}

// isVirtual reports a stage that runs where its result is read.
func (k *kernel) isVirtual(stage int) bool {
	return slices.Contains(slices.Collect(maps.Values(k.virtual)), stage)
}

// run makes the chain's stages at a cell: values are those of the slot that
// starts it. It returns the values of every slot that passed by.
func (k *kernel) run(c *chain, slot ir.SlotID, at cell, v []kgen.Num) map[ir.SlotID][]kgen.Num {
	env := map[ir.SlotID][]kgen.Num{slot: v}
	maps.Copy(env, k.met)
	for _, l := range c.stages {
		s := k.p.Stages[l.stage]
		k.link(s, s.Program.(*ir.Map), l.shift, at, env)
	}
	c.calls++
	return env
}

func (k *kernel) link(s ir.Stage, m *ir.Map, shift int, at cell, env map[ir.SlotID][]kgen.Num) {
	n := m.Dims[0]
	here, ok := at.shifted(shift)
	if !ok { // neighbours that are no cell there
		k.linkSingly(s, m, shift, at, env)
		return
	}
	if here.element(here.width-1).hi() < 0 || here.element(0).lo() >= n {
		for _, slot := range s.Writes {
			env[slot] = repeated(k.zero(slot), at.width)
		}
		return
	}
	if here.width > 1 && n%here.width != 0 && here.element(here.width-1).hi() >= n {
		k.linkSingly(s, m, shift, at, env)
		return
	}
	inside, cond := k.clamped(here, n)
	load := func(i int) []kgen.Num {
		if v, ok := env[s.Reads[i]]; ok {
			return v
		}
		return k.read(s.Reads[i], m.In[i], inside)
	}
	if s.First != nil {
		k.accumulate(s, m, inside, load)
		return
	}
	values := k.code(&m.Code, load, inside, m.Value)
	for i, slot := range s.Writes {
		env[slot] = values[i]
		k.write(slot, m.Out[i], inside, values[i], both(here.at.ok, cond))
	}
}

// linkSingly is link for the elements of a cell one by one.
func (k *kernel) linkSingly(s ir.Stage, m *ir.Map, shift int, at cell, env map[ir.SlotID][]kgen.Num) {
	parts := map[ir.SlotID][]kgen.Num{}
	for j := range at.width {
		single := map[ir.SlotID][]kgen.Num{}
		for slot, v := range env {
			single[slot] = v[j : j+1]
		}
		k.singly = j
		k.link(s, m, shift, one(at.element(j)), single)
		k.singly = 0
		for slot, v := range single {
			parts[slot] = append(parts[slot], v...)
		}
	}
	for slot, v := range parts {
		env[slot] = v
	}
}

// zero is a value for elements that no stage asks for.
func (k *kernel) zero(slot ir.SlotID) kgen.Num { return zeroOf(k.p.Slots[slot].Type) }

// zeroOf is the zero of any type.
func zeroOf(t elem.Type) kgen.Num {
	switch kind := kgen.KindOf(t); {
	case t == elem.Bool:
		return kgen.Real(build.Bool(false))
	case t.IsComplex():
		return kgen.Num{Re: build.Float(kind, 0), Im: build.Float(kind, 0)}
	default:
		return kgen.Real(build.Int(kind, 0))
	}
}

// accumulate adds to registers; those of elements that a thread does not have
// are never stored.
func (k *kernel) accumulate(s ir.Stage, m *ir.Map, at cell, load func(int) []kgen.Num) {
	slot := s.Writes[0]
	acc := k.held[slot]
	registers := make([]kgen.Num, at.width)
	for j := range registers {
		registers[j] = k.register(acc, len(acc.at), 0)
		acc.at = append(acc.at, spot{acc.chain.calls, k.singly + j})
	}
	with := func(i int) []kgen.Num {
		if s.Reads[i] == slot {
			return registers
		}
		return load(i)
	}
	if k.ffts[acc.chain.from].f.Powers { // squares are rounded with the sums
		for j, z := range load(0) {
			r := registers[j].Re
			k.Set(r, build.Fma(z.Re, z.Re, build.Fma(z.Im, z.Im, r)))
		}
		return
	}
	added := k.code(&m.Code, with, at, m.Value[:1])[0]
	for j, r := range registers {
		kgen.Assign(k.Kernel, r, added[j])
	}
}

// register is a register of an accumulator: of what was added up since the last
// chain, or of chains of some level.
func (k *kernel) register(a *accumulator, i, level int) kgen.Num {
	key := [2]int{i, level}
	if _, ok := a.sums[key]; !ok {
		if a.sums == nil {
			a.sums = map[[2]int]kgen.Num{}
		}
		k.AtStart(func() {
			t := k.p.Slots[a.slot].Type
			part := func() build.Val { return k.Unset("acc", ktree.Scalar(kgen.KindOf(t))) }
			n := kgen.Real(part())
			if t.IsComplex() {
				n.Im = part()
			}
			a.sums[key] = n
		})
	}
	return a.sums[key]
}
