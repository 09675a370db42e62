package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// source is the buffer and operand of an input that is in memory.
func (e *emitter) source(pos NodeID) (BufferID, ir.Operand) {
	buf, v := e.place(pos, nil)
	return buf, operand(e.g.Nodes[pos].Type, v)
}

// emitGather writes Take, where the index array stands in for an axis, and
// Gather, where it has the shape of the result.
func (e *emitter) emitGather(pos NodeID) {
	n := e.g.Nodes[pos]
	axis := n.Attr.(graph.IndexAttr).Axis
	in := e.g.In[pos]
	dataBuf, data := e.source(in[0])
	indexBuf, index := e.source(in[1])
	if e.sortStores(pos, indexBuf) {
		return
	}
	from := e.g.Nodes[in[0]].Shape
	g := &ir.Gather{
		Dims: slices.Clone(n.Shape), Out: operand(n.Type, shape.Contiguous(n.Shape)),
		AxisStride: data.Strides[axis], AxisLen: from[axis],
	}
	switch n.Op {
	case graph.Take:
		after := len(from) - axis - 1
		index.Strides = slices.Concat(make([]int, axis), index.Strides, make([]int, after))
		data.Strides = slices.Concat(data.Strides[:axis], make([]int, len(n.Shape)-axis-after), data.Strides[axis+1:])
	case graph.Gather:
		data.Strides[axis] = 0
	}
	g.Data, g.Index = data, index
	e.program(pos, n.Op.String(), g, dataBuf, indexBuf)
}

// emitScatter copies the base, computed on the way, and adds to it.
func (e *emitter) emitScatter(pos NodeID) {
	n := e.g.Nodes[pos]
	axis := n.Attr.(graph.IndexAttr).Axis
	in := e.g.In[pos]
	buf := e.newBuffer(pos)
	whole := operand(n.Type, shape.Contiguous(n.Shape))

	c := e.newCoder(newBinding())
	v := c.value(in[0], nil)
	c.b.computes(pos, n.Op.String())
	m := &ir.Map{Dims: slices.Clone(n.Shape), Code: c.w.Code, Value: []ir.ValueID{v}, Out: []ir.Operand{whole}}
	e.step(pos, m, c.b, c.w.Sources, buf)

	indexBuf, index := e.source(in[1])
	updatesBuf, updates := e.source(in[2])
	out := operand(n.Type, shape.Contiguous(n.Shape))
	s := &ir.Scatter{
		Dims: slices.Clone(e.g.Nodes[in[1]].Shape), Updates: updates, Index: index, Out: out,
		Axis: axis, AxisStride: out.Strides[axis], AxisLen: n.Shape[axis],
	}
	s.Out.Strides[axis] = 0
	b := newBinding()
	b.computes(pos, n.Op.String())
	e.step(pos, s, b, []BufferID{updatesBuf, indexBuf}, buf).Adds = true
}
