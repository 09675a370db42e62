package lines

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// long is a transform of lines that do not fit on chip. Its length is a
// product of two or three factors, and a line an array of that shape. Each pass
// transforms along one axis and turns the results; the last one stores them
// with the axes reversed, which is the natural order. No pass transposes: blocks
// take neighbouring lines of an axis, so that threads which follow each other
// read and write places that do.
type long struct {
	*unit
	f *ir.FFT
	*precision
	n       int // the complex length
	factors []int
	batch   *ir.Line // the lines: slots of input, output
	most    int      // the longest factor
}

// longest is the length up to which elements are counted in 32 bits.
const longest = 1 << 29

// longestFactor is the longest line of a pass: eight of them are in a block.
const longestFactor = 2048

// generateLong writes a transform as several steps, of factors up to most.
func generateLong(f *ir.FFT, card emit.Card, most int) (*emit.Module, error) {
	batch := alone(f)
	f = batch.Stages[0].Program.(*ir.FFT) // slots know where lines begin
	g := &long{unit: newUnit(card), f: f, precision: precisionOf(f), n: f.N, batch: batch, most: most}
	packed := f.Kind != ir.FFTComplex && f.N%2 == 0 && g.split(f.N/2) != nil
	if packed {
		g.n = f.N / 2
	}
	if f.N > longest || g.batch.Lines() > math.MaxInt32 {
		return nil, g.unsupported()
	}
	if g.factors = g.split(g.n); g.factors == nil {
		return g.chirped()
	}
	g.reserve(1)
	if packed {
		g.reserve(1)
	}
	x := &transform{f: f, precision: g.precision, packed: packed}
	var err error
	switch {
	case packed && f.Kind == ir.FFTRealForward:
		err = g.passes(x.inverse(), g.input(x), g.intoScratch(1))
		g.untangle(x)
	case packed:
		g.tangle(x)
		err = g.passes(true, g.fromScratch(1), g.output(x))
	default:
		err = g.passes(x.inverse(), g.input(x), g.output(x))
	}
	if err != nil {
		return nil, err
	}
	return g.finish(), nil
}

// split is the factors of n, as equal as they can be without threads that
// idle, two of them if they are short enough, else three; nil if that is too
// few.
func (g *long) split(n int) []int {
	if !smooth(n) {
		return nil
	}
	var lengths []int
	price := map[int]float64{}
	for m := 1; m <= min(n, g.most); m++ {
		if n%m != 0 {
			continue
		}
		s, _, err := g.columns(m)
		if err == nil && len(s.radices) > 1 && 8*s.threads <= mostThreads && 8*s.room(g.precision)*g.bytes()+1024 <= g.card.SharedBytes {
			lengths = append(lengths, m)
			price[m] = float64(m)
			if _, known := measuredColumns[m]; !known {
				price[m] *= s.idle()
			}
		}
	}
	var best []int
	least := 0.0
	try := func(list ...int) {
		most := 0.0
		for _, m := range list {
			if price[m] == 0 {
				return
			}
			most = max(most, price[m])
		}
		if best == nil || most < least {
			best, least = list, most
		}
	}
	for _, a := range lengths {
		try(a, n/a)
	}
	if best != nil {
		return best
	}
	for _, a := range lengths {
		for _, b := range lengths {
			if n/a%b == 0 {
				try(a, b, n/a/b)
			}
		}
	}
	return best
}

// columns is how lines of m numbers that lie side by side are transformed, and
// how many a block takes.
func (g *long) columns(m int) (split, tuned, error) {
	if t, ok := measuredColumns[m]; ok && g.bits == 32 {
		return split{m, t.radices, t.threads}, t, nil
	}
	s, _, err := splitOf(m, g.precision, false)
	lines := 8
	if m%4 != 0 && 16*s.threads <= mostThreads && 16*s.room(g.precision)*g.bytes() <= 64<<10 {
		lines = 16 // rows do not begin with a sector of memory, so more of each helps
	}
	for lines < 32 && lines*s.threads < 128 && 2*lines*s.room(g.precision)*g.bytes() <= 32<<10 {
		lines *= 2
	}
	return s, tuned{lines: lines}, err
}

// reserve asks for arrays of n numbers per line.
func (g *long) reserve(arrays int) {
	for range arrays {
		g.Scratch = append(g.Scratch, g.batch.Lines()*g.n*g.bytes())
	}
}

// end is where a pass reads or writes: a slot, and how.
type end struct {
	slot  ir.Slot
	param emit.Param
	read  func(k *kernel) func(at place) number
	write func(k *kernel) func(at place, v number)
}

// input is the transform's input, element by element.
func (g *long) input(x *transform) end {
	return end{slot: g.batch.Slots[0], param: emit.Read(0), read: func(k *kernel) func(place) number {
		k.ffts[0] = x
		k.p.Stages = g.batch.Stages
		in := k.sourceOf(0)
		plain := k.plainIn(x, in)
		return func(at place) number {
			if x.packed {
				return in(cell{at, 2})[0]
			}
			return plain([]place{at})[0]
		}
	}}
}

// output is the transform's output.
func (g *long) output(x *transform) end {
	return end{slot: g.batch.Slots[1], param: emit.Write(0), write: func(k *kernel) func(place, number) {
		out := func(at cell, v []number) {
			names := make([]string, at.width)
			for j, z := range v {
				names[j] = g.spelled(z.re)
				if g.f.Out.Type.IsComplex() {
					names[j] = g.paired(z)
				}
			}
			o := ir.Operand{Type: g.f.Out.Type, Strides: g.f.Out.Strides[len(g.f.Outer):]}
			k.write(1, o, at, names, "")
		}
		deliver := k.plainOut(x, out)
		if x.packed {
			deliver = k.packedOut(x, out)
		}
		return func(at place, v number) { deliver([]place{at}, []number{v}) }
	}}
}

// complexType is the type of numbers in scratch.
func (g *long) complexType() elem.Type {
	if g.bits == 64 {
		return elem.Complex128
	}
	return elem.Complex64
}

// array is a slot in scratch.
func (g *long) array(kind ir.SlotKind) ir.Slot {
	outer := g.batch.Outer
	strides := ir.Contiguous(g.complexType(), append(append([]int(nil), outer...), g.n)).Strides
	return ir.Slot{Kind: kind, Type: g.complexType(), Len: g.n, Strides: strides[:len(outer)]}
}

func (g *long) fromScratch(i int) end {
	return end{slot: g.array(ir.InSlot), param: emit.Scratch(i), read: func(k *kernel) func(place) number {
		return func(at place) number {
			v := k.let(g.pair, "s0[%s]", at)
			return number{v + ".re", v + ".im"}
		}
	}}
}

func (g *long) intoScratch(i int) end {
	return end{slot: g.array(ir.OutSlot), param: emit.Scratch(i), write: func(k *kernel) func(place, number) {
		return func(at place, v number) { k.when(both(k.alive(), at.ok), "s1[%s] = %s;", at, g.paired(v)) }
	}}
}

// alive is the condition that a thread has a line to store.
func (k *kernel) alive() string {
	if k.outer.turned {
		return "live2"
	}
	return "live"
}

// passes transforms from one end to another by way of the first array of
// scratch.
func (g *long) passes(inverse bool, from, to end) error {
	before, after := 1, g.n
	for i, m := range g.factors {
		after /= m
		in, out := g.fromScratch(0), g.intoScratch(0)
		if i == 0 {
			in = from
		}
		var err error
		if i == len(g.factors)-1 {
			err = g.lastPass(m, before, inverse, in, to)
		} else {
			err = g.pass(m, before, after, inverse, behind, in, out)
		}
		if err != nil {
			return err
		}
		before *= m
	}
	return nil
}

// manyHeld is how many numbers a thread holds where there are few of them to a
// multiprocessor: too few to hide what is looked up late, so that it is asked
// for together with the line.
const manyHeld = 32

// Where a pass turns the numbers of its axis by those of the axes behind it.
type turning bool

const (
	ahead  turning = false // before it transforms them: the way back
	behind turning = true
)

// begun is the kernel of a pass over lines of m numbers that lie side by side.
func (g *long) begun(m int, in, out end) (*kernel, split, error) {
	s, t, err := g.columns(m)
	if err != nil {
		return nil, s, err
	}
	k := g.kernel(&ir.Line{Outer: g.batch.Outer, Segments: 1, Slots: []ir.Slot{in.slot, out.slot}})
	k.bound[0], k.bound[1] = in.param, out.param
	k.threads, k.lines, k.resident = s.threads, t.lines, t.resident/(s.threads*t.lines)
	k.exchange = (s.room(g.precision)*g.bytes() + 15) / 16 * 16
	k.guard = newGuard("__syncthreads();")
	return k, s, nil
}

// core is the transform of a pass.
func (g *long) core(k *kernel, s split, inverse bool) *core {
	c := &core{arithmetic: arithmetic{k.text, g.precision}, split: s, inverse: inverse, thread: "t", among: s.threads,
		guard: k.guard, table: k.twiddleTable(s, g.precision), shared: fmt.Sprintf("((%s*)swap)", g.pair)}
	c.begin()
	return c
}

// pass transforms along an axis of m elements that is not the last, with before
// elements in the axes before it and after in those behind.
func (g *long) pass(m, before, after int, inverse bool, where turning, in, out end) error {
	k, s, err := g.begun(m, in, out)
	if err != nil {
		return err
	}
	k.outer.add(before)
	k.outer.add(after)
	k.outer.columns = true
	k.outer.tile = len(k.outer.dims) - 1
	k.pitch = k.spread(k.exchange)
	k.function(func(*params) {
		names := k.outer.names[len(k.outer.names)-2:]
		c := g.core(k, s, inverse)
		read, write := in.read(k), out.write(k)
		origin := k.let("int", "(int)%s * %d + (int)%s", names[0], m*after, names[1])
		full := func(p place) place {
			return place{base: k.let("int", "%s + %s * %d", origin, p, after), lo: p.lo * after, hi: (before-1)*m*after + p.hi*after + after - 1, ok: p.ok}
		}
		factors := func(at []place, early bool) []number {
			return k.factors(g.precision, at, m*after, after, names[1], inverse, early)
		}
		var early [][]number // of the last butterflies
		turned := func(at []place, v []number) []number {
			var f []number
			if len(early) > 0 {
				f, early = early[0], early[1:]
			} else {
				f = factors(at, false)
			}
			list := make([]number, len(v))
			for j, w := range turns(c.arithmetic, f, len(at)) {
				list[j] = c.mul(v[j], w)
			}
			return list
		}
		c.run(func(at []place) []number {
			list := fetched(at, full, read)
			if where == behind && early == nil && s.held(false) >= manyHeld {
				last := len(s.radices) - 1
				for _, b := range c.groups(last) {
					early = append(early, factors(c.inputs(b, s.radices[last]), true))
				}
			}
			if where == ahead {
				list = turned(at, list)
			}
			return list
		}, func(at []place, v []number) {
			if where == behind {
				v = turned(at, v)
			}
			for j, p := range at {
				write(full(p), v[j])
			}
		})
	})
	return nil
}

// lastPass transforms along the last axis, of m elements, and stores the results
// with the axes reversed: the first has results next to each other.
func (g *long) lastPass(m, before int, inverse bool, in, out end) error {
	k, s, err := g.begun(m, in, out)
	if err != nil {
		return err
	}
	tail := before / g.factors[0]
	k.outer.add(g.factors[0])
	k.outer.add(tail)
	k.outer.turned = true
	k.outer.tile = len(k.outer.dims) - 2
	k.pitch = k.spread(k.exchange)
	k.function(func(*params) {
		names := k.outer.names[len(k.outer.names)-2:]
		c := g.core(k, s, inverse)
		read, write := in.read(k), out.write(k)
		origin := k.let("int", "((int)%s * %d + (int)%s) * %d", names[0], tail, names[1], m)
		start := k.let("int", "%s", g.reversed("x2", names[1]))
		c.turnedThread, c.turnedShared = "t2", fmt.Sprintf("((%s*)swap2)", g.pair)
		c.run(func(at []place) []number {
			return fetched(at, func(p place) place {
				return place{base: k.let("int", "%s + %s", origin, p), hi: g.n - 1, ok: p.ok}
			}, read)
		}, func(at []place, v []number) {
			for j, p := range at {
				write(place{base: k.let("int", "%s + %s * %d", start, p, before), lo: p.lo * before, hi: p.hi*before + before - 1, ok: p.ok}, v[j])
			}
		})
	})
	return nil
}

// reversed is the place of a line of the last pass among the results: the first
// axis, then the second.
func (g *long) reversed(first, second string) string {
	return fmt.Sprintf("(int)%s + (int)%s * %d", first, second, g.factors[0])
}

// fetched reads places of a line.
func fetched(at []place, full func(place) place, read func(place) number) []number {
	list := make([]number, len(at))
	for j, p := range at {
		list[j] = read(full(p))
	}
	return list
}

// add appends a dimension that no slot moves along.
func (o *outer) add(n int) {
	o.dims = append(o.dims, n)
	for i := range o.strides {
		o.strides[i] = append(o.strides[i], 0)
	}
}

// unsupported is the error for lengths nobody can do.
func (g *long) unsupported() error {
	return fmt.Errorf("cuda: fft: length %d: %w", g.f.N, device.ErrUnsupported)
}
