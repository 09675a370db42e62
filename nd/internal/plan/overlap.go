package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// emitOverlap writes the sum of overlapping frames.
func (e *emitter) emitOverlap(pos NodeID) {
	n := e.g.Nodes[pos]
	a := n.Attr.(graph.OverlapAttr)
	buf, in := e.source(e.g.In[pos][0])
	from := e.g.Nodes[e.g.In[pos][0]].Shape
	outer := len(from) - 3
	p := &ir.Overlap{
		Outer: slices.Clone(from[:outer]), Turns: from[outer], Phases: from[outer+1], Size: from[outer+2],
		Count: a.Count, Hop: a.Hop, Skip: a.Skip, Length: a.Length,
		In: in, Out: operand(n.Type, shape.Contiguous(n.Shape)),
	}
	e.program(pos, "overlap_add", p, buf)
}
