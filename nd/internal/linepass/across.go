package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Across gives lines that lie side by side in a buffer, such as the frames of a
// spectrogram of (bins, frames), copies of their own: a map or a reduction reads
// them on chip, and a map writes them there. A copy is a transpose, which a device
// does by tiles, so that every cache line of the buffer is touched once for as many
// lines as it holds. A map by itself would touch it once for each of them.
func Across(p *ir.Line) *ir.Line {
	a := &across{Line: *p, uses: p.Uses(), held: map[heldLine]ir.SlotID{}}
	a.Slots, a.Stages = slices.Clone(p.Slots), nil
	for i, st := range p.Stages {
		a.add(i, st)
	}
	if len(a.Stages) == len(p.Stages) {
		return p
	}
	return &a.Line
}

// IsAcross reports a slot whose lines are neighbours in a buffer, element by
// element.
func IsAcross(p *ir.Line, slot ir.SlotID) bool {
	s, n := &p.Slots[slot], len(p.Outer)
	return !s.OnChip() && s.Margin == nil && n > 0 && p.Outer[n-1] > 1 && s.Strides[n-1] == 1
}

type across struct {
	ir.Line
	uses []ir.SlotUse
	held map[heldLine]ir.SlotID // slots on chip that hold lines of a buffer
}

// heldLine is an operand of a slot in a buffer. What a segment reads is another line
// for each.
type heldLine struct {
	slot            ir.SlotID
	offset, step, n int
	each            bool
}

// add writes stage i of the program, and the copies around it.
func (a *across) add(i int, st ir.Stage) {
	st.Reads, st.Writes = slices.Clone(st.Reads), slices.Clone(st.Writes)
	var behind []ir.Stage
	switch m, r := ofMap(st.Program), ofReduce(st.Program); {
	case st.First != nil || m != nil && IsCopy(m):
	case m != nil:
		c := ir.Clone(m).(*ir.Map)
		a.bring(c.In, &st, c.Dims[0])
		behind = a.store(i, c, &st)
		st.Program = c
	case r != nil:
		c := ir.Clone(r).(*ir.Reduce)
		a.bring(c.In, &st, c.Dims[0])
		st.Program = c
	}
	a.Stages = append(append(a.Stages, st), behind...)
}

func ofMap(p ir.Program) *ir.Map {
	m, _ := p.(*ir.Map)
	return m
}

func ofReduce(p ir.Program) *ir.Reduce {
	r, _ := p.(*ir.Reduce)
	return r
}

// IsCopy reports a map that moves elements and does nothing else.
func IsCopy(m *ir.Map) bool {
	return len(m.Out) == 1 && len(m.In) == 1 && m.Instrs[m.Value[0]].Kind == ir.Load
}

// bring lets a stage read on chip what it would read across.
func (a *across) bring(in []ir.Operand, st *ir.Stage, n int) {
	for k := range in {
		slot, step := st.Reads[k], in[k].Along()
		if step < 2 || n < 2 || !IsAcross(&a.Line, slot) {
			continue
		}
		line := heldLine{slot, in[k].Offset, step, n, st.Each}
		local, ok := a.held[line]
		if !ok {
			if len(a.uses[slot].Writers) > 0 {
				continue // written by other stages, perhaps in part
			}
			local = a.room(line, in[k])
			a.Stages = append(a.Stages, ir.Stage{Program: ir.CopyOf(in[k], n), Reads: []ir.SlotID{slot}, Writes: []ir.SlotID{local}, Each: st.Each})
		}
		st.Reads[k], in[k] = local, onChip(in[k])
	}
}

// store lets stage i, a map, write on chip what it would write across, and gives the
// copies that bring it to its buffer.
func (a *across) store(i int, m *ir.Map, st *ir.Stage) []ir.Stage {
	var list []ir.Stage
	n := m.Dims[0]
	for k, o := range m.Out {
		slot := st.Writes[k]
		if o.Along() < 2 || n < 2 || !IsAcross(&a.Line, slot) || !slices.Equal(a.uses[slot].Writers, []int{i}) {
			continue
		}
		local := a.room(heldLine{slot, o.Offset, o.Along(), n, st.Each}, o)
		st.Writes[k], m.Out[k] = local, onChip(o)
		c := ir.CopyOf(m.Out[k], n)
		c.Out[0] = o
		list = append(list, ir.Stage{Program: c, Reads: []ir.SlotID{local}, Writes: []ir.SlotID{slot}, Each: st.Each})
	}
	return list
}

// room is a slot on chip for lines of an operand.
func (a *across) room(line heldLine, o ir.Operand) ir.SlotID {
	a.held[line] = a.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: o.Type, Len: line.n})
	return a.held[line]
}

// onChip is an operand of a slot that holds its line and nothing else.
func onChip(o ir.Operand) ir.Operand {
	return ir.Operand{Type: o.Type, Strides: []int{1}}
}
