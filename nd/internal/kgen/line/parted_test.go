package line

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// spectra is what lower makes of a loss: windowed lines of two signals, the
// spectrum of the first, what it and the other differ by, and the power of the
// other.
func spectra(lines, n int) *ir.Line {
	r, c, bins := elem.Float32, elem.Complex64, n/2+1
	window := mapOf(n, r, []ir.Operand{over(r, 0, 1), over(r, 0, 1), over(r, 0, 1)},
		load(r, 0), load(r, 1), apply(scalar.Mul, r, 0, 1), load(r, 2), apply(scalar.Mul, r, 3, 1))
	window.Out, window.Value = append(window.Out, over(r, 0, 1)), []ir.ValueID{2, 4}
	differ := mapOf(bins, r, []ir.Operand{over(c, 0, 1), over(c, 0, 1)},
		load(c, 0), apply(scalar.Abs, r, 0, 0), load(c, 1), apply(scalar.Abs, r, 2, 0), apply(scalar.Sub, r, 1, 3), apply(scalar.Log, r, 1, 0), apply(scalar.Sub, r, 5, 3))
	differ.Out, differ.Value = append(differ.Out, over(r, 0, 1)), []ir.ValueID{4, 6}
	power := &ir.Reduce{Dims: []int{bins}, Inner: 1, Op: ir.Sum, Value: 1, Out: ir.Operand{Type: r},
		Code: ir.Code{In: []ir.Operand{over(c, 0, 1)}, Instrs: []ir.Instr{load(c, 0), apply(scalar.AbsSquared, r, 0, 0)}},
		Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: r}}}}
	fft := &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: over(r, 0, 1), Out: over(c, 0, 1)}
	return &ir.Line{
		Outer: []int{lines}, Segments: 1,
		Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: r, Len: n, Strides: []int{n}}, {Kind: ir.InSlot, Type: r, Len: n, Strides: []int{0}}, {Kind: ir.InSlot, Type: r, Len: n, Strides: []int{n}},
			{Kind: ir.LocalSlot, Type: r, Len: n}, {Kind: ir.LocalSlot, Type: r, Len: n},
			{Kind: ir.OutSlot, Type: c, Len: bins, Strides: []int{bins}}, {Kind: ir.LocalSlot, Type: c, Len: bins},
			{Kind: ir.OutSlot, Type: r, Len: bins, Strides: []int{bins}}, {Kind: ir.OutSlot, Type: r, Len: bins, Strides: []int{bins}}, {Kind: ir.OutSlot, Type: r, Len: 1, Strides: []int{1}},
		},
		Stages: []ir.Stage{
			{Program: window, Reads: []ir.SlotID{0, 1, 2}, Writes: []ir.SlotID{3, 4}},
			{Program: fft, Reads: []ir.SlotID{3}, Writes: []ir.SlotID{5}}, {Program: fft, Reads: []ir.SlotID{4}, Writes: []ir.SlotID{6}},
			{Program: differ, Reads: []ir.SlotID{5, 6}, Writes: []ir.SlotID{7, 8}},
			{Program: power, Reads: []ir.SlotID{6}, Writes: []ir.SlotID{9}},
		},
	}
}

// Of two spectra only moduli wait on chip, and no samples.
func TestParted(t *testing.T) {
	for _, n := range []int{256, 512, 1024, 2048, 4096} {
		k := newUnit(h200).kernel(spectra(9, n))
		if err := k.plan(); err != nil {
			t.Fatal(err)
		}
		bytes := 0
		for slot := range k.homes {
			bytes += k.p.Slots[slot].Len * k.p.Slots[slot].Type.Size()
		}
		if want := 2 * (n/2 + 1) * 4; bytes != want {
			t.Errorf("%d samples: %d bytes on chip, want %d: %v", n, bytes, want, k.p)
		}
	}
	const lines = 3
	for _, n := range []int{60, 512} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			reads := [][]byte{random(elem.Float32, lines*n), random(elem.Float32, n), random(elem.Float32, lines*n)}
			bins := lines * (n/2 + 1)
			writes := [][]byte{make([]byte, 8*bins), make([]byte, 4*bins), make([]byte, 4*bins), make([]byte, 4*lines)}
			if off := compare(t, spectra(lines, n), reads, writes); !(off < 64) {
				t.Errorf("off by %g units", off)
			}
		})
	}
}
