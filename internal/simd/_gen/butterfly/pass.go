package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// radices are those that have a vector kernel. 21, 25 and 32 want 42, 50 and 64 registers at once:
// leaving some for the stack costs less than a second pass, but 32 only where there are 32 of them.
// Of 14, which has room in those, a pass takes as long as one of 7.
func (t target) radices() []int {
	all := []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16}
	if !t.neon {
		all = append(all, 21, 25)
	}
	if t.wide() {
		all = append(all, 14, 32)
	}
	return all
}

// passes says that there is a kernel: a line begins with a radix of 2 only where its
// passes run on two columns, which vectors of eight do not, 14, 21 and 25 are never all of a
// line, with vectors of 256 bits 21 is only behind a turn, and 32 is the last of its passes.
func (t target) passes(radix int, load, store form) bool {
	switch radix {
	case 21:
		return load == split || store == split && t.wide()
	case 14, 25:
		return load == split || store == split
	case 32:
		return load == split
	}
	return radix > 2 || load == split || store == interleaved || t.bytes != ymmBytes || t.bits != 32
}

// mixed says that the target has passes over rows in the order of leadLanes: the last pass of
// an interleaved line behind a lead, which leaves rows so. It puts planes together within the
// halves of vectors, two shuffles a leg instead of four.
func (t target) mixed() bool { return t.bytes == ymmBytes }

// mixedRadices are those of such passes.
func (t target) mixedRadices() []int {
	return slices.DeleteFunc(t.radices(), func(r int) bool { return r == 21 })
}

func mixedName(t target, radix int) string { return fmt.Sprintf("mixed%d%s", radix, t.name) }

func passName(t target, radix int, load, store form) string {
	return fmt.Sprintf("pass%d%s%s%s", radix, load.letter(), store.letter(), t.name)
}

func newKernel(c *build.Context, t target, load, store form) *kernel {
	k := &kernel{emitter: &emitter{target: t, ctx: c, consts: map[float64]bool{}, alternating: map[float64]bool{}, signed: map[float64]bool{}}, forms: [2]form{load, store}, apartName: "apart", together: "together", pairs: "pairs", woven: 1}
	k.b.target = t
	return k
}

// pass writes the kernel of one radix: rows of butterflies, vectors along a
// row, the last vector of a row moved back so that it ends with the row. There is a
// loop for rows that are twiddled and one for rows that are not; the results of the
// last pass of a line are never twiddled, and only those are interleaved.
func pass(c *build.Context, t target, name string, radix int, load, store form, mixed bool, done map[string]bool) {
	loops := []*kernel{}
	slots := 0
	for _, twiddled := range []bool{true, false} {
		if twiddled && store == interleaved {
			continue
		}
		k := newKernel(c, t, load, store)
		k.labels = 1000 * len(loops)
		k.flagged, k.mixed, k.weaves = !t.neon, mixed, !t.neon && load == split
		k.b.dft(radix, k.get, func(j int, p pair) {
			switch {
			case !twiddled:
				p = k.unscaled(p)
			case j > 0:
				p = k.entryTimes(j, p)
			}
			k.put(j, p)
		})
		slots = max(slots, allocate(&k.b, k.emitter, k.pinned()))
		k.defineConsts(done)
		loops = append(loops, k)
	}
	k := loops[0]
	k.begin(name, slots, radix, radix)
	if !t.neon {
		k.loadAhead(from, to)
		k.loadFlags()
	}
	if store == split {
		c.TESTQ(tableReg, tableReg)
		c.JEQ(operand.LabelRef("plain"))
		k.fetch(radix, from)
		k.overRows(func() { c.ADDQ(operand.U32(2*(radix-1)*t.size()), tableReg) })
		k.end()
		c.Label("plain")
		k = loops[1]
		k.loop = "plain_"
	}
	k.fetch(radix, from, to)
	k.overRows(func() {})
	k.end()
}

// fetch says what overRows prefetches. Nobody has measured it on NEON.
func (k *kernel) fetch(legs int, sides ...int) {
	if !k.neon {
		k.fetches, k.fetched = legs, sides
	}
}

// loadFlags says in the pointers that interleaved planes leave free whether those of
// the input are exchanged, and whether the output has to be scaled or exchanged.
func (k *kernel) loadFlags() {
	c := k.ctx
	if k.forms[from] == interleaved && !k.wide() {
		c.MOVQ(k.local(swapFrom), planes[from][1])
	}
	if k.forms[to] == interleaved {
		c.MOVQ(k.local(scaled), planes[to][1])
		if !k.wide() {
			c.ORQ(k.local(swapTo), planes[to][1])
		}
	}
}

// unscaled multiplies an output by the scale, if there is one.
func (k *kernel) unscaled(p pair) pair {
	if k.neon && !k.flagged {
		v := k.scaledBy(p.re, p.im)
		return pair{v[0], v[1]}
	}
	if k.forms[to] == split {
		return k.finish(0, p)
	}
	out := k.b.inplace(1, func(e *emitter, r, t []int) {
		done := e.label()
		e.op("TESTQ", planes[to][1], planes[to][1])
		e.op("JEQ", operand.LabelRef(done))
		e.broadcastTo(k.local(scale), t[0])
		e.op("VMUL"+e.suffix(), e.vec(t[0]), e.vec(r[0]), e.vec(r[0]))
		e.op("VMUL"+e.suffix(), e.vec(t[0]), e.vec(r[1]), e.vec(r[1]))
		if !k.wide() {
			e.op("CMPQ", k.local(swapTo), operand.U8(0))
			e.op("JEQ", operand.LabelRef(done))
			e.move(t[0], r[0])
			e.move(r[0], r[1])
			e.move(r[1], t[0])
		}
		e.mark(done)
	}, p.re, p.im)
	return pair{out[0], out[1]}
}

// entryTimes is p times entry j of the current row of the table, the same for all
// lanes.
func (k *kernel) entryTimes(j int, p pair) pair {
	b := &k.b
	if !k.neon {
		temps := 3
		if k.wide() {
			temps = 2
		}
		out := b.inplace(temps, func(_ *emitter, r, t []int) { k.twiddle(j, r, t) }, p.re, p.im)
		return pair{out[0], out[1]}
	}
	disp := (j - 1) * 2 * k.size()
	wr, wi := entryAddress{disp}, entryAddress{disp + k.size()}
	return pair{
		b.fnmaM(p.im, wi, b.mulM(p.re, wr)),
		b.fmaM(p.im, wr, b.mulM(p.re, wi)),
	}
}

// overRowsOfBoth plays a loop with twiddles, of which a row takes so many bytes of the table, and
// one without, for passes that have no table.
func overRowsOfBoth(loops []*kernel, bytes int) {
	twiddled, plain := loops[0], loops[1]
	c := twiddled.ctx
	c.TESTQ(tableReg, tableReg)
	c.JEQ(operand.LabelRef("plain"))
	twiddled.overRows(func() { c.ADDQ(operand.U32(bytes), tableReg) })
	twiddled.end()
	c.Label("plain")
	plain.loop = "plain_"
	plain.overRows(func() {})
	plain.end()
}

// overRows plays the body over the columns of every row; next runs between
// rows. Most rows are one vector long, so little may happen between them.
func (k *kernel) overRows(next func()) {
	c, ax := k.ctx, scratchReg
	if k.weaves { // a vector counts twice where those of the other plane lie between
		c.Load(c.Param("p"), ax)
		c.MOVQ(operand.Mem{Base: ax, Disp: passWoven}, ax)
		c.SHRQ(operand.U8(log2(k.lanes())), ax)
		c.INCQ(ax)
		c.MOVQ(ax, k.local(vectorStep))
	}
	for side, row := range [2]int{rowFrom, rowTo} {
		// The columns of a row move the planes on by all but the last vector.
		step, moved, jump := [2]int{rowStepFrom, rowStepTo}[side], planes[side][0], [2]int{jumpFrom, jumpTo}[side]
		c.MOVQ(k.local(step), ax)
		c.MOVQ(k.local(cols), moved)
		c.SUBQ(operand.U8(k.width()), moved)
		c.SHLQ(operand.U8(log2(k.unit(side))), moved)
		if k.weaves && k.forms[side] == split {
			c.IMULQ(k.local(vectorStep), moved)
		}
		c.SUBQ(moved, ax)
		c.MOVQ(ax, k.local(jump))
		for i := range k.planesOf(side) {
			c.MOVQ(k.local(row+8*i), planes[side][i])
		}
	}
	if k.weaves {
		c.SHLQ(operand.U8(log2(k.bytes)), k.local(vectorStep))
	}
	c.Label(k.loop + "row")
	c.MOVQ(k.local(cols), ax)
	c.MOVQ(ax, k.local(colsLeft))
	c.Label(k.loop + "col")
	k.prefetches()
	k.play()
	k.nextVector(k.loop+"col", k.loop+"next")
	c.Label(k.loop + "next")
	for side, jump := range [2]int{jumpFrom, jumpTo} {
		for i := range k.planesOf(side) {
			c.ADDQ(k.local(jump), planes[side][i])
		}
	}
	next()
	c.DECQ(k.local(rowsLeft))
	c.JNE(operand.LabelRef(k.loop + "row"))
}

// prefetches is what fetch asked for.
func (k *kernel) prefetches() {
	if k.fetches == 0 {
		return
	}
	c, ax, skip := k.ctx, scratchReg, k.loop+"here"
	c.MOVQ(k.local(aheadFrom), ax)
	if len(k.fetched) > 1 {
		c.ORQ(k.local(aheadTo), ax)
	} else {
		c.TESTQ(ax, ax)
	}
	c.JEQ(operand.LabelRef(skip))
	for _, side := range k.fetched {
		k.prefetch(side, k.fetches)
	}
	c.Label(skip)
}

// loadAhead leaves the prefetch distances of some sides on the stack.
func (k *kernel) loadAhead(sides ...int) {
	c, p, ax := k.ctx, reg.R8, scratchReg
	c.Load(c.Param("p"), p)
	for _, side := range sides {
		c.MOVQ(operand.Mem{Base: p, Disp: [2]int{passAheadIn, passAheadOut}[side]}, ax)
		c.SHLQ(operand.U8(log2(k.unit(side))), ax)
		c.MOVQ(ax, k.local([2]int{aheadFrom, aheadTo}[side]))
	}
}

// prefetch asks for what the same butterfly will need that much further on:
// its input into the second cache, its output lines into the first.
func (k *kernel) prefetch(side, legs int) {
	c, n := k.ctx, k.planesOf(side)
	if side == from && k.real {
		n = 1
	}
	local := k.local([2]int{aheadFrom, aheadTo}[side])
	skip := k.loop + [2]string{"fetched", "claimed"}[side]
	c.MOVQ(local, scratchReg)
	c.TESTQ(scratchReg, scratchReg)
	c.JEQ(operand.LabelRef(skip))
	for i := range n {
		c.ADDQ(scratchReg, planes[side][i])
	}
	queue := k.queue
	k.queue = nil
	for j := range legs {
		for i := range n {
			for disp := 0; disp < k.vectorUnit(side); disp += 64 {
				m := k.leg(legAddress{side, i, j, disp})
				if side == from {
					k.op("PREFETCHT1", m)
				} else {
					k.op("PREFETCHT0", m)
				}
			}
		}
	}
	k.play()
	k.queue = queue
	c.MOVQ(local, scratchReg)
	for i := range n {
		c.SUBQ(scratchReg, planes[side][i])
	}
	c.Label(skip)
}
