package devicetest

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// testMargins runs lines that go beyond what is there, by every rule: frames of
// signals that are longer and shorter than a frame, next to each other and apart.
func testMargins(s *suite, c elem.Type) {
	half := []scalar.Arg{scalar.ArgOf(c.Real(), 0.5)}
	for _, n := range []int{2, 15, 16, 60, 127, 256} {
		for _, outer := range [][]int{{0}, {7}, {3, 6}} {
			s.sub(fmt.Sprintf("margin/%s/%d x %v", c, n, outer), func(s *suite) { s.checkLine(causal(c, n, outer), half) })
		}
	}
	for _, n := range []int{4, 16, 60, 64} {
		for _, outer := range [][]int{{16}, {2, 77}} {
			s.sub(fmt.Sprintf("many margins/%s/%d x %v", c, n, outer), func(s *suite) { s.checkLine(causal(c, n, outer), half) })
		}
	}
	for rule := ir.Constant; rule <= ir.Wrap; rule++ {
		for _, n := range []int{15, 16, 128} {
			for _, x := range []struct {
				hop, run int
				batch    []int
			}{{3, 3*n + 1, []int{2}}, {n + 2, 3*n + 1, []int{2, 3}}, {n / 2, n/2 + 1, nil}} {
				s.sub(fmt.Sprintf("centred/%s/rule %d/%d by %d of %d x %v", c, rule, n, x.hop, x.run, x.batch), func(s *suite) {
					s.checkLine(centred(c, n, x.hop, x.run, rule, x.batch, n == 16), half)
				})
			}
		}
	}
}

// causal is the spectra of frames that end at every third sample of a run, the
// first at its first, the last beyond its end; other dimensions choose runs.
func causal(c elem.Type, n int, outer []int) *ir.Line {
	const hop = 3
	last := len(outer) - 1
	run := max(1, hop*(outer[last]-1)-1) // samples
	return &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{framesOf(c.Real(), n, hop, n-1, run, ir.Constant, outer), lineSlot(ir.OutSlot, c, n/2+1, outer, n)},
		Stages: []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(c.Real()), Out: along(c)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
		},
	}
}

// framesOf is frames of n elements of a run, of which the first begins before
// elements in front of it. Dimensions but the last choose runs.
func framesOf(t elem.Type, n, hop, before, run int, rule ir.Rule, outer []int) ir.Slot {
	last := len(outer) - 1
	s := lineSlot(ir.InSlot, t, n, outer, run)
	s.Strides[last] = hop
	s.Margin = &ir.Margin{From: before, To: before + run, Strides: make([]int, len(outer)), Rule: rule}
	s.Margin.Strides[last] = hop
	s.Offset = -before
	for k := last - 1; k >= 0; k-- {
		s.Strides[k] = run
		run *= outer[k]
	}
	return s
}

// centred is the moduli of the spectra of windowed frames, or the sums of those;
// half a frame is before a run and half behind it.
func centred(c elem.Type, n, hop, run int, rule ir.Rule, batch []int, summed bool) *ir.Line {
	r, bins := c.Real(), n/2+1
	outer := append(batch[:len(batch):len(batch)], 1+(run+n/2*2-n)/hop)
	var window, modulus code
	windowed := window.apply(scalar.Mul, r, window.load(along(r)), window.load(along(r)))
	m := modulus.apply(scalar.Sqrt, r, modulus.apply(scalar.AbsSquared, r, modulus.load(along(c))))
	p := &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{framesOf(r, n, hop, n/2, run, rule, outer), lineSlot(ir.InSlot, r, n, outer, 0), local(r, n), local(c, bins), lineSlot(ir.OutSlot, r, bins, outer, bins)},
		Stages: []ir.Stage{
			{Program: &ir.Map{Dims: []int{n}, Code: window.Code, Out: []ir.Operand{along(r)}, Value: []ir.ValueID{windowed}}, Reads: []ir.SlotID{0, 1}, Writes: []ir.SlotID{2}},
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(r), Out: along(c)}, Reads: []ir.SlotID{2}, Writes: []ir.SlotID{3}},
			{Program: &ir.Map{Dims: []int{bins}, Code: modulus.Code, Out: []ir.Operand{along(r)}, Value: []ir.ValueID{m}}, Reads: []ir.SlotID{3}, Writes: []ir.SlotID{4}},
		},
	}
	if summed {
		acc := ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: r}}}
		p.Slots[4] = lineSlot(ir.OutSlot, r, 1, outer, 1)
		p.Stages[2].Program = &ir.Reduce{Dims: []int{bins}, Inner: 1, Code: modulus.Code, Value: m, Op: ir.Sum, Post: acc, Out: ir.Operand{Type: r}}
	}
	return p
}
