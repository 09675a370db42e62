package plan

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// emitter writes the steps of stored nodes, in topological order.
type emitter struct {
	*regions
	plan     *Plan
	bufferOf []int // by node; -1 where it has none
	again    bool  // more is to be stored than the regions say
}

func newEmitter(r *regions) *emitter {
	e := &emitter{regions: r, plan: &Plan{}, bufferOf: make([]int, len(r.g.Nodes))}
	for i := range e.bufferOf {
		e.bufferOf[i] = -1
	}
	for i, l := range r.g.Leaves {
		e.bufferOf[l.Node] = i
		e.plan.Buffers = append(e.plan.Buffers, Buffer{Node: l.Node, Leaf: true})
	}
	return e
}

func emitRegions(g *Graph, r *regions) *emitter {
	e := newEmitter(r)
	// In the order that they were made, inputs still come first, and every value
	// is computed when it was asked for and no sooner: few are alive at a time.
	var stored []int
	for pos := range g.Nodes {
		if r.stored[pos] {
			stored = append(stored, pos)
		}
	}
	slices.SortFunc(stored, func(a, b int) int { return g.Nodes[a].Compare(g.Nodes[b]) })
	for _, pos := range stored {
		e.emit(pos)
	}
	for _, pos := range g.Outputs {
		buf, view := e.place(pos, nil)
		e.plan.Results = append(e.plan.Results, Result{buf, g.Nodes[pos].Type, view})
	}
	return e
}

// newBuffer makes the buffer of a stored node. It gets one only when its steps
// are written, because code for the node itself must not load it.
func (e *emitter) newBuffer(pos int) int {
	n := e.g.Nodes[pos]
	elems := n.Len()
	if n.Op == graph.Full {
		elems = 1
	}
	e.plan.Buffers = append(e.plan.Buffers, Buffer{Node: pos, Bytes: elems * n.Type.Size()})
	e.bufferOf[pos] = len(e.plan.Buffers) - 1
	return e.bufferOf[pos]
}

// place is the buffer and the view of a node that is stored, a leaf, or a
// view of one.
func (e *emitter) place(pos int, l *link) (int, shape.View) {
	for e.bufferOf[pos] < 0 {
		l = e.links.push(e.g, pos, l)
		pos = e.g.In[pos][0]
	}
	return e.bufferOf[pos], e.folded(e.base(pos), l)
}

// folded is fold for chains that were checked when the regions were found.
func (e *emitter) folded(v shape.View, l *link) shape.View {
	v, stuck := fold(e.g, v, l)
	if stuck != nil {
		panic(fmt.Sprintf("plan: unchecked reshape to %v", e.g.Nodes[stuck.view].Shape))
	}
	return v
}

// typeAt is the element type that a chain with a BitCast gives: the last
// one's. Views beyond a map that uses the elements may have another type.
func (e *emitter) typeAt(l *link) elem.Type {
	t := elem.Invalid
	for ; l != nil; l = l.up {
		if n := e.g.Nodes[l.view]; n.Op == graph.BitCast {
			t = n.Type
		}
	}
	return t
}

// step adds a step that computes (part of) a stored node.
func (e *emitter) step(pos int, p ir.Program, b *binding, reads []int, write int) *Step {
	e.plan.Steps = append(e.plan.Steps, Step{
		Program: p, Reads: reads, Writes: []int{write}, Args: b.args,
		Stream: e.g.Nodes[pos].Stream, Label: b.label(), Nodes: b.nodes, Why: e.why[pos],
	})
	return &e.plan.Steps[len(e.plan.Steps)-1]
}

func (e *emitter) emit(pos int) {
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
func (e *emitter) emitMap(pos int) {
	n := e.g.Nodes[pos]
	c := e.newCoder(newBinding())
	dims := n.Shape
	var v int
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
	m := &ir.Map{Dims: slices.Clone(dims), Code: c.w.Code, Out: []ir.Operand{operand(n.Type, shape.Contiguous(dims))}, Value: []int{v}}
	e.step(pos, m, c.b, c.w.Sources, e.newBuffer(pos))
}

// emitReduce writes a reduction and the map it ends in, if they differ.
func (e *emitter) emitReduce(pos, reduce int) {
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
		if last != len(post.w.Instrs)-1 {
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

// axesLast orders the axes of an array so that the given ones come last.
func axesLast(rank int, axes ...int) []int {
	order := make([]int, 0, rank)
	for i := range rank {
		if !slices.Contains(axes, i) {
			order = append(order, i)
		}
	}
	return append(order, axes...)
}

func pick(list, at []int) []int {
	out := make([]int, len(at))
	for i, p := range at {
		out[i] = list[p]
	}
	return out
}
