package ir

import (
	"fmt"
)

// Verify reports the first broken invariant: a stage that is not over one
// line, an operand that leaves its slot or has another type, a Local read
// before anything wrote it, an In written or an Out read before it is written,
// segment stages that are not neighbours.
func (p *Line) Verify() error {
	if p.Segments < 1 {
		return fmt.Errorf("ir: line: %d segments", p.Segments)
	}
	for i, s := range p.Slots {
		if s.Kind != LocalSlot && len(s.Strides) != len(p.Outer) {
			return fmt.Errorf("ir: line: slot %d has %d strides for %d outer dims", i, len(s.Strides), len(p.Outer))
		}
		if s.Len < 0 || !s.Type.Valid() {
			return fmt.Errorf("ir: line: slot %d has %d elements of %s", i, s.Len, s.Type)
		}
		if s.Margin != nil {
			if err := s.Margin.verify(p, s); err != nil {
				return fmt.Errorf("ir: line: slot %d: %w", i, err)
			}
		}
	}
	written := make([]bool, len(p.Slots))
	phase := 0 // before, in, behind the segment stages
	for i, s := range p.Stages {
		switch {
		case s.Each && phase == 2:
			return fmt.Errorf("ir: line: stage %d runs per segment, away from the others", i)
		case s.Each:
			phase = 1
		case phase == 1:
			phase = 2
		}
		if s.First != nil {
			first := Stage{Program: s.First, Reads: s.Reads[:min(len(s.Reads), len(s.First.Reads()))], Writes: s.Writes}
			if err := p.verifyStage(first, written); err != nil {
				return fmt.Errorf("ir: line: stage %d, first segment: %w", i, err)
			}
			for _, w := range s.Writes {
				written[w] = true
			}
		}
		if err := p.verifyStage(s, written); err != nil {
			return fmt.Errorf("ir: line: stage %d: %w", i, err)
		}
		for _, w := range s.Writes {
			written[w] = true
		}
	}
	if err := p.verifyFrames(); err != nil {
		return fmt.Errorf("ir: line: %w", err)
	}
	for i, s := range p.Slots {
		if s.Kind == OutSlot && !written[i] {
			return fmt.Errorf("ir: line: slot %d is never written", i)
		}
	}
	return nil
}

func (p *Line) verifyStage(s Stage, written []bool) error {
	if err := s.Program.Verify(); err != nil {
		return err
	}
	reads, writes, err := Spans(s.Program)
	if err != nil {
		return err
	}
	if len(reads) != len(s.Reads) || len(writes) != len(s.Writes) {
		return fmt.Errorf("%s binds %d+%d slots, has %d+%d operands",
			s.Program.Name(), len(s.Reads), len(s.Writes), len(reads), len(writes))
	}
	for k, slot := range s.Reads {
		if err := p.verifyOperand(slot, reads[k]); err != nil {
			return err
		}
		if p.Slots[slot].Kind != InSlot && !written[slot] {
			return fmt.Errorf("%s reads slot %d before it is written", s.Program.Name(), slot)
		}
	}
	for k, slot := range s.Writes {
		if err := p.verifyOperand(slot, writes[k]); err != nil {
			return err
		}
		if p.Slots[slot].Kind == InSlot {
			return fmt.Errorf("%s writes slot %d, an input", s.Program.Name(), slot)
		}
	}
	return nil
}

func (p *Line) verifyOperand(slot int, sp Span) error {
	if slot < 0 || slot >= len(p.Slots) {
		return fmt.Errorf("slot %d of %d", slot, len(p.Slots))
	}
	s := p.Slots[slot]
	if s.Type != sp.Operand.Type {
		return fmt.Errorf("slot %d of %s used as %s", slot, s.Type, sp.Operand.Type)
	}
	if lo, hi := sp.Operand.Span(sp.Dims); lo < 0 || hi > s.Len {
		return fmt.Errorf("elements [%d, %d) of slot %d, which has %d", lo, hi, slot, s.Len)
	}
	return nil
}

// Span is an operand of a stage with the index space it is over.
type Span struct {
	Operand Operand
	Dims    []int
}

// Spans lists the operands of a stage program, and refuses programs that are
// not over one line.
func Spans(p Program) (reads, writes []Span, err error) {
	over := func(n int, operands ...Operand) []Span {
		var list []Span
		for _, o := range operands {
			list = append(list, Span{o, []int{n}})
		}
		return list
	}
	switch p := p.(type) {
	case *Map:
		if len(p.Dims) == 1 {
			return over(p.Dims[0], p.In...), over(p.Dims[0], p.Out...), nil
		}
	case *Reduce:
		if len(p.Dims) == 1 && p.Inner == 1 {
			reads = over(p.Dims[0], p.In...)
			for _, o := range p.Post.In {
				reads = append(reads, Span{o, nil})
			}
			return reads, []Span{{p.Out, nil}}, nil
		}
	case *Scan:
		if len(p.Dims) == 1 {
			return over(p.Dims[0], p.In), over(p.Dims[0], p.Out), nil
		}
	case *Sort:
		if len(p.Dims) == 1 {
			return over(p.Dims[0], p.In), over(p.Keep, p.Out), nil
		}
	case *FFT:
		if len(p.Outer) == 0 && p.Plain() {
			return over(min(p.InLen, p.InNeeded()), p.In), over(p.OutLen(), p.Out), nil
		}
	case *Butterfly:
		if len(p.Outer) == 0 {
			return append(over(p.N, p.In), Span{p.W, p.WDims()}), over(p.N, p.Out), nil
		}
	}
	if o, ok := p.(*Overlap); ok && len(o.Outer) == 0 && o.Turns == 1 && o.Phases == 1 {
		return []Span{{o.In, o.InDims()}}, []Span{{o.Out, o.OutDims()}}, nil
	}
	return nil, nil, fmt.Errorf("%s is not over one line", p.Name())
}
