package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

func meet(a, b []ir.SlotID) bool {
	return slices.ContainsFunc(a, func(x ir.SlotID) bool { return slices.Contains(b, x) })
}

// passes reports whether a stage can run before or behind some others.
func passes(st *ir.Stage, others []ir.Stage) bool {
	return !slices.ContainsFunc(others, func(other ir.Stage) bool {
		return meet(other.Reads, st.Writes) || meet(other.Writes, st.Reads) || meet(other.Writes, st.Writes)
	})
}
