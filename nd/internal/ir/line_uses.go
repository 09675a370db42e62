package ir

// SlotUse is who writes and reads a slot: stages, in their order.
type SlotUse struct {
	Writers []int
	Readers []Use
}

// Use is an operand of a stage that reads a slot.
type Use struct{ Stage, Operand int }

// Uses lists the stages and operands that use each slot.
func (p *Line) Uses() []SlotUse {
	list := make([]SlotUse, len(p.Slots))
	for i, s := range p.Stages {
		for k, slot := range s.Reads {
			list[slot].Readers = append(list[slot].Readers, Use{i, k})
		}
		for _, slot := range s.Writes {
			list[slot].Writers = append(list[slot].Writers, i)
		}
	}
	return list
}

// Along is an operand's stride over the line; 0 for an operand of one point.
func (o Operand) Along() int {
	if len(o.Strides) == 0 {
		return 0
	}
	return o.Strides[len(o.Strides)-1]
}
