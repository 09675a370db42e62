package plan

import (
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// sortedBy is the sort that computes what a Gather fetches from data, if its
// indices are the positions that a sort of data found: the values of a TopK. nil
// otherwise.
func (e *emitter) sortedBy(pos NodeID, data ir.Operand) *ir.Sort {
	in := e.g.In[pos]
	n, from, index := e.g.Nodes[pos], e.g.Nodes[in[0]], e.g.Nodes[in[1]]
	a, ok := index.Attr.(graph.SortAttr)
	if !ok || n.Op != graph.Gather || e.g.Leaf[in[1]] >= 0 || !a.Arg || a.Axis != n.Attr.(graph.AxisAttr).Axis || e.g.In[in[1]][0] != in[0] {
		return nil
	}
	order := axesLast(len(from.Shape), a.Axis)
	out := operand(n.Type, shape.Contiguous(n.Shape))
	data.Strides, out.Strides = pick(data.Strides, order), pick(out.Strides, order)
	return &ir.Sort{Dims: pick(from.Shape, order), Descending: a.Descending, Keep: n.Shape[a.Axis], In: data, Out: out}
}

// sortGathered makes sorts of gathers that fetch what a sort found. A gather needs
// its line in memory, while a second sort may stay with the first on chip. It
// leaves alone what is read from a leaf, which is in memory anyway.
func sortGathered(p *Plan) {
	for i := range p.Steps {
		if s := &p.Steps[i]; s.sorted != nil && !p.Buffers[s.Reads[0]].Leaf {
			s.gathered = &gathered{s.Program, s.Reads}
			s.Program, s.Reads, s.sorted = ir.Clone(s.sorted), s.Reads[:1:1], nil
		}
	}
}

// gatherSorted takes sortGathered back where both sorts were left in memory: there
// a gather costs less than to sort again.
func gatherSorted(p *Plan) {
	found := map[BufferID]bool{} // buffers of positions that a sort by itself writes
	for i := range p.Steps {
		if s := &p.Steps[i]; s.gathered == nil {
			if _, ok := s.Program.(*ir.Sort); ok {
				found[s.Writes[0]] = true
			}
		} else if found[s.gathered.reads[1]] {
			s.Program, s.Reads, s.gathered = s.gathered.program, s.gathered.reads, nil
			ir.DropUnits(s.Program)
		}
	}
}
