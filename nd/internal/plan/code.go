package plan

import (
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// binding is what a step's code shares with its step: the constants it is
// launched with, and what it computes, for people.
type binding struct {
	args  []Arg
	slots map[NodeID]int // node -> slot of its first constant
	nodes []NodeID
	names []string
}

func newBinding() *binding { return &binding{slots: map[NodeID]int{}} }

func (b *binding) slot(pos NodeID, n *graph.Node) int {
	s, ok := b.slots[pos]
	if !ok {
		s = len(b.args)
		b.slots[pos] = s
		b.args = append(b.args, lists.Make(len(n.Args), func(i int) Arg { return Arg{pos, i} })...)
	}
	return s
}

func (b *binding) computes(pos NodeID, name string) {
	b.nodes = append(b.nodes, pos)
	b.names = append(b.names, name)
}

// label names what a step computes, shortened in the middle.
func (b *binding) label() string {
	const most = 6
	names := b.names
	if len(names) == 0 {
		return "copy"
	}
	if len(names) > most {
		names = slices.Concat(names[:most-2], []string{"..."}, names[len(names)-1:])
	}
	return strings.Join(names, "+")
}

// ref is a node seen through views.
type ref struct {
	pos  NodeID
	link *link
}

// coder writes code for one index space.
type coder struct {
	e    *emitter
	b    *binding
	w    ir.Rewriter[BufferID] // sources are buffers
	memo map[ref]ir.ValueID    // value of what has been computed
	acc  NodeID                // the node that is the reduced value, or -1
}

func (e *emitter) newCoder(b *binding) *coder {
	return &coder{e: e, b: b, memo: map[ref]ir.ValueID{}, acc: -1}
}

// value writes the code for a node and gives the number of its value. The
// recursion is as deep as the code is long, which the regions bound.
func (c *coder) value(pos NodeID, l *link) ir.ValueID {
	r := ref{pos, l}
	if v, ok := c.memo[r]; ok {
		return v
	}
	v := c.write(pos, l)
	c.memo[r] = v
	return v
}

func (c *coder) write(pos NodeID, l *link) ir.ValueID {
	n := c.e.g.Nodes[pos]
	switch {
	case pos == c.acc:
		return 0 // post code starts with it
	case c.e.bufferOf[pos] >= 0:
		buf, v := c.e.place(pos, l)
		t := n.Type
		if l != nil && l.retyped {
			t = c.e.typeAt(l)
		}
		return c.w.Load(buf, operand(t, v))
	case n.Op.IsView():
		return c.value(c.e.g.In[pos][0], c.e.links.push(c.e.g, pos, l))
	}
	return c.compute(pos, l)
}

// compute writes a node's own operation; its inputs are seen through the same
// views as the node.
func (c *coder) compute(pos NodeID, l *link) ir.ValueID {
	n := c.e.g.Nodes[pos]
	switch a := n.Attr.(type) {
	case graph.MapAttr:
		in := [3]ir.ValueID{}
		for i, p := range c.e.g.In[pos] {
			in[i] = c.value(p, l)
		}
		if a.Op == scalar.Copy {
			return in[0]
		}
		c.b.computes(pos, a.Op.String())
		return c.w.Append(ir.Instr{Kind: ir.Apply, Op: a.Op, Type: n.Type, A: in[0], B: in[1], C: in[2], Bands: c.e.bands.cut(pos)})
	case graph.IotaAttr:
		c.b.computes(pos, "iota")
		return c.index(positions(n), l)
	case graph.RandomAttr:
		counter := c.index(positions(n), l)
		c.b.computes(pos, a.Draw.String())
		return c.w.Append(ir.Instr{Kind: ir.Apply, Op: a.Draw, Type: n.Type, A: counter, Slot: c.b.slot(pos, n)})
	}
	return c.constant(pos) // Full is all that is left
}

// constant is the first constant of a node as a value.
func (c *coder) constant(pos NodeID) ir.ValueID {
	n := c.e.g.Nodes[pos]
	return c.w.Append(ir.Instr{Kind: ir.Const, Type: n.Type, Slot: c.b.slot(pos, n)})
}

// index is the position that a view gives.
func (c *coder) index(v shape.View, l *link) ir.ValueID {
	return c.w.Position(operand(elem.Int64, c.e.folded(v, l)))
}

func operand(t elem.Type, v shape.View) ir.Operand {
	return ir.Operand{Type: t, Offset: v.Offset, Strides: slices.Clone(v.Strides)}
}
