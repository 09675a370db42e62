package linepass

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// negated is -x of bins that are step apart, from an offset on, followed by an
// inverse transform.
func negated(lines, bins, step, offset int) *ir.Line {
	n := 2 * (bins - 1)
	in := ir.Operand{Type: elem.Complex128, Offset: offset, Strides: []int{step}}
	length := max(offset, offset+step*(bins-1)) + 1
	return &ir.Line{
		Outer: []int{lines},
		Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: elem.Complex128, Len: length, Strides: []int{1}},
			{Kind: ir.LocalSlot, Type: elem.Complex128, Len: bins},
			{Kind: ir.OutSlot, Type: elem.Float64, Len: n, Strides: []int{n}},
		},
		Stages: []ir.Stage{
			{Program: &ir.Map{Dims: []int{bins}, Out: []ir.Operand{alongLine(elem.Complex128)}, Value: []ir.ValueID{1}, Code: ir.Code{
				In:     []ir.Operand{in},
				Instrs: []ir.Instr{{Kind: ir.Load, Type: elem.Complex128}, {Kind: ir.Apply, Op: scalar.Neg, Type: elem.Complex128}},
			}}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
			{Program: &ir.FFT{Kind: ir.FFTRealInverse, N: n, InLen: bins, Scale: 1,
				In: alongLine(elem.Complex128), Out: alongLine(elem.Float64)}, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{2}},
		},
	}
}

// Lines of a transposed array bring on chip what they use, and not what lies
// between: that made the time quadratic in the number of lines.
func TestTransposedLinesOnChip(t *testing.T) {
	for _, c := range []struct{ step, offset int }{{1, 0}, {8000, 0}, {16000, 3}, {-8000, 64000}} {
		g, ok := gridOf(negated(8000, 9, c.step, c.offset), 0)
		if !ok || g.count != 9 {
			t.Errorf("step %d from %d: %d elements of a line on chip: want 9", c.step, c.offset, g.count)
		}
		p := planesOf(negated(8000, 9, c.step, c.offset))
		if p == nil {
			t.Fatalf("step %d from %d: lines do not lie side by side", c.step, c.offset)
		}
		if got := p.to.LocalBytes(); got > 1000 {
			t.Errorf("step %d from %d: a line takes %d bytes on chip", c.step, c.offset, got)
		}
	}
}
