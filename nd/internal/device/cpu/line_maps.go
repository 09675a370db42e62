package cpu

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// fuseMaps makes one of maps over the same elements of lines that lie side by
// side, where one uses what the other computes: a line program has a map for each
// time that a value is used, and on short lines going from stage to stage costs
// as much as many of them. What nobody else reads is no longer stored.
func (s *planes) fuseMaps() {
	for i := 0; i < len(s.to.Stages); i++ {
		for j := i + 1; j < len(s.to.Stages); j++ {
			if place, m := s.joined(i, j); m != nil {
				s.to.Stages[place] = *m
				s.to.Stages = slices.Delete(s.to.Stages, i+j-place, i+j-place+1)
				i--
				break
			}
		}
	}
}

// passes reports whether a stage can run before or behind those from i to j.
func (s *planes) passes(st *ir.Stage, i, j int) bool {
	return !slices.ContainsFunc(s.to.Stages[i:j], func(other ir.Stage) bool {
		return meet(other.Reads, st.Writes) || meet(other.Writes, st.Reads) || meet(other.Writes, st.Writes)
	})
}

func meet(a, b []int) bool {
	return slices.ContainsFunc(a, func(x int) bool { return slices.Contains(b, x) })
}

// pointwise reports a map from and to rows that lie as those on chip do.
func (s *planes) pointwise(st *ir.Stage) bool {
	if _, ok := st.Program.(*ir.Map); !ok || st.First != nil {
		return false
	}
	for _, slot := range slices.Concat(st.Reads, st.Writes) {
		at := &s.to.Slots[slot]
		if n := len(at.Strides); at.Kind != ir.LocalSlot && at.Kind != sharedSlot && (n == 0 || at.Strides[n-1] != 1) {
			return false
		}
	}
	return true
}

// joined is maps i and j as one, in the place of one of them; nil where that is
// not possible or gains nothing.
func (s *planes) joined(i, j int) (place int, joined *ir.Stage) {
	a, b := &s.to.Stages[i], &s.to.Stages[j]
	if !s.pointwise(a) || !s.pointwise(b) || a.Each != b.Each || !meet(b.Reads, a.Writes) ||
		meet(a.Reads, a.Writes) || meet(b.Writes, a.Reads) || meet(b.Writes, a.Writes) {
		return 0, nil
	}
	p, q := a.Program.(*ir.Map), b.Program.(*ir.Map)
	if !slices.Equal(p.Dims, q.Dims) {
		return 0, nil
	}
	switch {
	case s.passes(b, i+1, j):
		place = i
	case s.passes(a, i+1, j) && !s.endsBefore(a.Reads, j):
		place = j
	default:
		return 0, nil
	}
	m := &joining{to: &ir.Map{Dims: p.Dims}}
	if !m.add(p, a.Reads, a.Writes) || !m.add(q, b.Reads, b.Writes) {
		return 0, nil
	}
	out := &ir.Stage{Program: m.to, Reads: m.reads, Each: b.Each}
	for k, slot := range slices.Concat(a.Writes, b.Writes) {
		if k < len(a.Writes) && s.to.Slots[slot].Kind == ir.LocalSlot && !s.isRead(slot, i, j) {
			continue
		}
		out.Writes = append(out.Writes, slot)
		m.to.Out, m.to.Value = append(m.to.Out, m.written[k].operand), append(m.to.Value, m.written[k].value)
	}
	return place, out
}

// isRead reports whether a stage reads a slot, but for two of them.
func (s *planes) isRead(slot, i, j int) bool {
	for k, st := range s.to.Stages {
		if k != i && k != j && slices.Contains(st.Reads, slot) {
			return true
		}
	}
	return false
}

// endsBefore reports whether a slot on chip has its last use before stage j: what
// a map reads should not stay longer for its sake.
func (s *planes) endsBefore(slots []int, j int) bool {
	return slices.ContainsFunc(slots, func(slot int) bool {
		return s.to.Slots[slot].Kind == ir.LocalSlot && !slices.ContainsFunc(s.to.Stages[j:], func(st ir.Stage) bool {
			return slices.Contains(st.Reads, slot)
		})
	})
}

// joining is a map that codes are added to.
type joining struct {
	to      *ir.Map
	reads   []int
	written []written
}

// written is what one of the codes stores.
type written struct {
	slot    int
	operand ir.Operand
	value   int
}

// add appends the code of a map. It fails if that reads what one before it has
// written in another place along the line.
func (j *joining) add(m *ir.Map, reads, writes []int) bool {
	values, positions := make([]int, len(m.Instrs)), len(j.to.Positions)
	j.to.Positions = append(j.to.Positions, m.Positions...)
	before := j.written
	for k, i := range m.Instrs {
		switch i.Kind {
		case ir.Load:
			slot, o := reads[i.Slot], m.In[i.Slot]
			if w := slices.IndexFunc(before, func(w written) bool { return w.slot == slot }); w >= 0 {
				if !sameElements(before[w].operand, o) {
					return false
				}
				values[k] = before[w].value
				continue
			}
			i.Slot = j.operand(slot, o)
		case ir.Index:
			i.Slot += positions
		case ir.Apply:
			at := [3]*int{&i.A, &i.B, &i.C}
			for n, v := range operands(m.Instrs[k]) {
				*at[n] = values[v]
			}
		}
		values[k] = j.push(i)
	}
	for k, slot := range writes {
		j.written = append(j.written, written{slot, m.Out[k], values[m.Value[k]]})
	}
	return true
}

func sameElements(a, b ir.Operand) bool {
	return a.Type == b.Type && a.Offset == b.Offset && slices.Equal(a.Strides, b.Strides)
}

// operand is the number of an input, a new one if it is not there.
func (j *joining) operand(slot int, o ir.Operand) int {
	for k, have := range j.to.In {
		if j.reads[k] == slot && sameElements(have, o) {
			return k
		}
	}
	j.to.In, j.reads = append(j.to.In, o), append(j.reads, slot)
	return len(j.reads) - 1
}

// push gives the number of an instruction, of one that computes the same if
// there is one.
func (j *joining) push(i ir.Instr) int {
	if at := slices.Index(j.to.Instrs, i); at >= 0 {
		return at
	}
	j.to.Instrs = append(j.to.Instrs, i)
	return len(j.to.Instrs) - 1
}
