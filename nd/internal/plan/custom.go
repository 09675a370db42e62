package plan

import (
	"bytes"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// emitCustom writes a launch of a user's kernel, once for all of its outputs
// that are wanted; the others go to buffers nobody reads.
func (e *emitter) emitCustom(pos NodeID) {
	if e.bufferOf[pos] >= 0 {
		return // written with another output of its launch
	}
	n := e.g.Nodes[pos]
	l := n.Attr.(graph.CustomAttr).Launch
	c := &ir.Custom{Unit: l.Unit, Grid: l.Grid, Threadgroup: l.Threadgroup, OutShapes: l.Shapes,
		Init: l.Init, Check: l.Check, Strided: l.Strided, Limit: l.Limit, Work: l.Work}
	b := newBinding()
	var reads []BufferID
	for _, in := range e.g.In[pos] {
		buf, o := e.packed(in, l.Strided)
		reads = append(reads, buf)
		c.In = append(c.In, o)
		c.InShapes = append(c.InShapes, e.g.Nodes[in].Shape)
	}
	written := l.Unit.Writes(l.Grid, c.InShapes, l.Shapes)
	siblings := e.siblings(pos)
	var writes []BufferID
	for i, out := range l.Unit.Outputs {
		c.Out = append(c.Out, ir.Contiguous(out.Type, l.Shapes[i]))
		c.Written = append(c.Written, written[i] || l.Whole)
		if s := siblings[i]; s >= 0 {
			b.computes(s, l.Unit.Name)
			writes = append(writes, e.newBuffer(s))
			continue
		}
		writes = append(writes, e.plan.addBuffer(Buffer{Node: pos, Bytes: ir.Count(l.Shapes[i]) * out.Type.Size()}))
	}
	b.names = []string{l.Unit.Name}
	e.step(pos, c, b, reads, writes[0]).Writes = writes
}

// siblings are the nodes of all outputs of pos's launch, -1 where there is
// none. Equal launches of equal inputs count as one.
func (e *emitter) siblings(pos NodeID) []NodeID {
	n := e.g.Nodes[pos]
	l := n.Attr.(graph.CustomAttr).Launch
	own := l.AppendKey(nil)
	out := slices.Repeat([]NodeID{-1}, len(l.Unit.Outputs))
	for p, x := range e.g.Nodes {
		a, ok := x.Attr.(graph.CustomAttr)
		if !ok || !e.stored[p] || e.bufferOf[p] >= 0 || x.Stream != n.Stream || !slices.Equal(e.g.In[p], e.g.In[pos]) || out[a.Index] >= 0 {
			continue
		}
		if a.Launch == l || bytes.Equal(a.Launch.AppendKey(nil), own) {
			out[a.Index] = NodeID(p)
		}
	}
	return out
}

// packed is the buffer and operand of an input in row-major order, copied if
// it lies otherwise. With strided, only an input that walks backwards is.
func (e *emitter) packed(pos NodeID, strided bool) (BufferID, ir.Operand) {
	buf, o := e.source(pos)
	n := e.g.Nodes[pos]
	backwards := slices.ContainsFunc(o.Strides, func(s int) bool { return s < 0 })
	if o.IsPacked(n.Shape) && !backwards || strided && !backwards {
		return buf, o
	}
	dense := operand(n.Type, shape.Contiguous(n.Shape))
	m := ir.CopyOf(o, 0)
	m.Dims, m.Out[0] = slices.Clone(n.Shape), dense
	copied := e.plan.addBuffer(Buffer{Node: pos, Bytes: n.Len() * n.Type.Size()})
	e.plan.Steps = append(e.plan.Steps, Step{Program: m, Reads: []BufferID{buf}, Writes: []BufferID{copied},
		Stream: n.Stream, Label: "pack", Why: "a kernel wants its input in row-major order"})
	return copied, operand(n.Type, shape.Contiguous(n.Shape))
}
