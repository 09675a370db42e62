package devicetest

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// lineSlot is a slot in a buffer whose lines are spacing apart, the last
// outer dimension fastest.
func lineSlot(kind ir.SlotKind, t elem.Type, n int, outer []int, spacing int) ir.Slot {
	strides := make([]int, len(outer))
	step := spacing
	for i := len(outer) - 1; i >= 0; i-- {
		strides[i] = step
		step *= outer[i]
	}
	return ir.Slot{Kind: kind, Type: t, Len: n, Strides: strides}
}

func local(t elem.Type, n int) ir.Slot { return ir.Slot{Kind: ir.LocalSlot, Type: t, Len: n} }

func along(t elem.Type) ir.Operand { return ir.Operand{Type: t, Strides: []int{1}} }

// mapOf is a map along a line that stores one value.
func mapOf(c code, n int, value ir.ValueID, out elem.Type) *ir.Map {
	return &ir.Map{Dims: []int{n}, Code: c.Code, Out: []ir.Operand{along(out)}, Value: []ir.ValueID{value}}
}

// inARow is four transforms, each of the one before.
func inARow(c elem.Type, n int, outer []int) *ir.Line {
	p := &ir.Line{Outer: outer, Segments: 1, Slots: []ir.Slot{lineSlot(ir.InSlot, c, n, outer, n)}}
	for i := range ir.SlotID(4) {
		f := &ir.FFT{Kind: ir.FFTComplex, N: n, Scale: 1 / math.Sqrt(float64(n)), InLen: n, Inverse: i == 2, In: along(c), Out: along(c)}
		p.Stages = append(p.Stages, ir.Stage{Program: f, Reads: []ir.SlotID{i}, Writes: []ir.SlotID{i + 1}})
		p.Slots = append(p.Slots, local(c, n))
	}
	p.Slots[4] = lineSlot(ir.OutSlot, c, n, outer, n)
	return p
}

// ramp weights the samples of real lines, and then their bins, by where they are
// in the line.
func ramp(c elem.Type, n int, outer []int) *ir.Line {
	r, bins := c.Real(), n/2+1
	weighted := func(t elem.Type, first, step, n int) *ir.Map {
		var code code
		at := code.index(ir.Operand{Type: elem.Int64, Offset: first, Strides: []int{step}})
		v := code.apply(scalar.Mul, t, code.load(along(t)), code.apply(scalar.Cast, t, at))
		return &ir.Map{Dims: []int{n}, Code: code.Code, Out: []ir.Operand{along(t)}, Value: []ir.ValueID{v}}
	}
	return &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{lineSlot(ir.InSlot, r, n, outer, n), local(r, n), local(c, bins), lineSlot(ir.OutSlot, c, bins, outer, bins)},
		Stages: []ir.Stage{
			{Program: weighted(r, n, -1, n), Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(r), Out: along(c)}, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{2}},
			{Program: weighted(c, 3, 2, bins), Reads: []ir.SlotID{2}, Writes: []ir.SlotID{3}},
		},
	}
}

// distance compares the spectra of two windowed lines by their moduli, which
// are at least the launch's argument: one spectrum and a modulus are stored, and
// the differences and two sums.
func distance(c elem.Type, n int, outer []int) *ir.Line {
	r, bins := c.Real(), n/2+1
	var window, compare, power, differ code
	w := window.load(along(r))
	wx, wy := window.apply(scalar.Mul, r, window.load(along(r)), w), window.apply(scalar.Mul, r, window.load(along(r)), w)
	modulus := func(c *code, z ir.ValueID) ir.ValueID {
		return c.apply(scalar.Sqrt, r, c.apply(scalar.Maximum, r, c.apply(scalar.AbsSquared, r, z), c.constant(r, 0)))
	}
	mx, my := modulus(&compare, compare.load(along(c))), modulus(&compare, compare.load(along(c)))
	off := compare.apply(scalar.Sub, r, my, mx)
	ratio := compare.apply(scalar.Sub, r, compare.apply(scalar.Log, r, mx), compare.apply(scalar.Log, r, my))
	m := modulus(&power, power.load(along(c)))
	square := power.apply(scalar.Mul, r, m, m)
	size := differ.apply(scalar.Abs, r, differ.load(along(r)))
	spectrum := &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(r), Out: along(c)}
	sum := func(c code, v ir.ValueID) *ir.Reduce {
		acc := ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: r}}}
		return &ir.Reduce{Dims: []int{bins}, Inner: 1, Code: c.Code, Value: v, Op: ir.Sum, Post: acc, Out: ir.Operand{Type: r}}
	}
	out := func(t elem.Type, n int) ir.Slot { return lineSlot(ir.OutSlot, t, n, outer, n) }
	return &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{
			lineSlot(ir.InSlot, r, n, outer, 0), lineSlot(ir.InSlot, r, n, outer, n+1), lineSlot(ir.InSlot, r, n, outer, n+2),
			local(r, n), local(r, n), out(c, bins), local(c, bins), out(r, bins), out(r, bins), out(r, bins), out(r, 1), out(r, 1),
		},
		Stages: []ir.Stage{
			{Program: &ir.Map{Dims: []int{n}, Code: window.Code, Out: []ir.Operand{along(r), along(r)}, Value: []ir.ValueID{wx, wy}}, Reads: []ir.SlotID{0, 1, 2}, Writes: []ir.SlotID{3, 4}},
			{Program: spectrum, Reads: []ir.SlotID{3}, Writes: []ir.SlotID{5}},
			{Program: spectrum, Reads: []ir.SlotID{4}, Writes: []ir.SlotID{6}},
			{Program: &ir.Map{Dims: []int{bins}, Code: compare.Code, Out: []ir.Operand{along(r), along(r), along(r)}, Value: []ir.ValueID{mx, off, ratio}},
				Reads: []ir.SlotID{5, 6}, Writes: []ir.SlotID{7, 8, 9}},
			{Program: sum(power, square), Reads: []ir.SlotID{6}, Writes: []ir.SlotID{10}},
			{Program: sum(differ, size), Reads: []ir.SlotID{8}, Writes: []ir.SlotID{11}},
		},
	}
}

// average is the mean power spectrum of segments that overlap by half,
// windowed, times the launch's argument.
func average(c elem.Type, n int, outer []int, segments int) *ir.Line {
	r, bins, hop := c.Real(), n/2+1, (n+1)/2
	var window, first, more, scale code
	windowed := window.apply(scalar.Mul, r, window.load(along(r)), window.load(along(r)))
	power := first.apply(scalar.AbsSquared, r, first.load(along(c)))
	z := more.load(along(c))
	sum := more.apply(scalar.Add, r, more.apply(scalar.AbsSquared, r, z), more.load(along(r)))
	scaled := scale.apply(scalar.Mul, r, scale.load(along(r)), scale.constant(r, 0))
	frames := lineSlot(ir.InSlot, r, n, outer, n+segments*hop)
	frames.Segment = hop
	spectrum := &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(r), Out: along(c)}
	return &ir.Line{
		Outer: outer, Segments: segments,
		Slots: []ir.Slot{frames, lineSlot(ir.InSlot, r, n, outer, 0), local(r, n), local(c, bins), local(r, bins), lineSlot(ir.OutSlot, r, bins, outer, bins)},
		Stages: []ir.Stage{
			{Program: mapOf(window, n, windowed, r), Reads: []ir.SlotID{0, 1}, Writes: []ir.SlotID{2}, Each: true},
			{Program: spectrum, Reads: []ir.SlotID{2}, Writes: []ir.SlotID{3}, Each: true},
			{Program: mapOf(more, bins, sum, r), First: mapOf(first, bins, power, r), Reads: []ir.SlotID{3, 4}, Writes: []ir.SlotID{4}, Each: true},
			{Program: mapOf(scale, bins, scaled, r), Reads: []ir.SlotID{4}, Writes: []ir.SlotID{5}},
		},
	}
}

// pairs is the power spectra of segments that overlap by half, windowed and added up, two of
// them as one complex line.
func pairs(n int, outer []int, count int) *ir.Line {
	c, r, bins, hop := elem.Complex64, elem.Float32, n/2+1, (n+1)/2
	var window, first, more, fold code
	w := window.load(along(r))
	part := func(offset int) ir.ValueID {
		return window.apply(scalar.Mul, r, window.load(ir.Operand{Type: r, Offset: offset, Strides: []int{1}}), w)
	}
	pair := window.apply(scalar.MakeComplex, c, part(0), part(hop))
	power := first.apply(scalar.AbsSquared, r, first.load(along(c)))
	z := more.load(along(c))
	sum := more.apply(scalar.Add, r, more.apply(scalar.AbsSquared, r, z), more.load(along(r)))
	bin := fold.load(ir.Operand{Type: r, Offset: 1, Strides: []int{1}})
	folded := fold.apply(scalar.Add, r, bin, fold.load(ir.Operand{Type: r, Offset: n - 1, Strides: []int{-1}}))
	both := mapOf(fold, bins-1, folded, r)
	both.Out[0].Offset = 1
	frames := lineSlot(ir.InSlot, r, n+hop, outer, n+2*count*hop)
	frames.Segment = 2 * hop
	return &ir.Line{
		Outer: outer, Segments: count,
		Slots: []ir.Slot{lineSlot(ir.InSlot, r, n, outer, 0), frames, local(c, n), local(c, n), local(r, n), lineSlot(ir.OutSlot, r, bins, outer, bins)},
		Stages: []ir.Stage{
			{Program: mapOf(window, n, pair, c), Reads: []ir.SlotID{0, 1, 1}, Writes: []ir.SlotID{2}, Each: true},
			{Program: &ir.FFT{Kind: ir.FFTComplex, Powers: true, N: n, Scale: 1, InLen: n, In: along(c), Out: along(c)}, Reads: []ir.SlotID{2}, Writes: []ir.SlotID{3}, Each: true},
			{Program: mapOf(more, n, sum, r), First: mapOf(first, n, power, r), Reads: []ir.SlotID{3, 4}, Writes: []ir.SlotID{4}, Each: true},
			{Program: ir.CopyOf(along(r), 1), Reads: []ir.SlotID{4}, Writes: []ir.SlotID{5}},
			{Program: both, Reads: []ir.SlotID{4, 4}, Writes: []ir.SlotID{5}},
		},
	}
}

// network is a transform, a butterfly with two factors shared by all lines,
// and the transform back.
func network(c elem.Type, n int, outer, order []int) *ir.Line {
	b := &ir.Butterfly{N: n, Spans: []int{1, n / 2}, From: order, In: along(c), Out: along(c)}
	b.W = ir.Contiguous(c, b.WDims())
	fft := func(inverse bool) *ir.FFT {
		return &ir.FFT{N: n, Inverse: inverse, Scale: 1, InLen: n, In: along(c), Out: along(c)}
	}
	return &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{lineSlot(ir.InSlot, c, n, outer, n+1), lineSlot(ir.InSlot, c, 4*n, outer, 0), local(c, n), local(c, n), lineSlot(ir.OutSlot, c, n, outer, n)},
		Stages: []ir.Stage{
			{Program: fft(false), Reads: []ir.SlotID{0}, Writes: []ir.SlotID{2}},
			{Program: b, Reads: []ir.SlotID{2, 1}, Writes: []ir.SlotID{3}},
			{Program: fft(true), Reads: []ir.SlotID{3}, Writes: []ir.SlotID{4}},
		},
	}
}

// frames is what gradients of spectra are made of: windows that begin at every
// sample, their bins made into others by real and imaginary parts, the power of
// each window, the bins and the windows that belong to them.
func frames(c elem.Type, n int, outer []int) *ir.Line {
	r, bins, last := c.Real(), n/2+1, len(outer)-1
	var window, parts, power, post code
	windowed := window.apply(scalar.Mul, r, window.load(along(r)), window.load(along(r)))
	z, weight := parts.load(along(c)), parts.load(along(r))
	weight = parts.apply(scalar.Mul, r, weight, parts.constant(r, 0))
	turned := parts.apply(scalar.Mul, c, parts.apply(scalar.Conj, c, z), parts.apply(scalar.Sub, c, z, parts.apply(scalar.Neg, c, z)))
	re := parts.apply(scalar.Add, r, parts.apply(scalar.Real, r, turned), parts.apply(scalar.Imag, r, z))
	made := parts.apply(scalar.MakeComplex, c, re, weight)
	squared := power.apply(scalar.AbsSquared, r, power.load(along(c)))
	post.add(ir.Instr{Kind: ir.Acc, Type: r})
	post.apply(scalar.Sqrt, r, 0)
	signal := lineSlot(ir.InSlot, r, n, outer, outer[last]+n)
	for k := range signal.Strides {
		signal.Strides[k] /= outer[last]
	}
	signal.Strides[last] = 1
	return &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{signal, lineSlot(ir.InSlot, r, n, outer, 0), lineSlot(ir.InSlot, r, bins, outer, bins), local(r, n), local(c, bins),
			lineSlot(ir.OutSlot, r, n, outer, n+1), lineSlot(ir.OutSlot, r, 1, outer, 1), lineSlot(ir.OutSlot, c, bins, outer, bins)},
		Stages: []ir.Stage{
			{Program: mapOf(window, n, windowed, r), Reads: []ir.SlotID{0, 1}, Writes: []ir.SlotID{3}},
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(r), Out: along(c)}, Reads: []ir.SlotID{3}, Writes: []ir.SlotID{4}},
			{Program: &ir.Reduce{Dims: []int{bins}, Inner: 1, Code: power.Code, Value: squared, Op: ir.Sum, Post: post.Code,
				Out: ir.Operand{Type: r}}, Reads: []ir.SlotID{4}, Writes: []ir.SlotID{6}},
			{Program: mapOf(parts, bins, made, c), Reads: []ir.SlotID{4, 2}, Writes: []ir.SlotID{7}},
			{Program: &ir.FFT{Kind: ir.FFTRealInverse, N: n, Scale: 1, InLen: bins, In: along(c), Out: along(r)}, Reads: []ir.SlotID{7}, Writes: []ir.SlotID{5}},
		},
	}
}

// overlap adds frames that went through their spectra where they overlap, and
// stores the mean of each, too. All but the last two frames count. The first of
// three outer dimensions chooses signals, and of two if signals is set. Frames come
// from apart in memory.
func overlap(c elem.Type, n, hop, apart int, outer []int, signals bool) *ir.Line {
	r, bins := c.Real(), n/2+1
	var window, mean, post code
	windowed := window.apply(scalar.Mul, r, window.load(along(r)), window.load(along(r)))
	value := mean.load(along(r))
	post.add(ir.Instr{Kind: ir.Acc, Type: r})
	p := &ir.Line{
		Outer: outer, Segments: 1, Frames: make([]int, len(outer)),
		Slots: []ir.Slot{lineSlot(ir.InSlot, r, n, outer, apart), lineSlot(ir.InSlot, r, n, outer, 0), local(c, bins), local(r, n), local(r, n),
			lineSlot(ir.OutSlot, r, 1, outer, 1), {Kind: ir.OutSlot, Type: r, Strides: make([]int, len(outer))}},
		Stages: []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(r), Out: along(c)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{2}},
			{Program: &ir.FFT{Kind: ir.FFTRealInverse, N: n, Scale: 1 / float64(n), InLen: bins, In: along(c), Out: along(r)}, Reads: []ir.SlotID{2}, Writes: []ir.SlotID{3}},
			{Program: &ir.Reduce{Dims: []int{n}, Inner: 1, Code: mean.Code, Value: value, Op: ir.Sum, Post: post.Code,
				Out: ir.Operand{Type: r}}, Reads: []ir.SlotID{3}, Writes: []ir.SlotID{5}},
			{Program: &ir.Map{Dims: []int{n}, Code: window.Code, Out: []ir.Operand{along(r)}, Value: []ir.ValueID{windowed}}, Reads: []ir.SlotID{3, 1}, Writes: []ir.SlotID{4}},
		},
	}
	frames := 1
	for k := len(outer) - 1; k >= 0; k-- {
		if k == 0 && (len(outer) == 3 || len(outer) == 2 && signals) {
			break
		}
		p.Frames[k] = frames
		frames *= outer[k]
	}
	count := max(1, frames-2)
	length := count*hop + n // beyond the last
	if len(outer) > 0 && p.Frames[0] == 0 {
		p.Slots[6].Strides[0] = length + 3
	}
	p.Slots[6].Len = length
	p.Stages = append(p.Stages, ir.Stage{Reads: []ir.SlotID{4}, Writes: []ir.SlotID{6}, Program: &ir.Overlap{Turns: 1, Phases: 1, Size: n - 1, Count: count, Hop: hop,
		Skip: n / 3, Length: length, In: ir.Operand{Type: r, Offset: 1, Strides: []int{0, 0, 1}}, Out: along(r)}})
	return p
}

// peak is the largest magnitude of a spectrum, or what else magnitudes reduce to.
func peak(c elem.Type, n int, outer []int, op ir.ReduceOp) *ir.Line {
	r := c.Real()
	var magnitude, post code
	abs := magnitude.apply(scalar.Abs, r, magnitude.load(along(c)))
	post.add(ir.Instr{Kind: ir.Acc, Type: r})
	return &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{lineSlot(ir.InSlot, c, n, outer, n), local(c, n), lineSlot(ir.OutSlot, r, 1, outer, 1)},
		Stages: []ir.Stage{
			{Program: &ir.FFT{N: n, Scale: 1, InLen: n, In: along(c), Out: along(c)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
			{Program: &ir.Reduce{Dims: []int{n}, Inner: 1, Code: magnitude.Code, Value: abs, Op: op, Post: post.Code,
				Out: ir.Operand{Type: r}}, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{2}},
		},
	}
}

// strongest is the largest magnitude of a spectrum, and the bin that it is in.
func strongest(c elem.Type, n int, outer []int) *ir.Line {
	r := c.Real()
	var magnitude code
	abs := magnitude.apply(scalar.Abs, r, magnitude.load(along(c)))
	values, places := along(r), along(elem.Int64)
	return &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{lineSlot(ir.InSlot, c, n, outer, n), local(c, n), local(r, n), lineSlot(ir.OutSlot, r, 1, outer, 1), lineSlot(ir.OutSlot, elem.Int64, 1, outer, 1)},
		Stages: []ir.Stage{
			{Program: &ir.FFT{N: n, Scale: 1, InLen: n, In: along(c), Out: along(c)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
			{Program: mapOf(magnitude, n, abs, r), Reads: []ir.SlotID{1}, Writes: []ir.SlotID{2}},
			{Program: &ir.Sort{Dims: []int{n}, Descending: true, Keep: 1, In: along(r), Values: &values, Places: &places}, Reads: []ir.SlotID{2}, Writes: []ir.SlotID{3, 4}},
		},
	}
}

// sideBySide is a program whose lines lie side by side, so that the elements of each are
// as far apart as there are lines.
func sideBySide(p *ir.Line) *ir.Line {
	f, lines := p.Stages[0].Program.(*ir.FFT), p.Lines()
	f.In.Strides = []int{lines}
	p.Slots[0] = lineSlot(ir.InSlot, f.In.Type, (f.InLen-1)*lines+1, p.Outer, 1)
	return p
}
