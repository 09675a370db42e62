package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// JoinMaps makes one of maps over the same elements of lines, where one uses what
// the other computes: a line program has a map for each time that a value is used,
// and on short lines going from stage to stage costs as much as many of them. What
// nobody else reads is no longer stored. It is for lines that lie side by side:
// maps to or from buffers where they do not are left alone.
func JoinMaps(p *ir.Line) *ir.Line {
	q := *p
	q.Stages = slices.Clone(p.Stages)
	for i := 0; i < len(q.Stages); i++ {
		for j := i + 1; j < len(q.Stages); j++ {
			if place, m := joined(&q, i, j); m != nil {
				q.Stages[place] = *m
				q.Stages = slices.Delete(q.Stages, i+j-place, i+j-place+1)
				i--
				break
			}
		}
	}
	return &q
}

// pointwise reports a map from and to rows that lie as those on chip do.
func pointwise(p *ir.Line, st *ir.Stage) bool {
	if _, ok := st.Program.(*ir.Map); !ok || st.First != nil {
		return false
	}
	for _, slot := range slices.Concat(st.Reads, st.Writes) {
		at := &p.Slots[slot]
		if n := len(at.Strides); !at.OnChip() && (n == 0 || at.Strides[n-1] != 1) {
			return false
		}
	}
	return true
}

// joined is maps i and j as one, in the place of one of them; nil where that is
// not possible or gains nothing.
func joined(p *ir.Line, i, j int) (place int, joined *ir.Stage) {
	a, b := &p.Stages[i], &p.Stages[j]
	if !pointwise(p, a) || !pointwise(p, b) || a.Each != b.Each || !meet(b.Reads, a.Writes) ||
		meet(a.Reads, a.Writes) || meet(b.Writes, a.Reads) || meet(b.Writes, a.Writes) {
		return 0, nil
	}
	first, second := a.Program.(*ir.Map), b.Program.(*ir.Map)
	if !slices.Equal(first.Dims, second.Dims) {
		return 0, nil
	}
	switch {
	case passes(b, p.Stages[i+1:j]):
		place = i
	case passes(a, p.Stages[i+1:j]) && !endsBefore(p, a.Reads, j):
		place = j
	default:
		return 0, nil
	}
	m := &joining{}
	if !m.add(first, a.Reads, a.Writes) || !m.add(second, b.Reads, b.Writes) {
		return 0, nil
	}
	to := &ir.Map{Dims: first.Dims, Code: m.w.Code}
	out := &ir.Stage{Program: to, Reads: m.w.Sources, Each: b.Each}
	for k, slot := range slices.Concat(a.Writes, b.Writes) {
		if k < len(a.Writes) && p.Slots[slot].Kind == ir.LocalSlot && !isRead(p, slot, i, j) {
			continue
		}
		out.Writes = append(out.Writes, slot)
		to.Out, to.Value = append(to.Out, m.written[k].operand), append(to.Value, m.written[k].value)
	}
	return place, out
}

// isRead reports whether a stage reads a slot, but for two of them.
func isRead(p *ir.Line, slot ir.SlotID, i, j int) bool {
	return lists.Any(len(p.Stages), func(k int) bool { return k != i && k != j && slices.Contains(p.Stages[k].Reads, slot) })
}

// endsBefore reports whether a slot on chip has its last use before stage j: what
// a map reads should not stay longer for its sake.
func endsBefore(p *ir.Line, slots []ir.SlotID, j int) bool {
	return slices.ContainsFunc(slots, func(slot ir.SlotID) bool {
		return p.Slots[slot].Kind == ir.LocalSlot && !slices.ContainsFunc(p.Stages[j:], func(st ir.Stage) bool {
			return slices.Contains(st.Reads, slot)
		})
	})
}

// joining is a map that codes are added to; its sources are slots.
type joining struct {
	w       ir.Rewriter[ir.SlotID]
	written []written
}

// written is what one of the codes stores.
type written struct {
	slot    ir.SlotID
	operand ir.Operand
	value   ir.ValueID
}

// add appends the code of a map. It fails if that reads what one before it has
// written in another place along the line.
func (j *joining) add(m *ir.Map, reads, writes []ir.SlotID) bool {
	before, fits := j.written, true
	c := ir.Copying[ir.SlotID]{To: &j.w, From: &m.Code, Load: func(in ir.Instr) ir.ValueID {
		slot, o := reads[in.Slot], m.In[in.Slot]
		if w := slices.IndexFunc(before, func(w written) bool { return w.slot == slot }); w >= 0 {
			fits = fits && before[w].operand.Equal(o)
			return before[w].value
		}
		return j.w.Load(slot, o)
	}}
	c.All()
	j.written = append(j.written, lists.Make(len(writes), func(k int) written { return written{writes[k], m.Out[k], c.Value(m.Value[k])} })...)
	return fits
}
