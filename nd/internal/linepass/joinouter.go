package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// JoinOuter drops dimensions of one line and joins those that all slots walk as
// one: tiles are of neighbours along the last.
func JoinOuter(p *ir.Line) *ir.Line {
	q := *p
	q.Slots = slices.Clone(p.Slots)
	var walks []ir.Operand
	walk := func(strides []int) { walks = append(walks, ir.Operand{Strides: strides}) }
	numbered := len(p.Frames) > 0
	if numbered {
		walk(p.Frames)
	}
	for _, s := range p.Slots {
		if !s.OnChip() {
			walk(s.Strides)
		}
		if s.Margin != nil {
			walk(s.Margin.Strides)
		}
	}
	space := ir.SpaceOf(p.Outer, walks)
	if space.Join(); len(space.Dims) == len(p.Outer) {
		return p
	}
	next := func() []int {
		strides := walks[0].Strides
		walks = walks[1:]
		return strides
	}
	q.Outer = space.Dims
	if numbered {
		q.Frames = next()
	}
	for i := range q.EachSlot() {
		s := &q.Slots[i]
		if !s.OnChip() {
			s.Strides = next()
		}
		if s.Margin != nil {
			m := *s.Margin
			m.Strides = next()
			s.Margin = &m
		}
	}
	return &q
}
