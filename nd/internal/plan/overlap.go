package plan

import (
	"errors"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// emitOverlap writes the sum of overlapping frames.
func (e *emitter) emitOverlap(pos int) {
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
	b := newBinding()
	b.computes(pos, "overlap_add")
	e.step(pos, p, b, []int{buf}, e.newBuffer(pos))
}

// overlapAxes is how line fusion sees the sum of overlapping frames: every frame
// is a line. Axes of one element are left out.
func overlapAxes(p *ir.Overlap) *axes {
	a := &axes{frames: []int{}}
	in, out := p.In, p.Out
	in.Strides, out.Strides = nil, nil
	add := func(n, from, to, frames int) {
		if n != 1 {
			a.dims, a.frames = append(a.dims, n), append(a.frames, frames)
			in.Strides, out.Strides = append(in.Strides, from), append(out.Strides, to)
		}
	}
	k := len(p.Outer)
	for i, n := range p.Outer {
		add(n, p.In.Strides[i], p.Out.Strides[i], 0)
	}
	add(p.Turns, p.In.Strides[k], 0, p.Phases)
	add(p.Phases, p.In.Strides[k+1], 0, 1)
	a.line = len(a.dims)
	a.dims, a.frames = append(a.dims, p.Size), append(a.frames, 0)
	in.Strides, out.Strides = append(in.Strides, p.In.Strides[k+2]), append(out.Strides, p.Out.Strides[k])
	a.reads, a.writes = []ir.Operand{in}, []ir.Operand{out}
	return a
}

// addsUp reports whether the group can add its lines where they overlap, and
// should: they are all frames, numbered as they come, needed for nothing else, and
// many more than workers would compute twice.
func (g *group) addsUp(m *member) bool {
	s := &g.plan.Steps[m.step]
	if !g.adds || g.segment >= 0 || s.Adds || !slices.Equal(g.strides[s.Reads[0]], m.outerStrides(m.axes.reads[0])) {
		return false
	}
	o := s.Program.(*ir.Overlap)
	halo := (max(o.Size, 1) - 1 + o.Hop - 1) / o.Hop
	if o.Out.Strides[len(o.Outer)] != 1 || ir.Count(g.dims) < g.perHalo*halo*g.workers {
		return false
	}
	for _, other := range g.members {
		if f := other.axes.frames; f != nil && !slices.Equal(other.frameSteps(), m.frameSteps()) {
			return false
		}
	}
	return true
}

// frameSteps is what each outer dimension of the group counts for in the number
// of a frame.
func (m *member) frameSteps() []int {
	list := make([]int, len(m.outer))
	for i, axis := range m.outer {
		list[i] = m.axes.frames[axis]
	}
	return list
}

// overlap writes the stage that adds lines where they overlap.
func (b *builder) overlap(m *member, s *Step, o *ir.Overlap) error {
	slot, in, err := b.bind(m, s.Reads[0], m.axes.reads[0], o.Size, false)
	if err != nil {
		return err
	}
	if b.p.Slots[slot].Kind != ir.LocalSlot {
		return errStored
	}
	out := ir.Slot{Kind: ir.OutSlot, Type: o.Out.Type, Len: o.Length, Offset: o.Out.Offset, Strides: m.outerStrides(m.axes.writes[0])}
	b.p.Slots = append(b.p.Slots, out)
	b.step.Writes = append(b.step.Writes, s.Writes[0])
	b.p.Frames = m.frameSteps()
	one := &ir.Overlap{Turns: 1, Phases: 1, Size: o.Size, Count: o.Count, Hop: o.Hop, Skip: o.Skip, Length: o.Length,
		In:  ir.Operand{Type: in.Type, Offset: in.Offset, Strides: []int{0, 0, in.Strides[0]}},
		Out: ir.Operand{Type: o.Out.Type, Strides: []int{1}}}
	b.p.Stages = append(b.p.Stages, ir.Stage{Program: one, Reads: []int{slot}, Writes: []int{len(b.p.Slots) - 1}})
	return nil
}

// errStored is the reason why frames are not added on chip.
var errStored = errors.New("the frames are wanted, too")
