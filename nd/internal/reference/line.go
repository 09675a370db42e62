package reference

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// runLine runs the stages line by line, each by Run. A stage sees a slot in a
// buffer as the buffer from the line's first element on.
func runLine(p *ir.Line, reads, writes [][]byte, args []scalar.Arg) error {
	var failed error
	clearSums(p, writes)
	points(p.Outer, func(at []int) {
		if failed == nil {
			failed = runOneLine(p, at, reads, writes, args)
		}
	})
	return failed
}

// withMargin is a line that reaches beyond what is there: place is where it
// begins in its run, start where that would be in the buffer.
func withMargin(s ir.Slot, place, start int, buffer []byte, args []scalar.Arg) []byte {
	size := s.Type.Size()
	out := make([]byte, s.Len*size)
	for e := range s.Len {
		at := place + e
		if s.Margin.Rule == ir.Constant && (at < s.Margin.From || at >= s.Margin.To) {
			Store(Argument(s.Type, args[s.Margin.Fill]), out, e)
			continue
		}
		copy(out[e*size:], buffer[(start+s.Margin.Source(at)-place)*size:][:size])
	}
	return out
}

func runOneLine(p *ir.Line, at []int, reads, writes [][]byte, args []scalar.Arg) error {
	chip := make([][]byte, len(p.Slots))
	slot := func(i ir.SlotID, segment int) []byte {
		s := p.Slots[i]
		if s.OnChip() {
			if chip[i] == nil {
				chip[i] = make([]byte, s.Len*s.Type.Size())
			}
			return chip[i]
		}
		buffers := reads
		if s.Kind == ir.OutSlot {
			buffers = writes
		}
		n := lists.Count(p.Slots[:i], func(other ir.Slot) bool { return other.Kind == s.Kind })
		start := position(s.Operand(), append(append([]int(nil), at...), segment, 0))
		if s.Margin != nil {
			return withMargin(s, s.Margin.At(at), start, buffers[n], args)
		}
		return buffers[n][start*s.Type.Size():]
	}
	run := func(q ir.Program, s ir.Stage, segment int) error {
		if o, ok := q.(*ir.Overlap); ok {
			addFrame(o, p.Frame(at), slot(s.Reads[0], 0), slot(s.Writes[0], 0))
			return nil
		}
		in := lists.Make(len(ir.Reads(q)), func(i int) []byte { return slot(s.Reads[i], segment) })
		out := lists.Make(len(s.Writes), func(i int) []byte { return slot(s.Writes[i], segment) })
		return Run(q, in, out, args)
	}
	for _, s := range p.Shared {
		if err := run(s.Program, s, 0); err != nil {
			return err
		}
	}
	for i := 0; i < len(p.Stages); {
		end, repeat := i+1, 1
		if p.Stages[i].Each {
			repeat = p.Segments
			for end < len(p.Stages) && p.Stages[end].Each {
				end++
			}
		}
		for segment := range repeat {
			for _, s := range p.Stages[i:end] {
				q := s.Program
				if segment == 0 && s.First != nil {
					q = s.First
				}
				if err := run(q, s, segment); err != nil {
					return err
				}
			}
		}
		i = end
	}
	return nil
}
