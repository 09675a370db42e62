package line

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// long is a transform of lines that do not fit on chip. A line is an array of two
// or three axes. Each pass
// transforms along one axis and turns the results; the last one stores them
// with the axes reversed, which is the natural order. No pass transposes: blocks
// take neighbouring lines of an axis, so that threads which follow each other
// read and write places that do.
type long struct {
	*unit
	f *ir.FFT
	*precision
	gpu    recipe.GPU
	recipe *recipe.Recipe
	n      int              // the complex length that scratch holds
	axes   []*recipe.Recipe // of that
	batch  *ir.Line         // the lines: slots of input, output
	once   bool             // groups of a pass read whole sectors, if lines begin with one
	woven  bool             // groups that read the same part of a table follow each other
}

// reserve asks for another array of n numbers per line.
func (g *long) reserve() { g.Scratch = append(g.Scratch, g.batch.Lines()*g.n*g.bytes()) }

// end is where a pass reads or writes: a slot, and how.
type end struct {
	slot  ir.Slot
	param kgen.Param
	bare  bool // elements are the numbers of a line, in their order
	read  func(k *kernel) func(at place) number
	write func(k *kernel) func(at place, v number)
	// If set, what results of a butterfly are multiplied by before they are written.
	scaled func(k *kernel) func(at []place, v []number) []number
}

// input is the transform's input, element by element.
func (g *long) input(x *transform) end {
	bare := g.f.Kind == ir.FFTComplex && g.f.In.Type == g.complexType() && g.f.In.Along() == 1 && g.f.InLen >= g.f.N
	return end{slot: g.batch.Slots[0], param: kgen.Param{Kind: kgen.ReadPointer}, bare: bare, read: func(k *kernel) func(place) number {
		k.ffts[0] = x
		k.p.Stages = g.batch.Stages
		in := k.sourceOf(0)
		plain := k.plainIn(x, in)
		return func(at place) number {
			if x.packed() {
				return in(cell{at, 2})[0]
			}
			return plain([]place{at})[0]
		}
	}}
}

// output is the transform's output.
func (g *long) output(x *transform) end {
	return end{slot: g.batch.Slots[1], param: kgen.Param{Kind: kgen.WritePointer}, write: func(k *kernel) func(place, number) {
		out := func(at cell, v []number) {
			values := make([]kgen.Num, at.width)
			for j, z := range v {
				values[j] = kgen.Named(k.Kernel, "v", valueOf(g.f.Out.Type, z))
			}
			o := ir.Operand{Type: g.f.Out.Type, Strides: g.f.Out.Strides[len(g.f.Outer):]}
			k.write(1, o, at, values, build.Val{})
		}
		deliver := k.plainOut(x, out)
		if x.packed() {
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
	return end{slot: g.array(ir.InSlot), param: kgen.Param{Kind: kgen.ScratchPointer, Index: i}, read: func(k *kernel) func(place) number {
		return func(at place) number {
			from := k.at[0].At(at.at)
			if k.once {
				from = build.Once(from)
			}
			return k.looked(from)
		}
	}}
}

func (g *long) intoScratch(i int) end {
	return end{slot: g.array(ir.OutSlot), param: kgen.Param{Kind: kgen.ScratchPointer, Index: i}, write: func(k *kernel) func(place, number) {
		return func(at place, v number) {
			k.when(both(k.alive(), at.ok), func() { k.Set(k.at[1].At(at.at), build.Vec(v.Re, v.Im)) })
		}
	}}
}

// passes transforms from one end to another by way of the first array of
// scratch.
func (g *long) passes(inverse bool, from, to end) {
	before, after := 1, g.n
	for i, axis := range g.axes {
		after /= axis.N
		in, out := g.fromScratch(0), g.intoScratch(0)
		if i == 0 {
			in = from
		}
		g.once = g.target.Wide && axis.Lines*g.bytes()%sector == 0
		if i == len(g.axes)-1 {
			g.lastPass(axis, before, inverse, in, to)
		} else {
			g.pass(axis, before, after, g.together(), inverse, behind, in, out)
		}
		before *= axis.N
	}
}

// together is how many rows lie side by side between two passes, where the first has so
// few columns to a group that it would store runs shorter than a line of a cache: as many
// as threads that follow each other have numbers of. So both passes have long runs there.
// It is 1 where rows lie one behind the other.
func (g *long) together() int {
	if len(g.axes) != 2 || g.axes[0].Lines*g.bytes() >= cacheLine {
		return 1
	}
	columns, rows := g.axes[0].Lines, g.axes[1].Lines
	if n := min(rows, g.target.Subgroup/columns); n > 0 && g.target.Subgroup%columns == 0 && rows%n == 0 && g.axes[0].N%n == 0 {
		return n
	}
	return 1
}

// cacheLine is the bytes that a GPU asks its second-level cache for at once.
const cacheLine = 128

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

// begun is the kernel of a pass.
func (g *long) begun(l recipe.Launch, in, out end) *kernel {
	k := g.kernel(&ir.Line{Outer: g.batch.Outer, Segments: 1, Slots: []ir.Slot{in.slot, out.slot}})
	k.bound[0], k.bound[1] = in.param, out.param
	k.threads, k.lines, k.resident, k.exchange, k.pitch = l.Threads, l.Lines, l.Resident, l.Exchange, l.Pitch
	k.guard = newGuard(func() { k.BarrierOf(k.inPlace()) })
	k.once = g.once && !k.unaligned(0)
	return k
}

// core is the transform of a pass.
func (g *long) core(k *kernel, s *recipe.Recipe, inverse bool) *core {
	c := k.coreOf(g.precision, s, inverse, k.t, s.Threads)
	if len(s.Passes()) > 1 {
		c.table, c.shared = k.twiddleTable(s, g.precision, false), k.swap(g.exchanged(s))
	}
	c.begin()
	return c
}

// pass transforms along an axis that is not the last, with before elements in the
// axes before it and after in those behind. Its results lie so many together.
func (g *long) pass(axis *recipe.Recipe, before, after, together int, inverse bool, where turning, in, out end) {
	k, m := g.begun(g.gpu.Pass(recipe.Axis, axis), in, out), axis.N
	k.outer.add(before)
	k.outer.add(after)
	k.outer.columns, k.outer.woven = true, g.woven
	k.outer.tile = len(k.outer.dims) - 1
	function := k.function
	var land *landing
	if where == behind {
		land = g.landing(k, axis, before, after, in)
	}
	if land != nil {
		function, in.read = land.function, land.read
	}
	function(func() {
		index := k.outer.index[len(k.outer.index)-2:]
		c := g.core(k, axis, inverse)
		if land != nil {
			c.table = land.table
		}
		read, write := in.read(k), out.write(k)
		origin := k.Let("origin", index[0].To(ktree.Int).Mul(m*after).Add(index[1].To(ktree.Int)))
		full := func(p place) place {
			return place{at: k.LetIn("at", origin.Add(p.at.Mul(after)), p.lo()*after, (before-1)*m*after+p.hi()*after+after-1), ok: p.ok}
		}
		stored := full
		if together > 1 {
			stored = func(p place) place {
				base, add := parted(p.at)
				if add%together != 0 {
					base, add = p.at, 0
				}
				at := base.Div(together).Mul(after).Add(index[1].To(ktree.Int)).Mul(together).Add(base.Rem(together)).Add(add * after)
				return place{at: k.LetIn("to", at, p.lo()/together*together*after, m*after-1), ok: p.ok}
			}
		}
		factors := func(at []place, early bool) []number {
			return k.factors(g.precision, at, m*after, after, index[1], inverse, early)
		}
		scaled := func(_ []place, v []number) []number { return v }
		if out.scaled != nil {
			scaled = out.scaled(k)
		}
		var early [][]number // of the last butterflies
		turned := func(at []place, v []number) []number {
			var f []number
			if len(early) > 0 {
				f, early = early[0], early[1:]
			} else {
				f = factors(at, false)
			}
			return c.turned(v, f)
		}
		lookUp := func() {
			if where == behind && early == nil && axis.Held(false) >= manyHeld {
				last := len(c.radices) - 1
				early = lists.Map(c.groups(last), func(b []place) []number { return factors(c.inputs(b, c.radices[last]), true) })
			}
		}
		if land != nil {
			lookUp()
			land.wait()
			full = func(p place) place { return p }
			c.brought = func(values [][]number) [][]number { land.taken(); return values }
		}
		c.run(func(at []place) []number {
			list := fetched(at, full, read)
			lookUp()
			if where == ahead {
				list = turned(at, list)
			}
			return list
		}, func(at []place, v []number) {
			if where == behind {
				v = turned(at, v)
			}
			to := lists.Map(at, stored)
			for j, z := range scaled(to, v) {
				write(to[j], z)
			}
		})
	})
}

// lastPass transforms along the last axis and stores the results with the axes
// reversed: the first has results next to each other.
func (g *long) lastPass(axis *recipe.Recipe, before int, inverse bool, in, out end) {
	k, m := g.begun(g.gpu.Pass(recipe.LastAxis, axis), in, out), axis.N
	first, together := g.axes[0].N, g.together()
	tail := before / first
	k.outer.add(first)
	k.outer.add(tail)
	k.outer.columns, k.outer.turned = together > 1, together == 1
	k.outer.tile = len(k.outer.dims) - 2
	k.function(func() {
		index := k.outer.index[len(k.outer.index)-2:]
		c := g.core(k, axis, inverse)
		read, write := in.read(k), out.write(k)
		row, next := index[0].To(ktree.Int), index[1].To(ktree.Int)
		origin, to := row.Div(together).Mul(tail*m).Add(next.Mul(m)).Mul(together).Add(row.Rem(together)), row
		if k.outer.turned {
			to = k.outer.turnedX.To(ktree.Int)
			c.turnedThread, c.turnedShared = k.t2, k.roomOf(g.exchanged(axis), 0, k.row2, true)
		}
		origin, start := k.Let("origin", origin), k.Let("start", to.Add(next.Mul(first)))
		c.run(func(at []place) []number {
			return fetched(at, func(p place) place {
				return place{at: k.LetIn("at", origin.Add(p.at.Mul(together)), 0, g.n-1), ok: p.ok}
			}, read)
		}, func(at []place, v []number) {
			for j, p := range at {
				write(place{at: k.LetIn("at", start.Add(p.at.Mul(before)), p.lo()*before, p.hi()*before+before-1), ok: p.ok}, v[j])
			}
		})
	})
}

// fetched reads places of a line.
func fetched(at []place, full func(place) place, read func(place) number) []number {
	return lists.Map(at, func(p place) number { return read(full(p)) })
}

// add appends a dimension that no slot moves along.
func (o *outer) add(n int) {
	o.dims = append(o.dims, n)
	for i := range o.strides {
		o.strides[i] = append(o.strides[i], 0)
	}
}
