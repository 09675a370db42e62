package line

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/share"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// frameLoss is what lower makes of a loss between the spectra of frames that end
// at every sample, and its gradient: the loss of each frame, and frames that are
// added where they overlap. Only count frames are. Frames are apart in the signal
// and hop in its gradient.
func frameLoss(items, lines, size, count, apart, hop int) *ir.Line {
	r, c, bins := elem.Float32, elem.Complex64, size/2+1
	signal := ir.Slot{Kind: ir.InSlot, Type: r, Len: size, Offset: 1 - size, Strides: []int{lines * apart, apart},
		Margin: &ir.Margin{From: size - 1, To: size - 1 + lines*apart, Strides: []int{0, apart}, Fill: 1}}
	windowed := mapOf(size, r, []ir.Operand{over(r, 0, 1), over(r, 0, 1)}, load(r, 0), load(r, 1), apply(scalar.Mul, r, 0, 1))
	spectrum := &ir.FFT{Kind: ir.FFTRealForward, N: size, Scale: 1, InLen: size, In: over(r, 0, 1), Out: over(c, 0, 1)}
	both := []ir.Operand{over(c, 0, 1), over(c, 0, 1)}
	moduli := []ir.Instr{load(c, 0), apply(scalar.AbsSquared, r, 0, 0), apply(scalar.Sqrt, r, 1, 0),
		load(c, 1), apply(scalar.AbsSquared, r, 3, 0), apply(scalar.Sqrt, r, 4, 0), apply(scalar.Sub, r, 2, 5)}
	squares := append(moduli[:7:7], apply(scalar.AbsSquared, r, 6, 0))
	slopes := append(moduli[:7:7], ir.Instr{Kind: ir.Const, Type: r}, apply(scalar.Maximum, r, 2, 7), apply(scalar.Div, r, 6, 8), load(r, 2),
		apply(scalar.Mul, r, 9, 10), apply(scalar.Real, r, 0, 0), apply(scalar.Mul, r, 12, 11), apply(scalar.Imag, r, 0, 0), apply(scalar.Mul, r, 14, 11),
		apply(scalar.MakeComplex, c, 13, 15))
	return &ir.Line{
		Outer: []int{items, lines}, Segments: 1, Frames: []int{0, 1},
		Slots: []ir.Slot{
			signal, signal, {Kind: ir.InSlot, Type: r, Len: size, Strides: []int{0, 0}}, {Kind: ir.InSlot, Type: r, Len: bins, Strides: []int{0, 0}},
			{Kind: ir.LocalSlot, Type: r, Len: size}, {Kind: ir.LocalSlot, Type: r, Len: size}, {Kind: ir.LocalSlot, Type: c, Len: bins}, {Kind: ir.LocalSlot, Type: c, Len: bins},
			{Kind: ir.LocalSlot, Type: c, Len: bins}, {Kind: ir.LocalSlot, Type: r, Len: size}, {Kind: ir.LocalSlot, Type: r, Len: size},
			{Kind: ir.OutSlot, Type: r, Len: 1, Strides: []int{lines, 1}}, {Kind: ir.OutSlot, Type: r, Len: lines * hop, Strides: []int{lines * hop, 0}},
		},
		Stages: []ir.Stage{
			{Program: windowed, Reads: []ir.SlotID{0, 2}, Writes: []ir.SlotID{4}}, {Program: spectrum, Reads: []ir.SlotID{4}, Writes: []ir.SlotID{6}},
			{Program: windowed, Reads: []ir.SlotID{1, 2}, Writes: []ir.SlotID{5}}, {Program: spectrum, Reads: []ir.SlotID{5}, Writes: []ir.SlotID{7}},
			{Program: &ir.Reduce{Dims: []int{bins}, Inner: 1, Op: ir.Sum, Value: 7, Out: ir.Operand{Type: r}, Code: ir.Code{In: both, Instrs: squares},
				Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: r}}}}, Reads: []ir.SlotID{6, 7}, Writes: []ir.SlotID{11}},
			{Program: mapOf(bins, c, append(both[:2:2], over(r, 0, 1)), slopes...), Reads: []ir.SlotID{6, 7, 3}, Writes: []ir.SlotID{8}},
			{Program: &ir.FFT{Kind: ir.FFTRealInverse, N: size, Scale: 1, InLen: bins, In: over(c, 0, 1), Out: over(r, 0, 1)}, Reads: []ir.SlotID{8}, Writes: []ir.SlotID{9}},
			{Program: windowed, Reads: []ir.SlotID{9, 2}, Writes: []ir.SlotID{10}},
			{Program: &ir.Overlap{Turns: 1, Phases: 1, Size: size, Count: count, Hop: hop, Skip: size - 1, Length: lines * hop,
				In: ir.Operand{Type: r, Strides: []int{0, 0, 1}}, Out: over(r, 0, 1)}, Reads: []ir.SlotID{10}, Writes: []ir.SlotID{12}},
		},
	}
}

// storedFrames is the program with the frames themselves instead of their sum.
func storedFrames(p *ir.Line, lines, size int) *ir.Line {
	q := *p
	q.Frames = nil
	q.Stages = q.Stages[:len(q.Stages)-1]
	q.Slots = append([]ir.Slot(nil), p.Slots[:12]...)
	q.Slots[10] = ir.Slot{Kind: ir.OutSlot, Type: elem.Float32, Len: size, Strides: []int{lines * size, size}}
	return &q
}

// Frames that are added on chip have the bits of the steps that they are made of,
// whether a thread takes each through all stages or several do, but for those of a power of two
// samples in a thread, whose transforms are not packed.
func TestAddedFramesHaveTheBitsOfSteps(t *testing.T) {
	few := h200
	few.Processors = 1
	small := few // without room for rows of lines
	small.PoolBytes = 64 << 10
	for _, c := range []struct {
		items, lines, size, count, apart, hop int
		alone                                 bool // a thread for each
		card                                  kgen.Target
	}{
		{2, 131, 36, 130, 1, 1, true, few}, {1, 1500, 8, 1500, 3, 1, true, few},
		{2, 131, 36, 130, 1, 1, true, small}, {1, 200, 64, 200, 1, 1, true, few}, {2, 90, 30, 89, 1, 1, true, few}, {1, 90, 18, 90, 1, 1, true, small},
		{26, 33, 16, 33, 1, 1, true, few}, {1, 1200, 64, 1200, 1, 1, true, few},
		{2, 150, 16, 148, 40, 1, false, few}, {2, 40, 24, 38, 5, 5, false, h200},
		{1, 700, 64, 700, 1, 1, false, shader},
	} {
		t.Run(fmt.Sprint(c.items, c.lines, c.size, c.apart), func(t *testing.T) {
			t.Parallel()
			p := frameLoss(c.items, c.lines, c.size, c.count, c.apart, c.hop)
			if err := p.Verify(); err != nil {
				t.Fatal(err)
			}
			m, err := Generate(p, c.card)
			if err != nil {
				t.Fatal(err)
			}
			if alone := m.Steps[0].Threads == 32*share.Warps; alone != c.alone {
				t.Fatalf("blocks of %d threads", m.Steps[0].Threads)
			}
			r, n := elem.Float32, c.items*c.lines
			reads := [][]byte{random(r, n*c.apart), random(r, n*c.apart+1)[4:], random(r, c.size), random(r, c.size/2+1)}
			silence(reads[0][4*(c.lines/2):])
			silence(reads[1][4*(c.lines/2) : 4*(c.lines*3/4)])
			args := []scalar.Arg{scalar.ArgOf(r, 1e-8), scalar.ArgOf(r, 0)}
			got := [][]byte{make([]byte, 4*n), make([]byte, 4*n*c.hop)}
			if off := compareModule(t, m, p, reads, got, args...); !(off < 100) {
				t.Errorf("off by %g units", off)
			}
			if c.alone && c.size&(c.size-1) == 0 {
				return
			}
			if m, err = Generate(storedFrames(p, c.lines, c.size), c.card); err != nil {
				t.Fatal(err)
			}
			want := [][]byte{make([]byte, 4*n*c.size), make([]byte, 4*n)}
			if _, err := simulate.Run(m, reads, want, args, true); err != nil {
				t.Fatal(err)
			}
			frames, sums := elem.Slice[float32](want[0]), elem.Slice[float32](got[1])
			losses, alone := elem.Slice[float32](got[0]), elem.Slice[float32](want[1])
			for i := range losses {
				if losses[i] != alone[i] {
					t.Fatalf("loss %d: %v, a step has %v", i, losses[i], alone[i])
				}
			}
			o := p.Sums()[0].Program.(*ir.Overlap)
			for i := range sums {
				item, at := i/(c.lines*c.hop), i%(c.lines*c.hop)
				first, end := o.Frames(at)
				var list []float32
				for f := first; f < end; f++ {
					list = append(list, frames[(item*c.lines+f)*c.size+at+o.Skip-f*c.hop])
				}
				if sum := order.SumOfFrames(list, first, order.FrameGroup(o.Size, o.Hop)); sum != sums[i] {
					t.Fatalf("sample %d: %v, steps have %v", i, sums[i], sum)
				}
			}
		})
	}
}

// Lines that fill most of 32 KiB leave room for sums of many: groups that had one sample each
// would compute every line 64 times.
func TestFewLinesAreComputedTwice(t *testing.T) {
	const lines, size = 4096, 64
	m, err := Generate(frameLoss(1, lines, size, lines, 1, 1), shader)
	if err != nil {
		t.Fatal(err)
	}
	if again := m.Steps[0].Groups * (size - 1); again > lines/2 {
		t.Errorf("%d groups compute %d of %d lines a second time", m.Steps[0].Groups, again, lines)
	}
}

// Frames of a gradient that are stored, which no thread takes through all stages,
// and of whose spectra one waits as moduli.
func TestFramesOfAGradient(t *testing.T) {
	const items, lines, size = 2, 40, 64
	r := elem.Float32
	p := storedFrames(frameLoss(items, lines, size, lines, 1, 1), lines, size)
	p.Slots = p.Slots[:11]
	p.Stages = slices.Concat(p.Stages[:4], p.Stages[5:])
	p.Stages[4].Reads = []ir.SlotID{7, 6, 3}
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	reads := [][]byte{random(r, items*lines), random(r, items*lines+1)[4:], random(r, size), random(r, size/2+1)}
	args := []scalar.Arg{scalar.ArgOf(r, 1e-8), scalar.ArgOf(r, 0)}
	if off := compare(t, p, reads, [][]byte{make([]byte, 4*items*lines*size)}, args...); !(off < 100) {
		t.Errorf("off by %g units", off)
	}
}
