package line

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// centred is what lower makes of the spectra of windowed frames that go half a
// frame beyond a signal at both ends; of their moduli, added up for each frame, if
// summed is set.
func centred(items, samples, size, hop int, rule ir.Rule, summed bool) *ir.Line {
	r, c, bins := elem.Float32, elem.Complex64, size/2+1
	lines := 1 + samples/hop
	p := &ir.Line{
		Outer: []int{items, lines}, Segments: 1,
		Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: r, Len: size, Offset: -size / 2, Strides: []int{samples, hop},
				Margin: &ir.Margin{From: size / 2, To: size/2 + samples, Strides: []int{0, hop}, Rule: rule}},
			{Kind: ir.InSlot, Type: r, Len: size, Strides: []int{0, 0}}, {Kind: ir.LocalSlot, Type: r, Len: size},
			{Kind: ir.OutSlot, Type: c, Len: bins, Strides: []int{lines * bins, bins}},
		},
		Stages: []ir.Stage{
			{Program: mapOf(size, r, []ir.Operand{over(r, 0, 1), over(r, 0, 1)}, load(r, 0), load(r, 1), apply(scalar.Mul, r, 0, 1)), Reads: []ir.SlotID{0, 1}, Writes: []ir.SlotID{2}},
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: size, Scale: 1, InLen: size, In: over(r, 0, 1), Out: over(c, 0, 1)}, Reads: []ir.SlotID{2}, Writes: []ir.SlotID{3}},
		},
	}
	if summed {
		p.Slots[3] = ir.Slot{Kind: ir.LocalSlot, Type: c, Len: bins}
		p.Slots = append(p.Slots, ir.Slot{Kind: ir.OutSlot, Type: r, Len: 1, Strides: []int{lines, 1}})
		p.Stages = append(p.Stages, ir.Stage{Program: &ir.Reduce{Dims: []int{bins}, Inner: 1, Op: ir.Sum, Value: 2, Out: ir.Operand{Type: r},
			Code: ir.Code{In: []ir.Operand{over(c, 0, 1)}, Instrs: []ir.Instr{load(c, 0), apply(scalar.AbsSquared, r, 0, 0), apply(scalar.Sqrt, r, 1, 0)}},
			Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: r}}}}, Reads: []ir.SlotID{3}, Writes: []ir.SlotID{4}})
	}
	return p
}

// silence makes the first half of some float32 zeros, and the rest so faint that
// short ways to roots do not do.
func silence(b []byte) {
	x := elem.Slice[float32](b)
	clear(x[:len(x)/2])
	for i := len(x) / 2; i < len(x); i++ {
		x[i] *= 1e-18
	}
}

// Frames beyond the ends of signals by every rule: with and without short ways,
// with threads for each line and with lines for each thread.
func TestMargins(t *testing.T) {
	const items = 2
	for _, c := range []struct {
		samples, size, hop int
		rule               ir.Rule
		summed             bool
	}{
		{1000, 256, 60, ir.Reflect, false}, {90, 128, 5, ir.Wrap, true}, {300, 100, 33, ir.Edge, true}, {300, 60, 7, ir.Constant, false},
		{400, 16, 3, ir.Reflect, true}, {11, 16, 1, ir.Edge, true},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			p := centred(items, c.samples, c.size, c.hop, c.rule, c.summed)
			if err := p.Verify(); err != nil {
				t.Fatal(err)
			}
			reads := [][]byte{random(elem.Float32, items*c.samples), random(elem.Float32, c.size)}
			silence(reads[0][len(reads[0])/8/4*4 : len(reads[0])/2/4*4])
			out := p.Slots[len(p.Slots)-1]
			got := [][]byte{make([]byte, p.Lines()*out.Len*out.Type.Size())}
			if off := compare(t, p, reads, got, scalar.ArgOf(elem.Float32, 0.5)); !(off < 16) {
				t.Errorf("off by %g units", off)
			}
		})
	}
}
