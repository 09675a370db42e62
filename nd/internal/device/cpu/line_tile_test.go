package cpu

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Lines that lie side by side in a buffer go through the stages by as many as share its cache
// lines, and short ones by hundreds.
func TestTiles(t *testing.T) {
	d := Open(Options{Workers: 1, PortableOnly: true})
	defer d.Close()
	// columns are transformed and doubled; rows likewise.
	line := func(n, lines, step, apart int) *ir.Line {
		c64 := elem.Complex64
		at := func(strides ...int) ir.Operand { return ir.Operand{Type: c64, Strides: strides} }
		buffer := ir.Slot{Type: c64, Len: (n-1)*step + 1, Strides: []int{apart}}
		in, out := buffer, buffer
		in.Kind, out.Kind = ir.InSlot, ir.OutSlot
		double := &ir.Map{Dims: []int{n}, Out: []ir.Operand{at(step)}, Value: []ir.ValueID{1}, Code: ir.Code{
			In:     []ir.Operand{at(1)},
			Instrs: []ir.Instr{{Kind: ir.Load, Type: c64}, {Kind: ir.Apply, Op: scalar.Add, Type: c64}},
		}}
		return &ir.Line{Outer: []int{lines}, Segments: 1,
			Slots: []ir.Slot{in, {Kind: ir.LocalSlot, Type: c64, Len: n}, out},
			Stages: []ir.Stage{
				{Program: &ir.FFT{Kind: ir.FFTComplex, N: n, InLen: n, Scale: 1, In: at(step), Out: at(1)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
				{Program: double, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{2}},
			}}
	}
	for _, c := range []struct {
		name                  string
		n, lines, step, apart int
		least, most           int
	}{
		{"columns", 1 << 16, 16, 16, 1, acrossBytes / 8, acrossBytes / 8},
		{"shorter columns", 256, 4096, 4096, 1, 64, 64},
		{"frames at every sample", 1 << 15, 16, 1, 1, 1, 1},
		{"short rows", 16, 1 << 12, 1, 16, 128, mostLines},
	} {
		p := line(c.n, c.lines, c.step, c.apart)
		if err := p.Verify(); err != nil {
			t.Fatal(err)
		}
		w, err := d.compileLine(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.(*lineWork).tile; got < c.least || got > c.most {
			t.Errorf("%s: tiles of %d lines, want %d to %d", c.name, got, c.least, c.most)
		}
	}
}
