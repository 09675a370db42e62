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
		return fmt.Errorf("line: %d segments", p.Segments)
	}
	for i, s := range p.Slots {
		if !s.OnChip() && len(s.Strides) != len(p.Outer) {
			return fmt.Errorf("line: slot %d has %d strides for %d outer dims", i, len(s.Strides), len(p.Outer))
		}
		if s.Len < 0 || !s.Type.Valid() {
			return fmt.Errorf("line: slot %d has %d elements of %s", i, s.Len, s.Type)
		}
		if s.Margin != nil {
			if err := s.Margin.verify(p, s); err != nil {
				return fmt.Errorf("line: slot %d: %w", i, err)
			}
		}
	}
	written := make([]bool, len(p.Slots))
	for i, s := range p.Shared {
		if err := p.verifyStage(s, written); err != nil {
			return fmt.Errorf("line: shared stage %d: %w", i, err)
		}
		for _, r := range s.Reads {
			if at := p.Slots[r]; at.Kind != SharedSlot && (at.Kind != InSlot || at.Margin != nil || at.Segment != 0) {
				return fmt.Errorf("line: shared stage %d reads slot %d, which is no input", i, r)
			}
		}
		for _, w := range s.Writes {
			if written[w] = true; p.Slots[w].Kind != SharedSlot {
				return fmt.Errorf("line: shared stage %d writes slot %d, which lines do not share", i, w)
			}
		}
	}
	phase := 0 // before, in, behind the segment stages
	for i, s := range p.Stages {
		switch {
		case s.Each && phase == 2:
			return fmt.Errorf("line: stage %d runs per segment, away from the others", i)
		case s.Each:
			phase = 1
		case phase == 1:
			phase = 2
		}
		if s.First != nil {
			first := Stage{Program: s.First, Reads: s.Reads[:min(len(s.Reads), len(Reads(s.First)))], Writes: s.Writes}
			if err := p.verifyStage(first, written); err != nil {
				return fmt.Errorf("line: stage %d, first segment: %w", i, err)
			}
			for _, w := range s.Writes {
				written[w] = true
			}
		}
		if err := p.verifyStage(s, written); err != nil {
			return fmt.Errorf("line: stage %d: %w", i, err)
		}
		for _, w := range s.Writes {
			if written[w] = true; p.Slots[w].Kind == SharedSlot {
				return fmt.Errorf("line: stage %d writes slot %d, which all lines share", i, w)
			}
		}
	}
	if err := p.verifyFrames(); err != nil {
		return fmt.Errorf("line: %w", err)
	}
	for i, s := range p.Slots {
		if s.Kind == OutSlot && !written[i] {
			return fmt.Errorf("line: slot %d is never written", i)
		}
	}
	return nil
}

func (p *Line) verifyStage(s Stage, written []bool) error {
	if err := s.Program.Verify(); err != nil {
		return err
	}
	reads, writes, err := OverLine(s.Program)
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

func (p *Line) verifyOperand(slot SlotID, a Access) error {
	if slot < 0 || int(slot) >= len(p.Slots) {
		return fmt.Errorf("slot %d of %d", slot, len(p.Slots))
	}
	s := p.Slots[slot]
	if s.Type != a.Type {
		return fmt.Errorf("slot %d of %s used as %s", slot, s.Type, a.Type)
	}
	if lo, hi := a.Span(a.Dims); lo < 0 || hi > s.Len {
		return fmt.Errorf("elements [%d, %d) of slot %d, which has %d", lo, hi, slot, s.Len)
	}
	return nil
}

// OverLine lists the operands of a stage program, and refuses programs that are
// not over one line.
func OverLine(p Program) (reads, writes []Access, err error) {
	if s, ok := p.(stageProgram); !ok || !s.overLine() {
		return nil, nil, fmt.Errorf("%s is not over one line", p.Name())
	}
	reads, writes = apart(p)
	return reads, writes, nil
}
