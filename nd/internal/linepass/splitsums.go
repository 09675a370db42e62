package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// together lets the reduction at stage i, of several lines one of which is a transform's,
// read what the nearest map computes that has these lines at hand: it reads or writes
// them itself. So a spectrum need not wait on chip for a sum, and what the map and the
// summands have in common is computed once.
func (q *parting) together(i int) {
	s := q.Stages[i]
	r, ok := s.Program.(*ir.Reduce)
	if !ok || len(r.In) < 2 || len(r.Positions) > 0 {
		return
	}
	from, t := s.Reads[:len(r.In)], r.Instrs[r.Value]
	if t.Type.IsHalf() || !q.readsSpectrum(i, r, from, t.Type.Size()) {
		return
	}
	for j := i - 1; j >= 0; j-- {
		m, ok := q.Stages[j].Program.(*ir.Map)
		if !ok || m.Dims[0] != r.Dims[0] {
			continue
		}
		w := ir.Rewriter[ir.SlotID]{Code: ir.Clone(m).(*ir.Map).Code}
		sum, ok := q.atHand(&w, q.Stages[j], r, from)
		if !ok {
			continue
		}
		slot, whole := q.room(t, r.Dims[0]), ir.Operand{Type: t.Type, Strides: []int{1}}
		q.Stages[j].Program = &ir.Map{Dims: m.Dims, Code: w.Code, Out: append(slices.Clone(m.Out), whole), Value: append(slices.Clone(m.Value), sum)}
		q.Stages[j].Writes = append(slices.Clone(q.Stages[j].Writes), slot)
		plain := *r
		plain.Code, plain.Value = ir.CopyOf(whole, r.Dims[0]).Code, 0
		q.Stages[i] = ir.Stage{Program: &plain, Reads: append([]ir.SlotID{slot}, s.Reads[len(r.In):]...), Writes: s.Writes}
		return
	}
}

// readsSpectrum reports a reduction at stage i of lines that wait on chip as they were
// written, at least one of them a transform's with elements larger than a summand.
func (q *parting) readsSpectrum(i int, r *ir.Reduce, from []ir.SlotID, size int) bool {
	uses, spectra := q.Line.Uses(), 0
	for k, slot := range from {
		w := uses[slot].Writers
		if q.Slots[slot].Kind != ir.LocalSlot || len(w) != 1 || w[0] >= i || r.In[k].Along() != 1 || r.In[k].Offset != 0 {
			return false
		}
		if _, ok := q.Stages[w[0]].Program.(*ir.FFT); ok && q.Slots[slot].Type.Size() > size {
			spectra++
		}
	}
	return spectra > 0
}

// atHand writes the summands of a reduction of some slots behind the code of a map,
// which w begins with; false if the map does not have all of them.
func (q *parting) atHand(w *ir.Rewriter[ir.SlotID], s ir.Stage, r *ir.Reduce, from []ir.SlotID) (ir.ValueID, bool) {
	m, has := s.Program.(*ir.Map), true
	c := ir.Copying[ir.SlotID]{To: w, From: &r.Code, Load: func(in ir.Instr) ir.ValueID {
		slot := from[in.Slot]
		if k := slices.Index(s.Writes, slot); k >= 0 && m.Out[k].Along() == 1 && m.Out[k].Offset == 0 && m.Instrs[m.Value[k]].Type == in.Type && !in.Type.IsHalf() {
			return m.Value[k]
		}
		if k := ir.FindOperand(s.Reads, m.In, slot, r.In[in.Slot]); k >= 0 {
			in.Slot = k
			return w.Add(in)
		}
		has = false
		return 0
	}}
	return c.Value(r.Value), has
}
