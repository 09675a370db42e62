package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

var padRules = map[graph.PadMode]ir.Rule{
	graph.PadConstant: ir.Constant, graph.PadReflect: ir.Reflect, graph.PadEdge: ir.Edge, graph.PadWrap: ir.Wrap,
}

// paddedBy is what a Pad does to elements that code loads, nil if that is more
// than a margin of lines along the last axis.
func (e *emitter) paddedBy(pos NodeID, c *coder) *padded {
	n, a, dims := e.g.Nodes[pos], e.g.Nodes[pos].Attr.(graph.PadAttr), e.g.Nodes[e.g.In[pos][0]].Shape
	last := len(dims) - 1
	for last >= 0 && n.Shape[last] == 1 {
		last--
	}
	if last < 0 || dims[last] < 2 || n.Len() == 0 || !hasMargins(n.Type) || len(c.w.Instrs) != 1 || len(c.w.In) != 1 || a.Before[last]+a.After[last] == 0 {
		return nil
	}
	for i, d := range dims {
		if i != last && n.Shape[i] != d {
			return nil
		}
	}
	in, out := c.w.In[0], operand(n.Type, shape.Contiguous(n.Shape))
	if out.Offset = a.Before[last]; in.Strides[last] != 1 {
		return nil
	}
	s := ir.NewSpace(dims, in, out)
	s.DropUnits()
	return &padded{from: c.w.Sources[0], dims: s.Dims, in: *s.Operands[0], out: *s.Operands[1], length: n.Shape[last], before: a.Before[last],
		rule: padRules[a.Mode], constant: Arg{Node: pos}}
}

// addMargins lets the lines of a step that is about to replace the members of
// the group read what was padded instead of the result of padding it. The pads
// are left without a use, unless others read them, too. With share set, those are
// left alone.
func (g *group) addMargins(step *Step, share bool) {
	p := step.Program.(*ir.Line)
	if p.Segments != 1 {
		return
	}
	read := 0
	for i := range p.Slots {
		if p.Slots[i].Kind != ir.InSlot {
			continue
		}
		if pad, ok := g.padding(step.Reads[read]); ok && !(share && g.outside(step.Reads[read])) {
			if s, ok := pad.slot(p.Slots[i], p.Outer); ok {
				if pad.rule == ir.Constant {
					s.Margin.Fill = len(step.Args)
					step.Args = append(step.Args, pad.constant)
				}
				p.Slots[i] = s
				step.Reads[read] = pad.from
				step.Label = "pad > " + step.Label
			}
		}
		read++
	}
}

// outside reports a buffer that others than the members of the group need.
func (g *group) outside(buf BufferID) bool {
	return g.uses.result[buf] || slices.ContainsFunc(g.uses.readers[buf], func(i StepID) bool { return !g.has(i) })
}

// padding is what a buffer has inside, if a Pad wrote it and that is in memory.
func (g *group) padding(buf BufferID) (*padded, bool) {
	pad := g.plan.Buffers[buf].pad
	if pad == nil || slices.ContainsFunc(g.uses.writers[buf], g.has) {
		return nil, false
	}
	return pad, g.plan.Buffers[pad.from].Leaf || len(g.uses.writers[pad.from]) > 0
}

// hasMargins reports element types of which a launch argument is one.
func hasMargins(t elem.Type) bool { return !t.IsHalf() }

// slot restates one on the padded buffer for what is inside it. Neighbouring
// lines have to be in one run, so that a device brings those with a margin on
// chip together.
func (p *padded) slot(s ir.Slot, outer []int) (ir.Slot, bool) {
	last := len(p.dims) - 1
	out, in := p.out, p.in
	m := &ir.Margin{Rule: p.rule, From: p.before - s.Offset, Strides: make([]int, len(s.Strides))}
	m.To = m.From + p.dims[last]
	strides := make([]int, len(s.Strides))
	end := s.Offset + s.Len
	for k, step := range s.Strides {
		if step > 0 && step < p.length {
			strides[k], m.Strides[k] = step, step
			end += (outer[k] - 1) * step
			continue
		}
		axis := slices.Index(out.Strides[:last], step)
		if axis < 0 || k == len(outer)-1 {
			return s, false
		}
		strides[k] = in.Strides[axis]
	}
	if s.Offset < 0 || end > p.length { // some line goes on in the next run
		return s, false
	}
	s.Offset, s.Strides, s.Margin = in.Offset-m.From, strides, m
	return s, true
}
