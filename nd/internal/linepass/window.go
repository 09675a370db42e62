package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Windows replaces products by a window that all lines share and the real
// transforms next to them by transforms with a window, where can says that a
// transform has room for one: samples are multiplied on their way into registers
// or out of them.
func Windows(p *ir.Line, can func(*ir.FFT) bool) *ir.Line {
	q := *p
	q.Stages = slices.Clone(p.Stages)
	stages := q.Stages
	for i := range stages {
		f, ok := stages[i].Program.(*ir.FFT)
		if !ok || !f.Halved() || f.Window != nil || !can(f) {
			continue
		}
		inverse := f.Kind == ir.FFTRealInverse
		between, o := stages[i].Reads[0], f.In
		if inverse {
			between, o = stages[i].Writes[0], f.Out
		}
		at := product(&q, i, between, inverse)
		if at < 0 {
			continue
		}
		w := windowedBy(&q, &stages[at], f, between, o.Offset, inverse)
		if w == nil {
			continue
		}
		w.Each, w.Writes = stages[i].Each, stages[i].Writes
		if inverse {
			w.Reads, w.Writes, between = slices.Concat(stages[i].Reads, w.Reads), stages[at].Writes, stages[at].Writes[0]
		}
		stages[i], stages[at] = *w, without(stages[at], between)
	}
	q.Stages = slices.DeleteFunc(stages, func(st ir.Stage) bool { return len(st.Writes) == 0 })
	q.Shared = slices.DeleteFunc(slices.Clone(p.Shared), func(st ir.Stage) bool {
		return !slices.ContainsFunc(st.Writes, func(slot ir.SlotID) bool {
			return slices.ContainsFunc(q.Stages, func(user ir.Stage) bool { return slices.Contains(user.Reads, slot) })
		})
	})
	return &q
}

// product is the only other stage that touches the slot between it and transform
// i, if it can run together with that; else -1.
func product(p *ir.Line, i int, between ir.SlotID, inverse bool) int {
	stages := p.Stages
	touches := func(st ir.Stage) bool {
		return slices.Contains(st.Reads, between) || slices.Contains(st.Writes, between)
	}
	at := slices.IndexFunc(stages, touches)
	if at == i {
		at = i + 1 + slices.IndexFunc(stages[i+1:], touches)
	}
	if at == i || inverse != (at > i) || slices.ContainsFunc(stages[max(i, at)+1:], touches) || !passes(&stages[at], stages[min(i, at)+1:max(i, at)]) ||
		stages[at].Each != stages[i].Each || stages[at].First != nil || p.Slots[between].Kind != ir.LocalSlot {
		return -1
	}
	return at
}

// windowedBy is the transform with the product of a stage, nil if that is
// something else than a line times a window. The slot between them holds the line
// from offset on.
func windowedBy(p *ir.Line, st *ir.Stage, f *ir.FFT, between ir.SlotID, offset int, inverse bool) *ir.Stage {
	m, ok := st.Program.(*ir.Map)
	if !ok || m.Dims[0] != f.N {
		return nil
	}
	o := 0
	if !inverse {
		o = slices.Index(st.Writes, between)
	} else if len(m.Out) > 1 || p.Slots[st.Writes[0]].Kind != ir.LocalSlot {
		return nil
	}
	mul := m.Instrs[m.Value[o]]
	if mul.Kind != ir.Apply || mul.Op != scalar.Mul || m.Instrs[mul.A].Kind != ir.Load || m.Instrs[mul.B].Kind != ir.Load {
		return nil
	}
	out, factors := m.Out[o], [2]int{m.Instrs[mul.A].Slot, m.Instrs[mul.B].Slot}
	for i, k := range factors {
		x, w := m.In[k], m.In[factors[1-i]]
		window := spreadFrom(p, st.Reads[factors[1-i]])
		if window < 0 || w.Strides[0] != 1 || x.Strides[0] != 1 || out.Strides[0] != 1 {
			continue
		}
		switch {
		case inverse && st.Reads[k] == between && x.Offset == offset:
			t := *f
			t.Out, t.Window = out, &w
			return &ir.Stage{Program: &t, Reads: []ir.SlotID{window}}
		case !inverse && out.Offset == offset:
			t := *f
			t.In, t.Window = x, &w
			return &ir.Stage{Program: &t, Reads: []ir.SlotID{st.Reads[k], window}}
		}
	}
	return nil
}

// without is a map that does not write to a slot.
func without(st ir.Stage, slot ir.SlotID) ir.Stage {
	m := *st.Program.(*ir.Map)
	o := slices.Index(st.Writes, slot)
	m.Out, m.Value = slices.Delete(slices.Clone(m.Out), o, o+1), slices.Delete(slices.Clone(m.Value), o, o+1)
	st.Program, st.Writes = &m, slices.Delete(slices.Clone(st.Writes), o, o+1)
	return st
}

// spreadFrom is the input that fills a shared slot with all of its elements, -1 if
// there is none.
func spreadFrom(p *ir.Line, slot ir.SlotID) ir.SlotID {
	for _, st := range p.Shared {
		if m, ok := st.Program.(*ir.Map); ok && len(st.Writes) == 1 && st.Writes[0] == slot && m.In[0].Offset == 0 && m.In[0].Strides[0] == 1 {
			return st.Reads[0]
		}
	}
	return -1
}
