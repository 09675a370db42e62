package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// emitAxis writes the programs that work along one axis, which strides put
// last.
func (e *emitter) emitAxis(pos NodeID) {
	n := e.g.Nodes[pos]
	samples, whole := e.samples(pos)
	buf, in := e.source(samples)
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
		kind := ir.FFTKind(a.Kind)
		if whole {
			kind = ir.FFTRealWhole
		}
		p = &ir.FFT{
			Outer: dims[:len(dims)-1], Kind: kind, Inverse: a.Inverse && a.Kind == graph.FFTComplex,
			N: a.N, Scale: a.Scale, InLen: dims[len(dims)-1], Mode: a.Mode, In: in, Out: out,
		}
		if !p.(*ir.FFT).Plain() {
			name += " " + a.Mode.String()
		}
	}
	e.program(pos, name, p, buf)
}

// samples is the node that a program along an axis reads. A complex transform of a real array reads
// the real numbers themselves where the device finds all bins from half of them, if nobody else has the
// complex ones: who evaluates those first, or on another stream, would get other bits.
func (r *regions) samples(pos NodeID) (samples NodeID, whole bool) {
	in := r.g.In[pos][0]
	n, cast := r.g.Nodes[pos], r.g.Nodes[in]
	a, ok := n.Attr.(graph.FFTAttr)
	if !ok || r.whole == nil || !a.OfReals || a.Inverse || a.Mode != accum.Pairwise && a.Mode != accum.Fast || !r.whole(a.N) || r.g.Leaf[in] >= 0 || cast.Stream != n.Stream {
		return in, false
	}
	if m, ok := cast.Attr.(graph.MapAttr); !ok || m.Op != scalar.Cast || r.g.Nodes[r.g.In[in][0]].Type != n.Type.Real() {
		return in, false
	}
	return r.g.In[in][0], true
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
