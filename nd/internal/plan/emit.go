package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

func emitRegions(g *Graph, r *regions) *emitter {
	e := newEmitter(r)
	// In the order that they were made, inputs still come first, and every value
	// is computed when it was asked for and no sooner: few are alive at a time.
	var stored []NodeID
	for pos := range g.Nodes {
		if r.stored[pos] {
			stored = append(stored, NodeID(pos))
		}
	}
	slices.SortFunc(stored, func(a, b NodeID) int { return g.Nodes[a].Compare(g.Nodes[b]) })
	for _, pos := range stored {
		e.emit(pos)
	}
	for _, pos := range g.Outputs {
		buf, view := e.place(pos, nil)
		e.plan.Results = append(e.plan.Results, Result{buf, g.Nodes[pos].Type, view})
	}
	return e
}

func (e *emitter) emit(pos NodeID) {
	n := e.g.Nodes[pos]
	switch n.Op {
	case graph.Reduce:
		e.emitReduce(pos, pos)
	case graph.Concat:
		e.emitConcat(pos)
	case graph.Pad:
		e.emitPad(pos)
	case graph.Take, graph.Gather:
		e.emitGather(pos)
	case graph.ScatterAdd:
		e.emitScatter(pos)
	case graph.Scan, graph.Sort, graph.FFT:
		e.emitAxis(pos)
	case graph.MatMul:
		e.emitMatMul(pos)
	case graph.Overlap:
		e.emitOverlap(pos)
	case graph.Butterfly:
		e.emitButterfly(pos)
	case graph.Custom:
		e.emitCustom(pos)
	default:
		if reduce, ok := e.acc[pos]; ok {
			e.emitReduce(pos, reduce)
		} else {
			e.emitMap(pos)
		}
	}
}

// emitMap writes the program of a stored map, source or reshape.
func (e *emitter) emitMap(pos NodeID) {
	n := e.g.Nodes[pos]
	c := e.newCoder(newBinding())
	dims := n.Shape
	var v ir.ValueID
	switch n.Op {
	case graph.Full:
		dims = nil
		v = c.constant(pos)
	case graph.Slice, graph.Transpose, graph.Broadcast, graph.Frames:
		v = c.value(e.g.In[pos][0], e.links.push(e.g, pos, nil))
	case graph.Reshape:
		if e.isCrop(pos) {
			v = c.value(e.g.In[pos][0], e.links.push(e.g, pos, nil))
			break
		}
		in := e.g.In[pos][0]
		dims = e.g.Nodes[in].Shape
		v = c.value(in, nil)
	default:
		v = c.compute(pos, nil)
	}
	m := &ir.Map{Dims: slices.Clone(dims), Code: c.w.Code, Out: []ir.Operand{operand(n.Type, shape.Contiguous(dims))}, Value: []ir.ValueID{v}}
	e.step(pos, m, c.b, c.w.Sources, e.newBuffer(pos))
}

// emitReduce writes a reduction and the map it ends in, if they differ.
func (e *emitter) emitReduce(pos, reduce NodeID) {
	n, red := e.g.Nodes[pos], e.g.Nodes[reduce]
	a := red.Attr.(graph.ReduceAttr)
	in := e.g.In[reduce][0]
	b := newBinding()

	c := e.newCoder(b)
	v := c.value(in, nil)
	from := e.g.Nodes[in].Shape
	order := axesLast(len(from), a.Axes...)
	for _, list := range [][]ir.Operand{c.w.In, c.w.Positions} {
		for i := range list {
			list[i].Strides = pick(list[i].Strides, order)
		}
	}
	b.computes(reduce, a.Op.String())

	post := e.newCoder(b)
	post.w.Append(ir.Instr{Kind: ir.Acc, Type: red.Type})
	if pos != reduce {
		post.acc = reduce
		last := post.compute(pos, nil)
		if last != post.w.Last() {
			panic("plan: post code does not end in its result")
		}
		e.dropUnits(&post.w.Code, n.Shape, red.Shape)
	}
	r := &ir.Reduce{
		Dims: pick(from, order), Inner: len(a.Axes), Code: c.w.Code, Value: v, Op: ir.ReduceOp(a.Op),
		Post: post.w.Code, Out: operand(n.Type, shape.Contiguous(red.Shape)),
	}
	e.lay(r, in, order)
	e.step(pos, r, b, slices.Concat(c.w.Sources, post.w.Sources), e.newBuffer(pos))
}

// dropUnits restates code over dims for dimensions that differ from them in
// places where there is one element only.
func (e *emitter) dropUnits(code *ir.Code, dims, to []int) {
	for _, list := range [][]ir.Operand{code.In, code.Positions} {
		for i := range list {
			strides := make([]int, 0, len(to))
			from := 0
			for _, d := range to {
				if d == 1 {
					strides = append(strides, 0)
					continue
				}
				for dims[from] == 1 {
					from++
				}
				strides = append(strides, list[i].Strides[from])
				from++
			}
			list[i].Strides = strides
		}
	}
}
