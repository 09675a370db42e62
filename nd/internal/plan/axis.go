package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// emitAxis writes the programs that work along one axis, which strides put
// last.
func (e *emitter) emitAxis(pos NodeID) {
	n := e.g.Nodes[pos]
	buf, in := e.source(e.g.In[pos][0])
	from := e.g.Nodes[e.g.In[pos][0]].Shape
	out := operand(n.Type, shape.Contiguous(n.Shape))
	turn := func(axis int) []int {
		order := axesLast(len(from), axis)
		in.Strides, out.Strides = pick(in.Strides, order), pick(out.Strides, order)
		return pick(from, order)
	}
	var p ir.Program
	name := n.Op.String()
	switch a := n.Attr.(type) {
	case graph.ScanAttr:
		name = "cum" + a.Op.String()
		dims := turn(a.Axis)
		p = &ir.Scan{Dims: dims, Op: ir.ReduceOp(a.Op), In: in, Out: out}
	case graph.SortAttr:
		dims := turn(a.Axis)
		s := &ir.Sort{Dims: dims, Descending: a.Descending, Keep: n.Shape[a.Axis], In: in}
		if a.Arg {
			name = "argsort"
			s.Places = &out
		} else {
			s.Values = &out
		}
		p = s
	case graph.FFTAttr:
		dims := turn(a.Axis)
		p = &ir.FFT{
			Outer: dims[:len(dims)-1], Kind: ir.FFTKind(a.Kind), Inverse: a.Inverse && a.Kind == graph.FFTComplex,
			N: a.N, Scale: a.Scale, InLen: dims[len(dims)-1], Mode: a.Mode, In: in, Out: out,
		}
		if !p.(*ir.FFT).Plain() {
			name += " " + a.Mode.String()
		}
	}
	e.program(pos, name, p, buf)
}

// emitButterfly writes a product of butterfly factors along the last axis.
func (e *emitter) emitButterfly(pos NodeID) {
	n := e.g.Nodes[pos]
	a := n.Attr.(graph.ButterflyAttr)
	inBuf, in := e.source(e.g.In[pos][0])
	wBuf, w := e.source(e.g.In[pos][1])
	last := len(n.Shape) - 1
	p := &ir.Butterfly{
		Outer: slices.Clone(n.Shape[:last]), N: n.Shape[last], Spans: a.Spans, From: a.From, To: a.To,
		In: in, W: w, Out: operand(n.Type, shape.Contiguous(n.Shape)),
	}
	e.program(pos, "butterfly", p, inBuf, wBuf)
}

// emitMatMul writes a product of matrices.
func (e *emitter) emitMatMul(pos NodeID) {
	n := e.g.Nodes[pos]
	in := e.g.In[pos]
	aBuf, a := e.source(in[0])
	bBuf, b := e.source(in[1])
	rank := len(n.Shape)
	as := n.Adding()
	g := &ir.Gemm{
		Batch: slices.Clone(n.Shape[:rank-2]), M: n.Shape[rank-2], N: n.Shape[rank-1], K: e.g.Nodes[in[0]].Shape[rank-1],
		A: a, B: b, Out: operand(n.Type, shape.Contiguous(n.Shape)), Mode: as.Mode, Root: as.Root,
	}
	label := "matmul"
	if n.Attr != nil {
		label += " " + as.String()
	}
	e.program(pos, label, g, aBuf, bBuf)
}
