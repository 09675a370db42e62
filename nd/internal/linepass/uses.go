package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// slotUse is who writes and reads a slot: stages, in their order.
type slotUse struct{ writers, readers []int }

func usesOf(p *ir.Line) []slotUse {
	list := make([]slotUse, len(p.Slots))
	for i, s := range p.Stages {
		for _, slot := range s.Reads {
			list[slot].readers = append(list[slot].readers, i)
		}
		for _, slot := range s.Writes {
			list[slot].writers = append(list[slot].writers, i)
		}
	}
	return list
}

func meet(a, b []ir.SlotID) bool {
	return slices.ContainsFunc(a, func(x ir.SlotID) bool { return slices.Contains(b, x) })
}

// passes reports whether a stage can run before or behind some others.
func passes(st *ir.Stage, others []ir.Stage) bool {
	return !slices.ContainsFunc(others, func(other ir.Stage) bool {
		return meet(other.Reads, st.Writes) || meet(other.Writes, st.Reads) || meet(other.Writes, st.Writes)
	})
}

// along is an operand's stride over the line; 0 for an operand of one point.
func along(o ir.Operand) int {
	if len(o.Strides) == 0 {
		return 0
	}
	return o.Strides[len(o.Strides)-1]
}
