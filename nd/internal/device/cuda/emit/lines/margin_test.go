package lines

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit/emulate"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/line"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// centred is what lower makes of the spectra of windowed frames that go half a
// frame beyond a signal at both ends; of their moduli, added up for each frame, if
// summed is set.
func centred(items, samples, size, hop int, rule line.Rule, summed bool) *line.Program {
	r, c, bins := elem.Float32, elem.Complex64, size/2+1
	lines := 1 + samples/hop
	p := &line.Program{
		Outer: []int{items, lines}, Segments: 1,
		Slots: []line.Slot{
			{Kind: line.In, Type: r, Len: size, Offset: -size / 2, Strides: []int{samples, hop},
				Margin: &line.Margin{From: size / 2, To: size/2 + samples, Strides: []int{0, hop}, Rule: rule}},
			{Kind: line.In, Type: r, Len: size, Strides: []int{0, 0}}, {Kind: line.Local, Type: r, Len: size},
			{Kind: line.Out, Type: c, Len: bins, Strides: []int{lines * bins, bins}},
		},
		Stages: []line.Stage{
			{Program: mapOf(size, r, []kern.Operand{over(r, 0, 1), over(r, 0, 1)}, load(r, 0), load(r, 1), apply(scalar.Mul, r, 0, 1)), Reads: []int{0, 1}, Writes: []int{2}},
			{Program: &kern.FFT{Kind: kern.FFTRealForward, N: size, Scale: 1, InLen: size, In: over(r, 0, 1), Out: over(c, 0, 1)}, Reads: []int{2}, Writes: []int{3}},
		},
	}
	if summed {
		p.Slots[3] = line.Slot{Kind: line.Local, Type: c, Len: bins}
		p.Slots = append(p.Slots, line.Slot{Kind: line.Out, Type: r, Len: 1, Strides: []int{lines, 1}})
		p.Stages = append(p.Stages, line.Stage{Program: &kern.Reduce{Dims: []int{bins}, Inner: 1, Op: kern.Sum, Value: 2, Out: kern.Operand{Type: r},
			Code: kern.Code{In: []kern.Operand{over(c, 0, 1)}, Instrs: []kern.Instr{load(c, 0), apply(scalar.AbsSquared, r, 0, 0), apply(scalar.Sqrt, r, 1, 0)}},
			Post: kern.Code{Instrs: []kern.Instr{{Kind: kern.Acc, Type: r}}}}, Reads: []int{3}, Writes: []int{4}})
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
	if err := emulate.Available(); err != nil {
		t.Skip(err)
	}
	const items = 2
	for _, c := range []struct {
		samples, size, hop int
		rule               line.Rule
		summed             bool
	}{
		{1000, 256, 60, line.Reflect, false}, {90, 128, 5, line.Wrap, true}, {300, 100, 33, line.Edge, true}, {300, 60, 7, line.Constant, false},
		{400, 16, 3, line.Reflect, true}, {11, 16, 1, line.Edge, true},
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
