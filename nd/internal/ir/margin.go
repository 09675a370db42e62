package ir

import (
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Margin lets lines reach beyond the run of elements that their buffer holds,
// as frames do that begin before a signal: what is not there reads as the rule
// says. Runs are what Outer dimensions with a stride of 0 here choose from.
type Margin struct {
	// Element e of the line at index i is there if From <= e + sum of
	// i[k]*Strides[k] < To.
	From, To int
	Strides  []int // one per dimension of Outer
	Rule     Rule
	Fill     int // Constant: argument of the launch
}

// Rule is what elements beyond a run are. But for constants, a line goes so far
// beyond it that one step of the rule leads back.
type Rule uint8

const (
	Constant Rule = iota // a constant
	Reflect              // the run mirrored, its end not repeated
	Edge                 // the last element before them
	Wrap                 // the run again, from its other end
)

// At is the place in its run of the first element of a line.
func (m *Margin) At(index []int) int { return lists.Dot(index, m.Strides) }

// Source is the place in the run of what is read at another place, by any rule
// but Constant.
func (m *Margin) Source(at int) int {
	switch {
	case at < m.From && m.Rule == Reflect:
		return 2*m.From - at
	case at >= m.To && m.Rule == Reflect:
		return 2*(m.To-1) - at
	case at < m.From && m.Rule == Edge:
		return m.From
	case at >= m.To && m.Rule == Edge:
		return m.To - 1
	case at < m.From:
		return at + m.To - m.From
	case at >= m.To:
		return at - (m.To - m.From)
	}
	return at
}

// Access is the elements of its buffer that a slot covers: with a margin, all
// of the runs.
func (p *Line) Access(s Slot) Access {
	o, dims := s.Operand(), p.Dims(s)
	if m := s.Margin; m != nil {
		o.Offset += m.From
		for k, step := range m.Strides {
			if step != 0 {
				dims[k], o.Strides[k] = 1, 0
			}
		}
		dims[len(dims)-1] = m.To - m.From
	}
	return Access{Operand: o, Dims: dims, Write: s.Kind == OutSlot}
}

func (m *Margin) verify(p *Line, s Slot) error {
	switch {
	case s.Kind != InSlot || p.Segments != 1:
		return errors.New("a margin of something else than an input of whole lines")
	case len(m.Strides) != len(p.Outer) || m.To < m.From || m.Fill < 0:
		return fmt.Errorf("a margin from %d to %d with %d strides for %d outer dims", m.From, m.To, len(m.Strides), len(p.Outer))
	case m.Rule > Wrap:
		return fmt.Errorf("a margin by rule %d", m.Rule)
	}
	for k, step := range m.Strides {
		if step != 0 && step != s.Strides[k] {
			return fmt.Errorf("a margin moves by %d where the line moves by %d", step, s.Strides[k])
		}
	}
	if m.Rule == Constant || p.Lines() == 0 || s.Len == 0 {
		return nil
	}
	places := Operand{Strides: append([]int{1}, m.Strides...)}
	lo, hi := places.Span(append([]int{s.Len}, p.Outer...))
	for _, at := range []int{lo, hi - 1} {
		if from := m.Source(at); from < m.From || from >= m.To {
			return fmt.Errorf("place %d of a run from %d to %d: the rule leads to %d", at, m.From, m.To, from)
		}
	}
	return nil
}
