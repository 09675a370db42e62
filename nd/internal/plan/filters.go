package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// filtersPass joins causal convolutions that may be fast and the launches before them that
// transform their filters, where the device takes them as one program: it then makes of taps
// what its lines compute with, and no bins are stored.
func filtersPass(m *making) {
	if m.info.QuarterBins == nil {
		return
	}
	p, u := m.plan, usesOf(m.plan)
	gone := map[StepID]bool{}
	for i := range p.Steps {
		s := &p.Steps[i]
		line, ok := s.Program.(*ir.Line)
		if !ok || !fastQuarter(line) {
			continue
		}
		for k, b := range s.Reads {
			at, ok := onlyWriter(p, u, b)
			if !ok || len(u.readers[b]) != 1 || slices.Contains(s.Reads[k+1:], b) || len(p.Steps[at].Args) > 0 || p.Steps[at].Stream != s.Stream {
				continue
			}
			before := p.Steps[at]
			if made := withFilter(line, k, before.Program); made != nil && (m.opt.Refuses == nil || m.opt.Refuses(made) == nil) {
				s.Program, s.Reads = made, append(slices.Delete(slices.Clone(s.Reads), k, k+1), before.Reads...)
				s.Label, s.Nodes, s.parts = before.Label+" > "+s.Label, slices.Concat(before.Nodes, s.Nodes), slices.Concat(before.parts, s.parts)
				gone[at] = true
				break
			}
		}
	}
	kept := p.Steps[:0]
	for i, s := range p.Steps {
		if !gone[StepID(i)] {
			kept = append(kept, s)
		}
	}
	p.Steps = kept
}

// fastQuarter reports lines with bins a quarter lower that may be fast.
func fastQuarter(p *ir.Line) bool {
	return slices.ContainsFunc(p.Stages, func(s ir.Stage) bool {
		f, ok := s.Program.(*ir.FFT)
		return ok && f.Quarter() && f.Fast()
	})
}

// withFilter is a line program that shares the stages of another one, which writes its k-th
// read; nil if that is not bins a quarter lower, of as many lines as read others.
func withFilter(p *ir.Line, k int, filter ir.Program) *ir.Line {
	f := lineOf(filter)
	if f == nil {
		return nil
	}
	last, ok := f.Stages[len(f.Stages)-1].Program.(*ir.FFT)
	if !ok || last.Kind != ir.FFTQuarterForward || last.Rows > 0 {
		return nil
	}
	bins := inSlot(p, k)
	from, to := f.Slots[f.Stages[len(f.Stages)-1].Writes[0]], p.Slots[bins]
	if from.Kind != ir.OutSlot || from.Type != to.Type || from.Len != to.Len || from.Offset != to.Offset || to.Margin != nil {
		return nil
	}
	dims := make([]int, len(p.Outer)) // of the filters, -1 where lines share one
	found := 0
	for d, n := range to.Strides {
		dims[d] = -1
		if n == 0 || p.Outer[d] == 1 {
			continue
		}
		if dims[d] = slices.Index(from.Strides, n); dims[d] < 0 || f.Outer[dims[d]] != p.Outer[d] {
			return nil
		}
		found++
	}
	if found != len(lists.Where(len(f.Outer), func(d int) bool { return f.Outer[d] != 1 })) {
		return nil
	}
	made := *p
	made.Slots = slices.Clone(p.Slots)
	made.Slots[bins] = ir.Slot{Kind: ir.SharedSlot, Type: to.Type, Len: to.Len}
	slots := make([]ir.SlotID, len(f.Slots))
	for i, s := range f.EachSlot() {
		switch s.Kind {
		case ir.OutSlot:
			slots[i] = bins
			continue
		case ir.LocalSlot:
			s.Kind = ir.SharedSlot
		default:
			of := s.Strides
			s.Strides = lists.Map(dims, func(d int) int {
				if d < 0 {
					return 0
				}
				return of[d]
			})
		}
		slots[i] = made.AddSlot(s)
	}
	named := func(of []ir.SlotID) []ir.SlotID {
		return lists.Map(of, func(s ir.SlotID) ir.SlotID { return slots[s] })
	}
	made.Shared = lists.Map(f.Stages, func(s ir.Stage) ir.Stage {
		s.Reads, s.Writes = named(s.Reads), named(s.Writes)
		return s
	})
	return &made
}

// inSlot is the slot of a line program's k-th read.
func inSlot(p *ir.Line, k int) ir.SlotID {
	for i, s := range p.EachSlot() {
		if s.Kind == ir.InSlot {
			if k--; k < 0 {
				return i
			}
		}
	}
	return -1
}

// lineOf is a program of lines with one result, each by itself; nil if it is another.
func lineOf(p ir.Program) *ir.Line {
	if f, ok := p.(*ir.FFT); ok && f.In.Along() == 1 && f.Out.Along() == 1 {
		return f.Alone()
	}
	line, ok := p.(*ir.Line)
	if !ok || line.Segments != 1 || len(line.Sums()) > 0 {
		return nil
	}
	results := 0
	for _, s := range line.Slots {
		if s.Margin != nil || s.Segment != 0 || s.Kind == ir.SharedSlot {
			return nil
		}
		if s.Kind == ir.OutSlot {
			results++
		}
	}
	if results != 1 {
		return nil
	}
	return line
}
