package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// sortStores lets the sort that found the places of a Gather, in the buffer index,
// store the values as well, if that is what the Gather fetches: those of a TopK.
func (e *emitter) sortStores(pos NodeID, index BufferID) bool {
	in := e.g.In[pos]
	n, from, by := e.g.Nodes[pos], e.g.Nodes[in[0]], e.g.Nodes[in[1]]
	a, ok := by.Attr.(graph.SortAttr)
	if !ok || n.Op != graph.Gather || e.g.Leaf[in[1]] >= 0 || a.Axis != n.Attr.(graph.IndexAttr).Axis || e.g.In[in[1]][0] != in[0] || n.Stream != by.Stream {
		return false
	}
	at := len(e.plan.Steps) - 1 // mostly it is the last one
	for !slices.Contains(e.plan.Steps[at].Writes, index) {
		at--
	}
	s := &e.plan.Steps[at]
	sort, ok := s.Program.(*ir.Sort)
	if !ok || sort.Values != nil {
		return false
	}
	out := operand(n.Type, shape.Contiguous(n.Shape))
	out.Strides = pick(out.Strides, axesLast(len(from.Shape), a.Axis))
	sort.Values = &out
	s.Writes = slices.Insert(s.Writes, 0, e.newBuffer(pos))
	s.Label += " gather"
	if a.K > 0 {
		s.Label = "topk"
	}
	s.Nodes = append(s.Nodes, pos)
	return true
}
