package plan

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// emitter writes the steps of stored nodes, in topological order.
type emitter struct {
	*regions
	bands    *bands
	plan     *Plan
	bufferOf []BufferID // by node; -1 where it has none
	again    bool       // more is to be stored than the regions say
}

func newEmitter(r *regions) *emitter {
	e := &emitter{regions: r, bands: findBands(r.g, r.links), plan: &Plan{}, bufferOf: make([]BufferID, len(r.g.Nodes))}
	for i := range e.bufferOf {
		e.bufferOf[i] = -1
	}
	for _, l := range r.g.Leaves {
		e.bufferOf[l.Node] = e.plan.addBuffer(Buffer{Node: l.Node, Leaf: true, There: l.There})
	}
	return e
}

// newBuffer makes the buffer of a stored node. It gets one only when its steps
// are written, because code for the node itself must not load it.
func (e *emitter) newBuffer(pos NodeID) BufferID {
	n := e.g.Nodes[pos]
	elems := n.Len()
	if n.Op == graph.Full {
		elems = 1
	}
	e.bufferOf[pos] = e.plan.addBuffer(Buffer{Node: pos, Bytes: elems * n.Type.Size()})
	return e.bufferOf[pos]
}

// place is the buffer and the view of a node that is stored, a leaf, or a
// view of one.
func (e *emitter) place(pos NodeID, l *link) (BufferID, shape.View) {
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
func (e *emitter) step(pos NodeID, p ir.Program, b *binding, reads []BufferID, write BufferID) *Step {
	e.plan.Steps = append(e.plan.Steps, Step{
		Program: p, Reads: reads, Writes: []BufferID{write}, Args: b.args,
		Stream: e.g.Nodes[pos].Stream, Label: b.label(), Nodes: b.nodes, Why: e.why[pos],
	})
	return &e.plan.Steps[len(e.plan.Steps)-1]
}

// program adds the step of a program that computes a stored node by itself.
func (e *emitter) program(pos NodeID, name string, p ir.Program, reads ...BufferID) {
	b := newBinding()
	b.computes(pos, name)
	e.step(pos, p, b, reads, e.newBuffer(pos))
}

// axesLast orders the axes of an array so that the given ones come last.
func axesLast(rank int, axes ...int) []int {
	return append(lists.Where(rank, func(i int) bool { return !slices.Contains(axes, i) }), axes...)
}

func pick(list, at []int) []int {
	return lists.Map(at, func(p int) int { return list[p] })
}
