package lower

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// padded is a buffer that holds another with more around it along the last axis.
type padded struct {
	from     int // the buffer inside
	length   int // of the last axis, with what is around
	before   int // elements in front
	copy     *ir.Map
	rule     ir.Rule
	constant Arg
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
func (g *group) outside(buf int) bool {
	return g.uses.result[buf] || slices.ContainsFunc(g.uses.readers[buf], func(i int) bool { return !g.has(i) })
}

// padding finds out whether a buffer is written by a copy, and for the rest of
// it by constants or by parts of the same once more, as Pad does.
func (g *group) padding(buf int) (padded, bool) {
	var pad padded
	var ends []*ir.Map
	fills, elements := 0, 0
	for _, i := range g.uses.writers[buf] {
		s := &g.plan.Steps[i]
		m, ok := s.Program.(*ir.Map)
		if !ok || g.has(i) || len(s.Writes) != 1 || len(m.Instrs) != 1 {
			return pad, false
		}
		elements += ir.Count(m.Dims)
		switch m.Instrs[0].Kind {
		case ir.Const:
			arg := s.Args[m.Instrs[0].Slot]
			if fills++; fills > 1 && arg.Node != pad.constant.Node {
				return pad, false
			}
			pad.constant = arg
		case ir.Load:
			if pad.copy == nil {
				pad.copy, pad.from = m, s.Reads[0]
			} else if ends = append(ends, m); s.Reads[0] != pad.from {
				return pad, false
			}
		default:
			return pad, false
		}
	}
	if pad.copy == nil || fills > 0 == (len(ends) > 0) {
		return pad, false
	}
	return pad, pad.measure(elements) && (fills > 0 || pad.follow(ends))
}

// measure finds the last axis of a padded buffer of so many elements, and
// reports whether it is the only one that was padded.
func (p *padded) measure(elements int) bool {
	out, in := p.copy.Out[0], p.copy.In[0]
	last := len(p.copy.Dims) - 1
	if last < 0 || out.Strides[last] != 1 || in.Strides[last] != 1 || !hasMargins(out.Type) {
		return false
	}
	others := ir.Count(p.copy.Dims[:last])
	p.length, p.before = elements/others, out.Offset
	whole := p.length
	for k := last - 1; k >= 0; k-- {
		if out.Strides[k] != whole {
			return false
		}
		whole *= p.copy.Dims[k]
	}
	return whole == elements && p.before+p.copy.Dims[last] <= p.length
}

var padRules = [...]struct {
	mode graph.PadMode
	rule ir.Rule
}{{graph.PadReflect, ir.Reflect}, {graph.PadEdge, ir.Edge}, {graph.PadWrap, ir.Wrap}}

// follow finds the rule by which the ends of a padded axis show the middle.
func (p *padded) follow(ends []*ir.Map) bool {
	n := p.copy.Dims[len(p.copy.Dims)-1]
	for _, r := range padRules {
		runs := padRuns(r.mode, n, p.before, p.length-p.before-n)[1:]
		if len(runs) != len(ends) {
			return false
		}
		shows := true
		for i, run := range runs {
			shows = shows && p.shows(ends[i], run)
		}
		if shows {
			p.rule = r.rule
			return true
		}
	}
	return false
}

// shows reports that a copy is a run of the padded axis.
func (p *padded) shows(m *ir.Map, r padRun) bool {
	last := len(p.copy.Dims) - 1
	was, is := p.copy.In[0], p.copy.Out[0]
	in, out := m.In[0], m.Out[0]
	alike := func(list, want []int) bool { return len(list) >= last && slices.Equal(list[:last], want[:last]) }
	if out.Offset != r.at || in.Offset != was.Offset+r.from || !alike(m.Dims, p.copy.Dims) || !alike(in.Strides, was.Strides) || !alike(out.Strides, is.Strides) {
		return false
	}
	if r.count == 1 { // the axis was dropped
		return len(m.Dims) == last
	}
	return len(m.Dims) == last+1 && m.Dims[last] == r.count && in.Strides[last] == r.step && out.Strides[last] == 1
}

// hasMargins reports element types of which a launch argument is one.
func hasMargins(t elem.Type) bool { return !t.IsHalf() }

// slot restates one on the padded buffer for what is inside it. Neighbouring
// lines have to be in one run, so that a device brings those with a margin on
// chip together.
func (p *padded) slot(s ir.Slot, outer []int) (ir.Slot, bool) {
	last := len(p.copy.Dims) - 1
	out, in := p.copy.Out[0], p.copy.In[0]
	m := &ir.Margin{Rule: p.rule, From: p.before - s.Offset, Strides: make([]int, len(s.Strides))}
	m.To = m.From + p.copy.Dims[last]
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
