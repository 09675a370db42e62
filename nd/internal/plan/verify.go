package plan

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Verify reports the first broken invariant of a plan: programs are well
// formed, every buffer is written before it is read and only then added to,
// operands stay inside their buffers, and every step serves a result.
func (p *Plan) Verify() error {
	written := lists.Map(p.Buffers, func(b Buffer) bool { return b.Leaf })
	for i, s := range p.Steps {
		if err := p.verifyStep(&s, written); err != nil {
			return fmt.Errorf("plan: step %d (%s): %w", i, s.Label, err)
		}
	}
	needed := p.results()
	for i := len(p.Steps) - 1; i >= 0; i-- {
		s := &p.Steps[i]
		if !slices.ContainsFunc(s.Writes, func(b BufferID) bool { return needed[b] }) {
			return fmt.Errorf("plan: step %d (%s): nobody needs its result", i, s.Label)
		}
		for _, b := range s.Reads {
			needed[b] = true
		}
	}
	for i, r := range p.Results {
		if !written[r.Buffer] {
			return fmt.Errorf("plan: result %d is in buffer %d, which nobody writes", i, r.Buffer)
		}
		if err := p.inside(r.Buffer, ir.Operand{Type: r.Type, Offset: r.View.Offset, Strides: r.View.Strides}, r.View); err != nil {
			return fmt.Errorf("plan: result %d: %w", i, err)
		}
	}
	return nil
}

func (p *Plan) verifyStep(s *Step, written []bool) error {
	if err := s.Program.Verify(); err != nil {
		return err
	}
	reads, writes := ir.Reads(s.Program), ir.Writes(s.Program)
	if len(reads) != len(s.Reads) || len(writes) != len(s.Writes) {
		return fmt.Errorf("binds %d and %d buffers to %d and %d operands", len(s.Reads), len(s.Writes), len(reads), len(writes))
	}
	for i, b := range slices.Concat(s.Reads, s.Writes) {
		switch read := i < len(reads); {
		case read && !written[b]:
			return fmt.Errorf("reads buffer %d before it is written", b)
		case !read && s.Adds && !written[b]:
			return fmt.Errorf("adds to buffer %d before it is written", b)
		}
		if m, ok := s.Program.(*ir.Map); ok {
			if err := p.inside(b, slices.Concat(reads, writes)[i], shape.View{Shape: m.Dims}); err != nil {
				return err
			}
		}
	}
	for _, b := range s.Writes {
		written[b] = true
	}
	return nil
}

// inside checks that an operand stays within a buffer whose size is known.
func (p *Plan) inside(buf BufferID, o ir.Operand, v shape.View) error {
	lo, hi := o.Span(v.Shape)
	if have := p.Buffers[buf].Bytes; lo < 0 || !p.Buffers[buf].Leaf && hi*o.Type.Size() > have {
		return fmt.Errorf("touches elements [%d, %d) of buffer %d, %d bytes", lo, hi, buf, have)
	}
	return nil
}
