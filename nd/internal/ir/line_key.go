package ir

import (
	"encoding/binary"
)

// AppendKey writes the program so that two programs are equal exactly when
// their keys are.
func (p *Line) AppendKey(b []byte) []byte {
	ints := func(list ...int) {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, v := range list {
			b = binary.AppendVarint(b, int64(v))
		}
	}
	ints(p.Outer...)
	ints(p.Frames...)
	ints(p.Segments, len(p.Slots), len(p.Stages))
	for _, s := range p.Slots {
		ints(int(s.Kind), int(s.Type), s.Len, s.Offset, s.Segment)
		ints(s.Strides...)
		if m := s.Margin; m != nil {
			ints(m.From, m.To, int(m.Rule), m.Fill)
			ints(m.Strides...)
		} else {
			ints()
		}
	}
	for _, s := range p.Stages {
		each := 0
		if s.Each {
			each = 1
		}
		if s.First != nil {
			each += 2
			b = AppendKey(b, s.First)
		}
		ints(each, int(s.Combine))
		ints(s.Reads...)
		ints(s.Writes...)
		b = AppendKey(b, s.Program)
	}
	return b
}
