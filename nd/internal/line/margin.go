package line

import (
	"errors"
	"fmt"
)

// Margin lets lines reach beyond the run of elements that their buffer holds,
// as frames do that begin before a signal: what is not there reads as a
// constant. Runs are what Outer dimensions with a stride of 0 here choose
// from.
type Margin struct {
	// Element e of the line at index i is there if From <= e + sum of
	// i[k]*Strides[k] < To.
	From, To int
	Strides  []int // one per dimension of Outer
	Fill     int   // argument of the launch: what the others are
}

// At is the place in its run of the first element of a line.
func (m *Margin) At(index []int) int {
	at := 0
	for k, i := range index {
		at += i * m.Strides[k]
	}
	return at
}

// Region is the elements of its buffer that a slot covers: with a margin, all
// of the runs.
func (p *Program) Region(s Slot) Region {
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
	return Region{o, dims}
}

func (m *Margin) verify(p *Program, s Slot) error {
	switch {
	case s.Kind != In || p.Segments != 1:
		return errors.New("a margin of something else than an input of whole lines")
	case len(m.Strides) != len(p.Outer) || m.To < m.From || m.Fill < 0:
		return fmt.Errorf("a margin from %d to %d with %d strides for %d outer dims", m.From, m.To, len(m.Strides), len(p.Outer))
	}
	for k, step := range m.Strides {
		if step != 0 && step != s.Strides[k] {
			return fmt.Errorf("a margin moves by %d where the line moves by %d", step, s.Strides[k])
		}
	}
	return nil
}
