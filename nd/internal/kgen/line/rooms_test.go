package line

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// convolutions is what lower makes of causal convolutions one after the other, each with a filter
// of its own.
func convolutions(lines, l, count int) *ir.Line {
	r, c, n := elem.Float32, elem.Complex64, 2*l
	p := &ir.Line{Outer: []int{lines}, Segments: 1}
	local := func(t elem.Type, n int) ir.SlotID { return p.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: t, Len: n}) }
	stage := func(program ir.Program, to ir.SlotID, from ...ir.SlotID) {
		p.Stages = append(p.Stages, ir.Stage{Program: program, Reads: from, Writes: []ir.SlotID{to}})
	}
	x := p.AddSlot(ir.Slot{Kind: ir.InSlot, Type: r, Len: l, Strides: []int{l}})
	for range count {
		filter := p.AddSlot(ir.Slot{Kind: ir.InSlot, Type: r, Len: l, Strides: []int{0}})
		there := &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: l, In: over(r, 0, 1), Out: over(c, 0, 1)}
		back := &ir.FFT{Kind: ir.FFTRealInverse, N: n, Scale: 1 / float64(n), InLen: n/2 + 1, In: over(c, 0, 1), Out: over(r, 0, 1)}
		a, b, product := local(c, n/2+1), local(c, n/2+1), local(c, n/2+1)
		stage(there, a, x)
		stage(there, b, filter)
		stage(mapOf(n/2+1, c, []ir.Operand{over(c, 0, 1), over(c, 0, 1)}, load(c, 0), load(c, 1), apply(scalar.Mul, c, 0, 1)), product, a, b)
		x = local(r, n)
		stage(back, x, product)
	}
	out := p.AddSlot(ir.Slot{Kind: ir.OutSlot, Type: r, Len: l, Strides: []int{l}})
	stage(mapOf(l, r, []ir.Operand{over(r, 0, 1)}, load(r, 0)), out, x)
	return p
}

// What a line takes on chip does not grow with the convolutions it goes through.
func TestRoomsOfChains(t *testing.T) {
	for _, target := range []kgen.Target{h200, shader} {
		var pools []int
		for _, count := range []int{5, 9} {
			p := convolutions(3, 256, count)
			m, err := Generate(p, target)
			if err != nil {
				t.Fatal(err)
			}
			pools = append(pools, m.Kernels[0].Pool)
			reads := [][]byte{random(elem.Float32, 3*256)}
			for range count {
				reads = append(reads, random(elem.Float32, 256))
			}
			if off := compareModule(t, m, p, reads, zeros([]int{4 * 3 * 256})); !(off < 32*float64(count)) {
				t.Errorf("%d convolutions: off by %g units", count, off)
			}
		}
		if pools[0] != pools[1] || pools[0] == 0 {
			t.Errorf("lines of 5 and 9 convolutions take %d bytes", pools)
		}
	}
}
