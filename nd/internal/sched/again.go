package sched

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// count notes that what was walked is computed, for again.
func (w *walker) count() {
	for i, n := range w.nodes {
		if w.values[i] == nil {
			n.Computed++
		}
	}
}

// again says which of the walked nodes were computed before, each time as part of
// something else, and would be computed once more: of a chain of them the last, and none
// that is only elements picked or mapped from what is there.
func (w *walker) again() []string {
	var notes []string
	costly := make([]bool, len(w.nodes)) // it takes more than a pass over elements
	last := make([]bool, len(w.nodes))   // something newer reads it
	for i, n := range w.nodes {
		if w.values[i] != nil {
			continue
		}
		costly[i] = !n.Op.IsView() && !n.Op.IsSource() && n.Op != graph.Map
		for _, in := range n.In() {
			at := w.at(in)
			costly[i] = costly[i] || costly[at]
			last[at] = last[at] || in.Computed > n.Computed
		}
	}
	for i, n := range w.nodes {
		if w.values[i] != nil || n.Computed == 0 || !costly[i] || !last[i] {
			continue
		}
		times := "once"
		if n.Computed > 1 {
			times = fmt.Sprintf("%d times", n.Computed)
		}
		notes = append(notes, fmt.Sprintf("%s -> %s %v was computed %s before, as part of other arrays, and is computed again: evaluate it by itself to keep it", n.Op, n.Type, n.Shape, times))
	}
	return notes
}
