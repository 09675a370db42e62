package plan

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Line fusion joins steps that work on the same lines into line programs, so
// that what passes between them stays on chip. It starts from each transform and
// takes in neighbours upward and downward as long as every line of theirs
// needs only the same line of what the others compute.

// fuseLines replaces groups of steps by line programs where the lines fit on
// chip, and counts them. refuses, if not nil, says why a device does not run one.
func fuseLines(p *Plan, info device.Info, refuses func(*ir.Line) error) int {
	lines := 0
	for _, s := range p.Steps {
		ir.DropUnits(s.Program)
	}
	u := usesOf(p)
	for again := true; again; { // what did not fit may do so among what is left
		again = false
		for i := range p.Steps {
			if isTransform(p.Steps[i].Program) && fuseAt(p, u, StepID(i), info, refuses) {
				lines++
				again = true
			}
		}
	}
	for i := range p.Steps {
		if fuseRows(p, u, StepID(i), info, refuses) {
			lines++
		}
	}
	dropDead(p)
	return lines
}

// fuseAt replaces the group of the transform at seed, if it has one.
func fuseAt(p *Plan, u *uses, seed StepID, info device.Info, refuses func(*ir.Line) error) bool {
	g, step := findGroup(p, u, seed, func(ir.Program) bool { return true }, info, refuses)
	if g == nil {
		return false
	}
	if bytes := step.Program.(*ir.Line).LocalBytes(); bytes > info.LineBytes {
		label := step.Label
		if g, step = findTrip(p, u, seed, info); g == nil {
			g, step = findLong(p, u, seed, info)
		}
		if g == nil {
			p.note("%s: not fused: a line needs %d bytes on chip, %s has %d", label, bytes, info.Name, info.LineBytes)
			return false
		}
	}
	if info.Margins && step.Program.(*ir.Line).LocalBytes() <= info.LineBytes {
		g.addMargins(&step, info.SharesPads)
	}
	g.replace(step)
	return true
}

// findGroup grows a group of programs that it may take from the step at seed, and writes its step. One
// that turns out not to fit is left out, with a note, and the rest is tried again.
func findGroup(p *Plan, u *uses, seed StepID, takes func(ir.Program) bool, info device.Info, refuses func(*ir.Line) error) (*group, Step) {
	var out []StepID
	for {
		g := newGroup(p, u, seed, info)
		if g == nil {
			return nil, Step{}
		}
		g.grow(func(i StepID) bool {
			return takes(p.Steps[i].Program) && !slices.Contains(out, i) && !emulates(p.Steps[i].Program, info)
		})
		if len(g.members) < 2 {
			return nil, Step{}
		}
		step, at, err := g.build()
		if line, ok := step.Program.(*ir.Line); err == nil && ok && refuses != nil && line.LocalBytes() <= info.LineBytes {
			if err = refuses(line); err != nil {
				at = g.outermost(seed)
			}
		}
		if err == nil {
			return g, step
		}
		p.note("%s: not fused with %s: %v", p.Steps[at].Label, p.Steps[seed].Label, err)
		if at == seed {
			return nil, Step{}
		}
		out = append(out, at)
	}
}

// outermost is the member that comes last, or first if the seed is last: the rest of the
// group is one without it.
func (g *group) outermost(seed StepID) StepID {
	if last := g.members[len(g.members)-1].step; last != seed {
		return last
	}
	return g.members[0].step
}

// emulates reports a map that draws normal numbers where the device has no float64.
// They are computed by integers there: in a line that would be too much code, once for
// each element that a thread has of it.
func emulates(p ir.Program, info device.Info) bool {
	m, ok := p.(*ir.Map)
	return ok && !slices.Contains(info.Types, elem.Float64) && slices.ContainsFunc(m.Instrs, func(in ir.Instr) bool {
		return in.Kind == ir.Apply && in.Op == scalar.RandNormal
	})
}

// note adds a note once: every FFT of a group finds the same.
func (p *Plan) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(p.Notes, n) {
		p.Notes = append(p.Notes, n)
	}
}

// lineReads is how many elements of a line a step reads.
func (m *member) lineReads(p ir.Program) int {
	if f, ok := p.(*ir.FFT); ok {
		return min(f.InLen, f.InNeeded())
	}
	if m.line < 0 {
		return 1
	}
	return m.axes.dims[m.line]
}

// readsOverlap reports whether two lines may read the same element of an operand.
func (m *member) readsOverlap(p ir.Program, o ir.Operand) bool {
	type step struct{ stride, count int }
	var steps []step
	for _, axis := range m.outer {
		if axis >= 0 {
			steps = append(steps, step{abs(o.Strides[axis]), m.axes.dims[axis]})
		}
	}
	if m.line >= 0 && o.Strides[m.line] != 0 {
		steps = append(steps, step{abs(o.Strides[m.line]), m.lineReads(p)})
	}
	slices.SortFunc(steps, func(a, b step) int { return a.stride - b.stride })
	reach := 1 // elements from the first to the last of what lies within a step
	for _, s := range steps {
		if s.count > 1 && s.stride < reach {
			return true
		}
		reach += s.stride * (s.count - 1)
	}
	return false
}

// replace puts the fused step where the last member was, and what needs it
// behind it. Where the other members were, steps are left that do nothing.
func (g *group) replace(step Step) {
	steps := g.plan.Steps
	members := lists.Map(g.members, func(m member) StepID { return m.step })
	behind := g.uses.behind(g.plan, members)
	last := members[len(members)-1]
	for _, k := range members {
		g.uses.remove(k, &steps[k])
		steps[k] = Step{}
	}
	if len(behind) == 0 {
		steps[last] = step
		g.uses.add(last, &step)
		return
	}
	first := members[0]
	var before, after []Step
	for k := first; k < last; k++ {
		g.uses.remove(k, &steps[k])
		switch {
		case slices.Contains(behind, k):
			after = append(after, steps[k])
		case steps[k].Program != nil:
			before = append(before, steps[k])
		}
		steps[k] = Step{}
	}
	order := slices.Concat(before, []Step{step}, after)
	from := last + 1 - StepID(len(order))
	copy(steps[from:], order)
	for k := from; k <= last; k++ {
		g.uses.add(k, &steps[k])
	}
}
