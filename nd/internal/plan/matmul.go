package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// emitMatMul writes a product of matrices.
func (e *emitter) emitMatMul(pos NodeID) {
	n := e.g.Nodes[pos]
	in := e.g.In[pos]
	aBuf, a, axesA := e.matrix(pos, in[0])
	bBuf, b, axesB := e.matrix(pos, in[1])
	rank := len(n.Shape)
	as := n.Adding()
	g := &ir.Gemm{
		Batch: slices.Clone(n.Shape[:rank-2]), M: n.Shape[rank-2], N: n.Shape[rank-1], K: e.g.Nodes[in[0]].Shape[rank-1],
		A: a, B: b, Out: operand(n.Type, shape.Contiguous(n.Shape)), Mode: as.Mode, Root: as.Root,
		AxesA: axesA, AxesB: axesB,
	}
	label := "matmul"
	if n.Attr != nil {
		label += " " + as.String()
	}
	label += e.bands.limit(g, pos)
	e.program(pos, label, g, aBuf, bBuf)
}

// matrix is the buffer and operand of a factor of product pos, which is in memory.
func (e *emitter) matrix(pos, factor NodeID) (BufferID, ir.Operand, ir.MatrixAxes) {
	t := e.g.Nodes[factor].Type
	var l *link
	at := factor
	for e.bufferOf[at] < 0 {
		l = e.links.push(e.g, at, l)
		at = e.g.In[at][0]
	}
	v, stuck := fold(e.g, e.base(at), l)
	if stuck == nil {
		return e.bufferOf[at], operand(t, v), ir.MatrixAxes{}
	}
	w, ok := e.matrixAxes(e.base(at), pos, l)
	if !ok {
		panic("plan: unchecked factor of a product")
	}
	rank := len(w.Axes)
	o := ir.Operand{Type: t, Offset: w.Offset}
	add := func(list []shape.Step) []int {
		if len(list) == 0 {
			list = []shape.Step{{Len: 1}}
		}
		var dims []int
		for _, s := range list {
			dims, o.Strides = append(dims, s.Len), append(o.Strides, s.Stride)
		}
		return dims
	}
	for _, list := range w.Axes[:rank-2] {
		add(list)
	}
	return e.bufferOf[at], o, ir.MatrixAxes{Rows: add(w.Axes[rank-2]), Columns: add(w.Axes[rank-1])}
}

// fewestNeighbours is how many elements must lie one after the other. On a CPU, windows of images of 7 x 7 take 0.6 of
// the time of a copy of them, and windows of 4 samples that begin at every second one 1.2.
const fewestNeighbours = 5

// matrixAxes is a view of stored elements as a factor of product root whose rows or columns are several axes:
// what matrices of overlapping windows are, which are then never written to memory. It reports false where
// root is no such product. One with a row or a column is a sum, whose order follows from how its factors lie, so they
// have to lie as if they were stored. A factor that several products share is rearranged once, and so is one whose
// neighbours lie apart.
func (r *regions) matrixAxes(v shape.View, root NodeID, l *link) (shape.Grouped, bool) {
	n := r.g.Nodes[root]
	if n.Op != graph.MatMul || n.Attr != nil || l == nil || l.retyped || n.Type != elem.Float32 && n.Type != elem.Float64 {
		return shape.Grouped{}, false
	}
	rank := len(n.Shape)
	if n.Shape[rank-2] < 2 || n.Shape[rank-1] < 2 {
		return shape.Grouped{}, false
	}
	w, ok := foldGrouped(r.g, v, l)
	if !ok {
		return w, false
	}
	for _, list := range w.Axes[:rank-2] {
		if len(list) > 1 || len(list) == 1 && list[0].Stride == 0 {
			return w, false
		}
	}
	run := 1 // of neighbours
	for _, list := range w.Axes[rank-2:] {
		if n := len(list); n > 0 && list[n-1].Stride == 1 {
			run = max(run, list[n-1].Len)
		}
	}
	return w, run >= fewestNeighbours
}
