package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// SplitSpectra restates a program so that less of a line waits on chip, which
// decides how many lines a GPU's multiprocessor works on at once. The same operations
// are done on the same values, elsewhere:
//
//   - a map for several transforms is one for each, so that it runs in their loads;
//   - what a map makes of an earlier transform's results before it meets those of
//     a later one is made at once, while they are in registers, if less has to
//     wait: a modulus instead of a complex number;
//   - what a reduction makes of a transform's results is made there, too, and what it
//     makes of several lines by a map that has them in registers.
func SplitSpectra(p *ir.Line) *ir.Line {
	if p.Segments != 1 || slices.ContainsFunc(p.Stages, func(s ir.Stage) bool { return s.Each || s.First != nil }) {
		return p // between segments, slots hold what the last one left
	}
	q := &parting{Line: ir.Line{Outer: p.Outer, Segments: 1, Frames: p.Frames, Slots: slices.Clone(p.Slots)}}
	for _, s := range p.Stages {
		q.Stages = append(q.Stages, q.perTransform(p, s)...)
	}
	for i := range q.Stages {
		q.together(i)
	}
	for i := 0; i < len(q.Stages); i++ {
		i += q.early(i)
	}
	for i := 0; i < len(q.Stages); i++ {
		i += q.summands(i)
	}
	return &q.Line
}

type parting struct{ ir.Line }

// perTransform divides a map of which every result goes to one transform.
func (q *parting) perTransform(p *ir.Line, s ir.Stage) []ir.Stage {
	m, ok := s.Program.(*ir.Map)
	if !ok || len(m.Out) < 2 {
		return []ir.Stage{s}
	}
	uses := p.Uses()
	for _, slot := range s.Writes {
		u := uses[slot]
		if p.Slots[slot].Kind != ir.LocalSlot || len(u.Writers) != 1 || len(u.Readers) != 1 {
			return []ir.Stage{s}
		}
		if _, ok := p.Stages[u.Readers[0].Stage].Program.(*ir.FFT); !ok {
			return []ir.Stage{s}
		}
	}
	var list []ir.Stage
	for i, slot := range s.Writes {
		c := partOf(m, s.Reads)
		v := c.Value(m.Value[i])
		list = append(list, ir.Stage{Reads: c.To.Sources, Writes: []ir.SlotID{slot},
			Program: &ir.Map{Dims: m.Dims, Code: c.To.Code, Out: m.Out[i : i+1], Value: []ir.ValueID{v}}})
	}
	return list
}

// early takes out of the map at stage i what only needs the first of the
// transforms whose results it reads, and gives how many stages that adds.
func (q *parting) early(i int) int {
	s := q.Stages[i]
	m, ok := s.Program.(*ir.Map)
	if !ok {
		return 0
	}
	uses := q.Line.Uses()
	if slices.ContainsFunc(s.Writes, func(slot ir.SlotID) bool { return len(uses[slot].Writers) > 1 }) {
		return 0
	}
	first, last, waits := len(q.Stages), -1, 0
	for k, slot := range s.Reads {
		if w := uses[slot].Writers; len(w) > 1 || len(w) == 1 && w[0] >= i {
			return 0
		} else if len(w) == 1 {
			first, last = min(first, w[0]), max(last, w[0])
			if m.In[k].Along() != 1 || m.In[k].Offset != 0 {
				return 0
			}
		}
	}
	if _, ok := q.Stages[min(first, len(q.Stages)-1)].Program.(*ir.FFT); !ok || first >= last {
		return 0
	}
	for _, slot := range s.Reads {
		if w := uses[slot].Writers; len(w) == 1 && w[0] == first {
			waits += q.Slots[slot].Type.Size()
		}
	}
	need := needed(m, s.Reads, uses)
	carried := carriedOver(m, need, first)
	bytes := 0
	for _, v := range carried {
		if m.Instrs[v].Type.IsHalf() {
			return 0
		}
		bytes += m.Instrs[v].Type.Size()
	}
	if bytes >= waits {
		return 0
	}
	q.divide(i, m, need, first, carried)
	return 1
}

// needed is, for every value of a map's code, the last stage that writes what it
// is computed from; -1 for none.
func needed(m *ir.Map, reads []ir.SlotID, uses []ir.SlotUse) []int {
	need := make([]int, len(m.Instrs))
	for v, in := range m.Instrs {
		need[v] = -1
		switch in.Kind {
		case ir.Load:
			for _, w := range uses[reads[in.Slot]].Writers {
				need[v] = w
			}
		case ir.Apply:
			for _, a := range in.Args() {
				need[v] = max(need[v], need[*a])
			}
		}
	}
	return need
}

// carriedOver is the values, made of what stage first writes, that those made of
// later ones are computed from; instead of one that is computed from others of
// them, those.
func carriedOver(m *ir.Map, need []int, first int) []ir.ValueID {
	var list []ir.ValueID
	add := func(list []ir.ValueID, in ir.Instr) []ir.ValueID {
		for _, a := range in.Args() {
			if need[*a] >= 0 && need[*a] <= first && !slices.Contains(list, *a) {
				list = append(list, *a)
			}
		}
		return list
	}
	bytes := func(list []ir.ValueID) int {
		return lists.Sum(list, func(v ir.ValueID) int { return m.Instrs[v].Type.Size() })
	}
	for v, in := range m.Instrs {
		if need[v] > first {
			list = add(list, in)
		}
	}
	for again := true; again; {
		again = false
		for i, v := range list {
			if m.Instrs[v].Kind != ir.Apply {
				continue
			}
			if less := add(slices.Delete(slices.Clone(list), i, i+1), m.Instrs[v]); bytes(less) < bytes(list) {
				list, again = less, true
				break
			}
		}
	}
	return list
}

// divide puts what the map at stage i can do right behind stage first there, and
// what is left behind that.
func (q *parting) divide(i int, m *ir.Map, need []int, first int, carried []ir.ValueID) {
	s := q.Stages[i]
	before, behind := partOf(m, s.Reads), partOf(m, s.Reads)
	given := map[ir.ValueID]ir.SlotID{} // values that are read from slots instead of computed
	behind.Instead = func(v ir.ValueID) (ir.ValueID, bool) {
		slot, ok := given[v]
		if !ok {
			return 0, false
		}
		return behind.To.Load(slot, ir.Operand{Type: m.Instrs[v].Type, Strides: []int{1}}), true
	}
	one, two := &ir.Map{Dims: m.Dims}, &ir.Map{Dims: m.Dims}
	var early, late []ir.SlotID // slots that are written
	for k, v := range m.Value {
		if need[v] <= first {
			early = append(early, s.Writes[k])
			one.Out, one.Value = append(one.Out, m.Out[k]), append(one.Value, before.Value(v))
			if slices.Contains(carried, v) && m.Out[k].Along() == 1 && m.Out[k].Offset == 0 {
				given[v] = s.Writes[k]
			}
		}
	}
	for _, v := range carried {
		if _, ok := given[v]; ok {
			continue
		}
		slot := q.room(m.Instrs[v], m.Dims[0])
		given[v] = slot
		early = append(early, slot)
		one.Out, one.Value = append(one.Out, ir.Operand{Type: m.Instrs[v].Type, Strides: []int{1}}), append(one.Value, before.Value(v))
	}
	for k, v := range m.Value {
		if need[v] > first {
			late = append(late, s.Writes[k])
			two.Out, two.Value = append(two.Out, m.Out[k]), append(two.Value, behind.Value(v))
		}
	}
	one.Code, two.Code = before.To.Code, behind.To.Code
	q.Stages[i] = ir.Stage{Program: two, Reads: behind.To.Sources, Writes: late}
	q.Stages = slices.Insert(q.Stages, first+1, ir.Stage{Program: one, Reads: before.To.Sources, Writes: early})
}

// room is a new slot for a value of a line of n elements.
func (q *parting) room(in ir.Instr, n int) ir.SlotID {
	return q.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: in.Type, Len: n})
}

// summands lets the reduction at stage i read what it would compute from larger
// elements of a transform, and gives how many stages that adds.
func (q *parting) summands(i int) int {
	s := q.Stages[i]
	r, ok := s.Program.(*ir.Reduce)
	if !ok || len(r.In) != 1 || len(r.Positions) > 0 || len(r.Instrs) < 2 || r.In[0].Along() != 1 {
		return 0
	}
	t, from := r.Instrs[r.Value].Type, s.Reads[0]
	w := q.Line.Uses()[from].Writers
	if t.IsHalf() || len(w) != 1 || t.Size() >= q.Slots[from].Type.Size() {
		return 0
	}
	if _, ok := q.Stages[w[0]].Program.(*ir.FFT); !ok {
		return 0
	}
	n := r.Dims[0]
	slot := q.room(r.Instrs[r.Value], n)
	whole := ir.Operand{Type: t, Strides: []int{1}}
	sum := *r
	sum.Code = ir.CopyOf(whole, n).Code
	sum.Value = 0
	q.Stages[i] = ir.Stage{Program: &sum, Reads: append([]ir.SlotID{slot}, s.Reads[1:]...), Writes: s.Writes}
	for j := i - 1; j > w[0]; j-- {
		if m, k := q.sharing(j, from, r.In[0], n); m != nil {
			m.Value = append(m.Value, appended(&m.Code, &r.Code, k, r.Value))
			m.Out = append(m.Out, whole)
			q.Stages[j].Program = m
			q.Stages[j].Writes = append(slices.Clone(q.Stages[j].Writes), slot)
			return 0
		}
	}
	m := &ir.Map{Dims: []int{n}, Code: r.Code, Out: []ir.Operand{whole}, Value: []ir.ValueID{r.Value}}
	q.Stages = slices.Insert(q.Stages, i, ir.Stage{Program: m, Reads: []ir.SlotID{from}, Writes: []ir.SlotID{slot}})
	return 1
}

// sharing is a copy of the map at stage j and the operand by which it reads all
// of a line of n elements as o does, or nil if it does not.
func (q *parting) sharing(j int, slot ir.SlotID, o ir.Operand, n int) (*ir.Map, int) {
	s := q.Stages[j]
	m, ok := s.Program.(*ir.Map)
	k := slices.Index(s.Reads, slot)
	if !ok || k < 0 || m.Dims[0] != n || m.In[k].Along() != o.Along() || m.In[k].Offset != o.Offset {
		return nil, 0
	}
	return ir.Clone(m).(*ir.Map), k
}

// appended writes a code of one operand behind another, of which that is operand
// k, and gives the number of a value of it there. What both compute is computed
// once.
func appended(to, c *ir.Code, k int, wanted ir.ValueID) ir.ValueID {
	w := ir.Rewriter[ir.SlotID]{Code: *to}
	part := ir.Copying[ir.SlotID]{To: &w, From: c, Load: func(in ir.Instr) ir.ValueID {
		in.Slot = k
		return w.Add(in)
	}}
	part.All()
	*to = w.Code
	return part.Value(wanted)
}

// partOf copies some values of a map, whose operands are slots.
func partOf(m *ir.Map, reads []ir.SlotID) *ir.Copying[ir.SlotID] {
	w := &ir.Rewriter[ir.SlotID]{}
	return &ir.Copying[ir.SlotID]{To: w, From: &m.Code, Load: func(in ir.Instr) ir.ValueID { return w.Load(reads[in.Slot], m.In[in.Slot]) }}
}
