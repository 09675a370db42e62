package cpu

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// joinOuter makes one of the last outer dimensions where all slots walk them as
// one: tiles are of neighbours along the last.
func joinOuter(p *ir.Line) *ir.Line {
	for {
		last := len(p.Outer) - 1
		if last < 1 || !joins(p, last) {
			return p
		}
		q := *p
		q.Outer = append(slices.Clone(p.Outer[:last-1]), p.Outer[last-1]*p.Outer[last])
		without := func(list []int) []int {
			if len(list) == 0 {
				return list
			}
			return slices.Delete(slices.Clone(list), last-1, last)
		}
		q.Frames = without(p.Frames)
		q.Slots = slices.Clone(p.Slots)
		for i := range q.Slots {
			s := &q.Slots[i]
			s.Strides = without(s.Strides)
			if s.Margin != nil {
				m := *s.Margin
				m.Strides = without(m.Strides)
				s.Margin = &m
			}
		}
		p = &q
	}
}

// joins reports whether the last dimension and the one before it are one.
func joins(p *ir.Line, last int) bool {
	n := p.Outer[last]
	one := func(strides []int) bool { return len(strides) == 0 || strides[last-1] == n*strides[last] }
	if !one(p.Frames) {
		return false
	}
	for _, s := range p.Slots {
		if s.Kind != ir.LocalSlot && !one(s.Strides) || s.Margin != nil && !one(s.Margin.Strides) {
			return false
		}
	}
	return true
}
