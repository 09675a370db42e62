package devicetest

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// convolution filters real lines in the frequency domain; the filter's
// spectrum is shared by all lines.
func convolution(c elem.Type, n int, outer []int, spacing int) *ir.Line {
	r, bins := c.Real(), n/2+1
	var code code
	product := code.apply(scalar.Mul, c, code.load(along(c)), code.load(along(c)))
	shared := lineSlot(ir.InSlot, c, bins, outer, 0)
	return &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{lineSlot(ir.InSlot, r, n, outer, spacing), shared, local(c, bins), local(c, bins), lineSlot(ir.OutSlot, r, n, outer, spacing)},
		Stages: []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(r), Out: along(c)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{2}},
			{Program: &ir.Map{Dims: []int{bins}, Code: code.Code, Out: []ir.Operand{along(c)}, Value: []ir.ValueID{product}}, Reads: []ir.SlotID{2, 1}, Writes: []ir.SlotID{3}},
			{Program: &ir.FFT{Kind: ir.FFTRealInverse, N: n, Scale: 1 / float64(n), InLen: bins, In: along(c), Out: along(r)}, Reads: []ir.SlotID{3}, Writes: []ir.SlotID{4}},
		},
	}
}

// quarterConvolution is a causal convolution by bins a quarter lower.
func quarterConvolution(c elem.Type, n int, outer []int) *ir.Line {
	p := convolution(c, n, outer, n)
	for i, kind := range map[int]ir.FFTKind{0: ir.FFTQuarterForward, 2: ir.FFTQuarterInverse} {
		f := p.Stages[i].Program.(*ir.FFT)
		f.Kind, f.InLen = kind, n
	}
	p.Stages[1].Program.(*ir.Map).Dims[0] = n
	for _, slot := range []ir.SlotID{1, 2, 3} {
		p.Slots[slot].Len = n
	}
	return p
}

// fastConvolution is a causal convolution of lines of l samples that are stored as halves, each
// channel, the last of outer, with a filter of its own, by transforms that may be fast: a device
// may compute in halves.
func fastConvolution(half elem.Type, l, n int, outer []int) *ir.Line {
	p := convolution(elem.Complex64, n, outer, l)
	p.Stages[0].Program.(*ir.FFT).InLen = l
	return storedAs(half, p, l)
}

// fastQuarters is the same by bins a quarter lower.
func fastQuarters(half elem.Type, n int, outer []int) *ir.Line {
	return storedAs(half, quarterConvolution(elem.Complex64, n, outer), n)
}

// byTaps makes the filters of such a convolution so many taps, which lines share the transform of.
func byTaps(p *ir.Line, taps int) *ir.Line {
	n := p.Slots[1].Len
	f := &ir.FFT{Kind: ir.FFTQuarterForward, N: n, Scale: 1, InLen: taps, In: along(elem.Float32), Out: along(elem.Complex64)}
	bins := p.AddSlot(ir.Slot{Kind: ir.SharedSlot, Type: elem.Complex64, Len: n})
	p.Slots[1] = ir.Slot{Kind: ir.InSlot, Type: elem.Float32, Len: taps, Strides: []int{0, taps}}
	p.Shared = []ir.Stage{{Program: f, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{bins}}}
	for _, s := range p.Stages {
		if i := slices.Index(s.Reads, 1); i >= 0 {
			s.Reads[i] = bins
		}
	}
	return p
}

// ownTaps makes the filters so many taps, too, which each line transforms itself, behind its samples.
func ownTaps(p *ir.Line, taps int) *ir.Line {
	p = byTaps(p, taps)
	p.Slots[p.Shared[0].Writes[0]].Kind = ir.LocalSlot
	p.Stages, p.Shared = slices.Insert(p.Stages, 1, p.Shared...), nil
	return p
}

// storedAs makes the l samples of a convolution's lines halves, and its transforms fast.
func storedAs(half elem.Type, p *ir.Line, l int) *ir.Line {
	r, outer := elem.Float32, p.Outer
	for _, i := range []int{0, 2} {
		p.Stages[i].Program.(*ir.FFT).Mode = accum.Fast
	}
	var in, out code
	wide, narrow := in.apply(scalar.Cast, r, in.load(along(half))), out.apply(scalar.Cast, half, out.load(along(r)))
	p.Slots[0], p.Slots[4] = lineSlot(ir.InSlot, half, l, outer, l), local(r, p.Slots[4].Len)
	p.Slots[1].Strides = []int{0, p.Slots[1].Len}
	u, y := p.AddSlot(local(r, l)), p.AddSlot(lineSlot(ir.OutSlot, half, l, outer, l))
	p.Stages[0].Reads = []ir.SlotID{u}
	p.Stages = append([]ir.Stage{{Program: mapOf(in, l, wide, r), Reads: []ir.SlotID{0}, Writes: []ir.SlotID{u}}}, p.Stages...)
	p.Stages = append(p.Stages, ir.Stage{Program: mapOf(out, l, narrow, half), Reads: []ir.SlotID{4}, Writes: []ir.SlotID{y}})
	return p
}

// padded is a convolution of lines of l samples, followed by zeros.
func padded(p *ir.Line, l int) *ir.Line {
	f := *p.Stages[0].Program.(*ir.FFT)
	f.InLen = l
	p.Stages[0].Program, p.Slots[0].Len = &f, l
	return p
}
