package devicetest

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// testLines runs what line programs are for: transforms with maps around
// them, averages over overlapping segments, and reductions of a spectrum.
func testLines(s *suite) {
	for _, c := range s.having(elem.Complex64, elem.Complex128) {
		for _, n := range []int{2, 15, 16, 60, 127, 256} {
			for _, outer := range [][]int{{}, {0}, {7}, {3, 6}} {
				s.sub(fmt.Sprintf("convolution/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(convolution(c, n, outer, n+3), nil)
				})
				s.sub(fmt.Sprintf("average/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(average(c, n, outer, 4), []scalar.Arg{scalar.ArgOf(c.Real(), 0.25)})
				})
				if n&(n-1) == 0 {
					s.sub(fmt.Sprintf("network/%s/%d x %v", c, n, outer), func(s *suite) {
						s.checkLine(network(c, n, outer, s.rng.Perm(n)), nil)
					})
				}
				s.sub(fmt.Sprintf("transforms/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(inARow(c, n, outer), nil)
				})
				s.sub(fmt.Sprintf("ramp/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(ramp(c, n, outer), nil)
				})
				s.sub(fmt.Sprintf("distance/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(distance(c, n, outer), []scalar.Arg{scalar.ArgOf(c.Real(), 1e-3)})
				})
				s.sub(fmt.Sprintf("peak/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(peak(c, n, outer, ir.Max), nil)
				})
				if ir.Count(outer) >= 4 {
					s.sub(fmt.Sprintf("columns/%s/%d x %v", c, n, outer), func(s *suite) {
						s.checkLine(sideBySide(peak(c, n, outer, ir.Sum)), nil)
						s.checkLine(sideBySide(peak(c, n, outer, ir.Max)), nil)
						s.checkLine(sideBySide(strongest(c, n, outer)), nil)
					})
				}
			}
		}
		for _, n := range []int{1, 2, 15, 16, 23, 60, 127, 179, 256} {
			s.sub(fmt.Sprintf("real bins/%s/%d", c, n), func(s *suite) { s.checkRealBins(c, n) })
		}
		for _, n := range []int{15, 16, 64} {
			for _, hop := range []int{1, 3, n + 1} {
				for _, outer := range [][]int{{}, {130}, {2, 77}, {3, 7, 20}} {
					if s.dev.Info().Overlaps && (n == 16 || hop < 3 && len(outer) > 0) {
						s.sub(fmt.Sprintf("overlap/%s/%d x %v by %d", c, n, outer, hop), func(s *suite) {
							s.checkLine(overlap(c, n, hop, n, outer, n%2 == 0), nil)
						})
						if hop == 1 {
							s.sub(fmt.Sprintf("overlap/%s/%d x %v at every sample", c, n, outer), func(s *suite) {
								s.checkLine(overlap(c, n, hop, 1, outer, n%2 == 0), nil)
							})
						}
					}
				}
			}
		}
		// Many short lines, more than a device takes at once and some to spare.
		for _, n := range []int{4, 16, 60, 64} {
			for _, outer := range [][]int{{16}, {2, 77}} {
				s.sub(fmt.Sprintf("frames/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(frames(c, n, outer), []scalar.Arg{scalar.ArgOf(c.Real(), 0.5)})
				})
				s.sub(fmt.Sprintf("many convolutions/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(convolution(c, n, outer, n+3), nil)
				})
				s.sub(fmt.Sprintf("many ramps/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(ramp(c, n, outer), nil)
				})
				s.sub(fmt.Sprintf("many averages/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(average(c, n, outer, 35), []scalar.Arg{scalar.ArgOf(c.Real(), 0.25)})
				})
			}
		}
		if c == elem.Complex64 {
			for _, n := range []int{15, 16, 60, 1024} {
				for _, outer := range [][]int{{}, {7}, {2, 77}} {
					s.sub(fmt.Sprintf("pairs of segments/%d x %v", n, outer), func(s *suite) { s.checkLine(pairs(n, outer, 3), nil) })
				}
			}
			for _, half := range []elem.Type{elem.Float16, elem.BFloat16} {
				for _, n := range []int{16, 64, 100, 256, 2048} {
					s.sub(fmt.Sprintf("fast convolution/%s/%d", half, n), func(s *suite) { s.checkFast(fastConvolution(half, n/2, n, []int{4, 3})) })
				}
				for _, n := range []int{16, 30, 256, 1024, 2048} {
					s.sub(fmt.Sprintf("fast causal convolution/%s/%d", half, n), func(s *suite) { s.checkFast(fastQuarters(half, n, []int{4, 3})) })
				}
				for _, n := range []int{64, 256, 1024, 2048} {
					s.sub(fmt.Sprintf("fast causal convolution by taps/%s/%d", half, n), func(s *suite) { s.checkFast(byTaps(fastQuarters(half, n, []int{4, 5}), n-3)) })
				}
			}
			for _, n := range []int{64, 256, 1024, 2048, 4096, 8192} {
				s.sub(fmt.Sprintf("causal convolution by taps/%d", n), func(s *suite) { s.checkLine(ownTaps(quarterConvolution(c, n, []int{4, 5}), n-3), nil) })
			}
		}
		for _, n := range []int{16, 30, 256, 512, 1024, 2048, 4096} {
			s.sub(fmt.Sprintf("causal convolution/%s/%d", c, n), func(s *suite) { s.checkLine(quarterConvolution(c, n, []int{3, 5}), nil) })
		}
		for _, n := range []int{1 << 15, 1 << 16} {
			p := quarterConvolution(c, n, []int{2})
			for _, i := range []int{0, 2} {
				p.Stages[i].Program.(*ir.FFT).Rows = 8
			}
			if takes := s.dev.Info().RoundTrips; takes != nil && takes(p) {
				s.sub(fmt.Sprintf("long causal convolution/%s/%d", c, n), func(s *suite) { s.checkLine(p, nil) })
			}
		}
		if s.dev.Info().Margins {
			testMargins(s, c)
		}
		for _, n := range []int{1 << 17, 88200} {
			p := padded(convolution(c, n, []int{2}, n), n/2)
			if takes := s.dev.Info().RoundTrips; takes != nil && takes(p) {
				s.sub(fmt.Sprintf("long convolution/%s/%d", c, n), func(s *suite) { s.checkLine(p, nil) })
			}
		}
	}
}

// checkRealBins asks that what follows a transform in its pass sees elements 0 and n/2
// of the spectra of real lines exactly real.
func (s *suite) checkRealBins(c elem.Type, n int) {
	s.Helper()
	const lines = 9
	r, bins, outer := c.Real(), n/2+1, []int{lines}
	var code code
	imag := code.apply(scalar.Imag, r, code.load(along(c)))
	p := &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{lineSlot(ir.InSlot, r, n, outer, n), local(c, bins), lineSlot(ir.OutSlot, r, bins, outer, bins)},
		Stages: []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(r), Out: along(c)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
			{Program: &ir.Map{Dims: []int{bins}, Code: code.Code, Out: []ir.Operand{along(r)}, Value: []ir.ValueID{imag}}, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{2}},
		},
	}
	reads := s.inputs([]int{lines, n}, []ir.Operand{ir.Contiguous(r, []int{lines, n})})
	got, err := s.execute(p, reads, blank(p), nil)
	if err != nil {
		s.Fatalf("%s: %v", p.Name(), err)
	}
	for i := range lines * bins {
		if k := i % bins; 2*k%n == 0 {
			if v := reference.Load(r, got[0], i); real(v.Num) != 0 {
				s.Errorf("element %d of line %d has the imaginary part %v", k, i/bins, v.Num)
			}
		}
	}
}

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

// checkFast allows what transforms in halves may lose, of the largest result of a line,
// and a rounding of the type.
func (s *suite) checkFast(p *ir.Line) {
	s.Helper()
	reads, out, o := s.reads(p), blank(p), ir.Writes(p)[0]
	s.reference(p, reads, out)
	l, step := p.Slots[0].Len, 0x1p-10 // between neighbours, over the lesser
	if o.Type == elem.BFloat16 {
		step = 0x1p-7
	}
	allowed := make([]float64, p.Lines())
	for i := range allowed {
		most := 0.0
		for j := range l {
			most = max(most, cmplx.Abs(reference.Load(o.Type, out[0], i*l+j).Num))
		}
		allowed[i] = (4*0x1p-11*math.Sqrt(1+math.Log2(float64(l))) + step) * most
	}
	s.check(p, reads, nil, nil, tolerance{anyZero: true, slack: func(_, i int) float64 { return allowed[i/l] }})
}

// checkLine allows what the transforms and products of a line may lose, of
// the largest result: each stage adds its own share to that of checkFFT.
func (s *suite) checkLine(p *ir.Line, args []scalar.Arg) {
	s.Helper()
	reads, longest := s.reads(p), lists.Max(1, p.Slots, func(s ir.Slot) int { return s.Len })
	out := blank(p)
	s.reference(p, reads, out, args...)
	before, most := blank(p), 0.0
	for k, o := range ir.Writes(p) {
		for i := range len(out[k]) / o.Type.Size() {
			if v := reference.Load(o.Type, out[k], i); v != reference.Load(o.Type, before[k], i) {
				most = max(most, cmplx.Abs(v.Num))
			}
		}
	}
	if len(p.Sums()) > 0 {
		// Frames come back from their spectra with the error of the largest sample,
		// and that times the window is added up, however small the sums are.
		scale := 1.0
		for k, o := range ir.Reads(p) {
			largest := 0.0
			for i := range len(reads[k]) / o.Type.Size() {
				largest = max(largest, cmplx.Abs(reference.Load(o.Type, reads[k], i).Num))
			}
			scale *= largest
		}
		most = max(most, scale)
	}
	t := ir.Writes(p)[0].Type
	allowed := 48 * unit(t) * math.Sqrt(1+math.Log2(float64(longest))) * most
	s.check(p, reads, nil, args, tolerance{anyZero: true, slack: func(int, int) float64 { return allowed }})
}
