package line

import (
	"errors"
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree/printer"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func over(t elem.Type, offset, stride int) ir.Operand {
	return ir.Operand{Type: t, Offset: offset, Strides: []int{stride}}
}

func load(t elem.Type, slot int) ir.Instr { return ir.Instr{Kind: ir.Load, Type: t, Slot: slot} }

func apply(op scalar.Op, t elem.Type, a, b ir.ValueID) ir.Instr {
	return ir.Instr{Kind: ir.Apply, Op: op, Type: t, A: a, B: b}
}

// mapOf is a map over n elements whose last instruction is its result.
func mapOf(n int, t elem.Type, in []ir.Operand, instrs ...ir.Instr) *ir.Map {
	return &ir.Map{Dims: []int{n}, Code: ir.Code{In: in, Instrs: instrs}, Out: []ir.Operand{over(t, 0, 1)}, Value: []ir.ValueID{ir.ValueID(len(instrs) - 1)}}
}

// convolution is what lower makes of a convolution of lines of l samples by
// transforms of n, with a filter and a bias per channel.
func convolution(batch, channels, l, n int) *ir.Line {
	r, c, bins := elem.Float32, elem.Complex64, n/2+1
	return &ir.Line{
		Outer: []int{batch, channels}, Segments: 1,
		Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: r, Len: l, Strides: []int{channels * l, l}},
			{Kind: ir.InSlot, Type: c, Len: bins, Strides: []int{0, bins}},
			{Kind: ir.InSlot, Type: r, Len: 1, Strides: []int{0, 1}},
			{Kind: ir.LocalSlot, Type: c, Len: bins}, {Kind: ir.LocalSlot, Type: c, Len: bins}, {Kind: ir.LocalSlot, Type: r, Len: n},
			{Kind: ir.OutSlot, Type: r, Len: l, Strides: []int{channels * l, l}},
		},
		Stages: []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: l, In: over(r, 0, 1), Out: over(c, 0, 1)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{3}},
			{Program: mapOf(bins, c, []ir.Operand{over(c, 0, 1), over(c, 0, 1)}, load(c, 0), load(c, 1), apply(scalar.Mul, c, 0, 1)), Reads: []ir.SlotID{3, 1}, Writes: []ir.SlotID{4}},
			{Program: &ir.FFT{Kind: ir.FFTRealInverse, N: n, Scale: 1 / float64(n), InLen: bins, In: over(c, 0, 1), Out: over(r, 0, 1)}, Reads: []ir.SlotID{4}, Writes: []ir.SlotID{5}},
			{Program: mapOf(l, r, []ir.Operand{over(r, 0, 1), over(r, 0, 0)}, load(r, 0), load(r, 1), apply(scalar.Add, r, 0, 1)), Reads: []ir.SlotID{5, 2}, Writes: []ir.SlotID{6}},
		},
	}
}

// peaks is what lower makes of Welch's method with a constant detrend and the
// keep highest of the maxima of the spectrum.
func peaks(batch, n, segments, keep int) *ir.Line {
	r, c, yes, bins := elem.Float32, elem.Complex64, elem.Bool, n/2+1
	l := n + (segments-1)*(n/2)
	mean := &ir.Reduce{Dims: []int{n}, Inner: 1, Op: ir.Sum, Code: ir.Code{In: []ir.Operand{over(r, 0, 1)}, Instrs: []ir.Instr{load(r, 0)}},
		Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: r}, {Kind: ir.Const, Type: r}, apply(scalar.Mul, r, 0, 1)}}, Out: ir.Operand{Type: r}}
	window := mapOf(n, r, []ir.Operand{over(r, 0, 1), over(r, 0, 0), over(r, 0, 1)},
		load(r, 0), load(r, 1), apply(scalar.Sub, r, 0, 1), load(r, 2), apply(scalar.Mul, r, 2, 3))
	first := mapOf(bins, r, []ir.Operand{over(c, 0, 1)}, load(c, 0), apply(scalar.AbsSquared, r, 0, 0))
	more := mapOf(bins, r, []ir.Operand{over(c, 0, 1), over(r, 0, 1)}, load(c, 0), apply(scalar.AbsSquared, r, 0, 0), load(r, 1), apply(scalar.Add, r, 1, 2))
	unit := mapOf(bins, r, []ir.Operand{over(r, 0, 1), over(r, 0, 1)}, load(r, 0), load(r, 1), apply(scalar.Mul, r, 0, 1))
	maxima := mapOf(bins-2, r, []ir.Operand{over(r, 1, 1), over(r, 0, 1), over(r, 2, 1)},
		load(r, 0), load(r, 1), load(r, 2), apply(scalar.Greater, yes, 0, 1), apply(scalar.Greater, yes, 0, 2), apply(scalar.And, yes, 3, 4),
		ir.Instr{Kind: ir.Const, Type: r, Slot: 1}, ir.Instr{Kind: ir.Apply, Op: scalar.Where, Type: r, A: 5, B: 0, C: 6})
	return &ir.Line{
		Outer: []int{batch}, Segments: segments,
		Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: r, Len: n, Strides: []int{l}, Segment: n / 2},
			{Kind: ir.InSlot, Type: r, Len: n, Strides: []int{0}}, {Kind: ir.InSlot, Type: r, Len: bins, Strides: []int{0}},
			{Kind: ir.LocalSlot, Type: r, Len: 1}, {Kind: ir.LocalSlot, Type: r, Len: n}, {Kind: ir.LocalSlot, Type: c, Len: bins},
			{Kind: ir.LocalSlot, Type: r, Len: bins}, {Kind: ir.LocalSlot, Type: r, Len: bins}, {Kind: ir.LocalSlot, Type: r, Len: bins - 2},
			{Kind: ir.OutSlot, Type: elem.Int64, Len: keep, Strides: []int{keep}},
		},
		Stages: []ir.Stage{
			{Each: true, Program: mean, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{3}},
			{Each: true, Program: window, Reads: []ir.SlotID{0, 3, 1}, Writes: []ir.SlotID{4}},
			{Each: true, Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: over(r, 0, 1), Out: over(c, 0, 1)}, Reads: []ir.SlotID{4}, Writes: []ir.SlotID{5}},
			{Each: true, First: first, Program: more, Reads: []ir.SlotID{5, 6}, Writes: []ir.SlotID{6}},
			{Program: unit, Reads: []ir.SlotID{6, 2}, Writes: []ir.SlotID{7}},
			{Program: maxima, Reads: []ir.SlotID{7, 7, 7}, Writes: []ir.SlotID{8}},
			{Program: &ir.Sort{Dims: []int{bins - 2}, Descending: true, Keep: keep, In: over(r, 0, 1), Places: new(over(elem.Int64, 0, 1))}, Reads: []ir.SlotID{8}, Writes: []ir.SlotID{9}},
		},
	}
}

// Programs as they come from lower, emulated.
func TestPrograms(t *testing.T) {
	const channels, batch, segments, keep = 3, 4, 3, 4
	for _, n := range []int{31, 34, 60, 64, 2048, 2053} { // by Rader's method and Bluestein's; with lines of several warps; with products that wrap around
		t.Run(fmt.Sprintf("peaks/%d", n), func(t *testing.T) {
			t.Parallel()
			args := []scalar.Arg{scalar.ArgOf(elem.Float32, complex(1/float64(n), 0)), scalar.ArgOf(elem.Float32, 0)}
			reads := [][]byte{random(elem.Float32, batch*(n+(segments-1)*(n/2))), random(elem.Float32, n), random(elem.Float32, n/2+1)}
			if off := compare(t, peaks(batch, n, segments, keep), reads, [][]byte{make([]byte, 8*batch*keep)}, args...); off != 0 {
				t.Errorf("positions are off by %g", off)
			}
		})
		for _, l := range []int{n, n / 2, n/2 + 1} {
			if n > 64 && l != n/2 || n < 60 || n%2 == 1 {
				continue
			}
			t.Run(fmt.Sprintf("convolution/%d of %d", l, n), func(t *testing.T) {
				t.Parallel()
				reads := [][]byte{random(elem.Float32, batch*channels*l), random(elem.Complex64, channels*(n/2+1)), random(elem.Float32, channels)}
				if off := compare(t, convolution(batch, channels, l, n), reads, [][]byte{make([]byte, 4*batch*channels*l)}); !(off < 16) {
					t.Errorf("off by %g units", off)
				}
			})
		}
	}
}

// With many lines to a multiprocessor, what segments share is loaded again for
// each.
func TestManyLines(t *testing.T) {
	const n, batch, segments, keep = 64, 150, 3, 4
	card := h200
	card.Processors = 1
	p := peaks(batch, n, segments, keep)
	m, err := Generate(p, card)
	if err != nil {
		t.Fatal(err)
	}
	args := []scalar.Arg{scalar.ArgOf(elem.Float32, complex(1/float64(n), 0)), scalar.ArgOf(elem.Float32, 0)}
	reads := [][]byte{random(elem.Float32, batch*(n+(segments-1)*n/2)), random(elem.Float32, n), random(elem.Float32, n/2+1)}
	if off := compareModule(t, m, p, reads, [][]byte{make([]byte, 8*batch*keep)}, args...); off != 0 {
		t.Errorf("positions are off by %g", off)
	}
	few, err := Generate(p, h200)
	if err != nil || textOf(few) == textOf(m) {
		t.Errorf("few lines have the same text: %v", err)
	}
}

// The power of real lines has rows that do not begin with a sector of memory.
func TestPowerIsStored(t *testing.T) {
	const n, bins, lines = 128, 65, 11
	r, c := elem.Float32, elem.Complex64
	p := &ir.Line{
		Outer: []int{lines}, Segments: 1,
		Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: r, Len: n, Strides: []int{n}}, {Kind: ir.LocalSlot, Type: c, Len: bins},
			{Kind: ir.OutSlot, Type: r, Len: bins, Offset: 1, Strides: []int{bins}},
		},
		Stages: []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: over(r, 0, 1), Out: over(c, 0, 1)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
			{Program: mapOf(bins, r, []ir.Operand{over(c, 0, 1)}, load(c, 0), apply(scalar.AbsSquared, r, 0, 0)), Reads: []ir.SlotID{1}, Writes: []ir.SlotID{2}},
		},
	}
	if off := compare(t, p, [][]byte{random(r, lines*n)}, [][]byte{make([]byte, 4*(1+lines*bins))}); !(off < 16) {
		t.Errorf("off by %g units", off)
	}
}

// What these programs are for is one launch, with nothing of a line in memory.
func TestProgramsAreOneLaunch(t *testing.T) {
	for name, p := range map[string]*ir.Line{
		"circular": convolution(64, 768, 1024, 1024), "causal": convolution(64, 768, 4096, 8192), "long": convolution(16, 768, 16384, 16384),
		"welch": peaks(65536, 1024, 8, 8), "long welch": peaks(4096, 4096, 8, 8),
	} {
		m, err := Generate(p, h200)
		if err != nil || len(m.Steps) != 1 || len(m.Scratch) != 0 {
			t.Errorf("%s: %d steps, %d arrays of scratch, %v", name, len(m.Steps), len(m.Scratch), err)
		}
	}
}

// The text of a program is the same every time: it is what compiled kernels are
// kept by.
func TestTextsAreStable(t *testing.T) {
	first, err := Generate(peaks(64, 1024, 8, 8), h200)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, err := Generate(peaks(64, 1024, 8, 8), h200); err != nil || textOf(again) != textOf(first) {
			t.Fatalf("another text: %v", err)
		}
	}
}

// Sizes of the index space are parameters: one text serves all of them.
func TestTextsDoNotDependOnLines(t *testing.T) {
	a, err := Generate(convolution(64, 768, 1024, 1024), h200)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Generate(convolution(128, 512, 1024, 1024), h200)
	if err != nil {
		t.Fatal(err)
	}
	if textOf(a) != textOf(b) {
		t.Error("another number of lines gives another text")
	}
}

// A line that one card holds on chip, another one with less shared memory
// transforms in passes. What neither can do is refused.
func TestLengthsAndCards(t *testing.T) {
	small := h200
	small.PoolBytes = 48 << 10
	for _, c := range []struct {
		n, steps int
		card     kgen.Target
	}{{4096, 1, h200}, {8192, 1, h200}, {16384, 1, h200}, {32768, 2, h200}, {1 << 23, 2, h200}, {1 << 25, 3, h200}, {8192, 2, small}, {4096, 1, shader}, {8192, 1, shader}, {16384, 2, shader}, {10007, 1, h200}, {10007, 3, small}, {10247, 1, h200}, {10249, 3, h200}, {12289, 1, h200}, {1_000_003, 3, h200}} {
		m, err := Generate(transformOf(c.n, 4, ir.FFTComplex, false, elem.Complex64), c.card)
		if err != nil || len(m.Steps) != c.steps {
			t.Errorf("%d with %d bytes: %d steps, want %d: %v", c.n, c.card.PoolBytes, len(m.Steps), c.steps, err)
		}
	}
	if _, err := Generate(transformOf(1<<30, 1, ir.FFTComplex, false, elem.Complex64), h200); !errors.Is(err, device.ErrUnsupported) {
		t.Errorf("2^30 elements: %v", err)
	}
}

func textOf(m *kgen.Module) string { return printer.CUDAUnit(m.Kernels...) }

// Samples, which a transform gives two at a time, are added up over segments in
// registers, all of them or a part.
func TestSamplesOfSegments(t *testing.T) {
	const n, segments = 64, 3
	r, c, bins := elem.Float32, elem.Complex64, n/2+1
	for _, part := range [][2]int{{0, n}, {3, 40}} {
		from, count := part[0], part[1]
		first := mapOf(count, r, []ir.Operand{over(r, from, 1)}, load(r, 0))
		more := mapOf(count, r, []ir.Operand{over(r, from, 1), over(r, 0, 1)}, load(r, 0), load(r, 1), apply(scalar.Add, r, 1, 0))
		p := &ir.Line{
			Outer: []int{2}, Segments: segments,
			Slots: []ir.Slot{
				{Kind: ir.InSlot, Type: c, Len: bins, Strides: []int{segments * bins}, Segment: bins}, {Kind: ir.LocalSlot, Type: r, Len: n},
				{Kind: ir.LocalSlot, Type: r, Len: count}, {Kind: ir.OutSlot, Type: r, Len: count, Strides: []int{count}},
			},
			Stages: []ir.Stage{
				{Each: true, Program: &ir.FFT{Kind: ir.FFTRealInverse, N: n, Scale: 1, InLen: bins, In: over(c, 0, 1), Out: over(r, 0, 1)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
				{Each: true, First: first, Program: more, Reads: []ir.SlotID{1, 2}, Writes: []ir.SlotID{2}},
				{Program: mapOf(count, r, []ir.Operand{over(r, 0, 1)}, load(r, 0), apply(scalar.Neg, r, 0, 0)), Reads: []ir.SlotID{2}, Writes: []ir.SlotID{3}},
			},
		}
		if err := p.Verify(); err != nil {
			t.Fatal(err)
		}
		if off := compare(t, p, [][]byte{random(c, 2*segments*bins)}, [][]byte{make([]byte, 4*2*count)}); !(off < 16) {
			t.Errorf("from %d: off by %g units", from, off)
		}
	}
}

// The longest lines that a block holds and shorter ones than the longest in passes, by
// the recipes that were measured for them.
func TestMeasuredRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the reference takes a second for each")
	}
	for _, c := range []struct{ l, n, steps int }{{16384, 16384, 1}, {16384, 32768, 1}, {32768, 65536, 3}, {65536, 131072, 3}} {
		t.Run(fmt.Sprintf("%d of %d", c.l, c.n), func(t *testing.T) {
			t.Parallel()
			p := convolution(2, 1, c.l, c.n)
			m, err := Generate(p, h200)
			if err != nil || len(m.Steps) != c.steps {
				t.Fatalf("%d steps, %v", len(m.Steps), err)
			}
			reads := [][]byte{random(elem.Float32, 2*c.l), random(elem.Complex64, c.n/2+1), random(elem.Float32, 1)}
			if off := compareModule(t, m, p, reads, [][]byte{make([]byte, 8*c.l)}); !(off < 24) {
				t.Errorf("off by %g units", off)
			}
		})
	}
}
