package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// leadKind is a variant of the lead kernels.
type leadKind struct {
	radix   int
	load    form
	product bool // the twiddles are those of the first tile times a factor per leg and tile
	half    bool // the upper half of the legs is zero and not read
	real    bool // the columns are real, and twice as many legs
	spread  bool // rows go where a table says, with woven planes
}

// leadRadices are the radices of leads: the lanes, where those are few, more, and where
// they are eight or more, half of them.
func (t target) leadRadices() []int {
	if t.wide() {
		return []int{t.lanes(), t.lanes() / 2}
	}
	if t.bytes != ymmBytes {
		return []int{t.lanes()}
	}
	if t.bits == 32 {
		return []int{8, 16, 4, 15}
	}
	return []int{4, 8, 16, 15}
}

// leadRow is the elements of a row behind a lead: whole vectors, but for leads of half the lanes.
func (t target) leadRow(radix int) int {
	if radix < t.lanes() {
		return radix
	}
	return (radix + t.lanes() - 1) / t.lanes() * t.lanes()
}

// leadKinds lists them in the order of the tables.
func (t target) leadKinds() []leadKind {
	var kinds []leadKind
	for _, radix := range t.leadRadices() {
		for _, half := range []bool{false, true} {
			for _, product := range []bool{false, true} {
				if radix < t.lanes() && (half || product) || radix%2 == 1 && half {
					continue // long lines and padded ones have a better factor
				}
				for _, load := range []form{split, interleaved} {
					kinds = append(kinds, leadKind{radix: radix, load: load, product: product, half: half})
				}
				if !half && t.spreadLead(radix, product) {
					kinds = append(kinds, leadKind{radix: radix, load: interleaved, product: product, spread: true})
				}
			}
		}
	}
	return kinds
}

// spreadLead says that a lead may spread rows in a line's destination. Vectors of 256 bits multiply
// the twiddles of long lines of float64, which begin with radix 8.
func (t target) spreadLead(radix int, product bool) bool {
	switch {
	case t.neon || radix%t.lanes() != 0:
		return false
	case t.wide():
		return product == (t.bits == 64)
	}
	return !product || radix == 8 && t.bits == 64
}

// leadLanes is the column in each lane of a lead's vectors. Leads of interleaved lines leave
// rows in this order too: see mixed.
func (t target) leadLanes() []int {
	if t.bytes == ymmBytes {
		return t.mixedLanes()
	}
	return sequence(t.lanes())
}

func leadName(t target, v leadKind) string {
	name := "lead"
	if v.radix != t.lanes() {
		name += fmt.Sprint(v.radix)
	}
	if v.half {
		name += "Half"
	}
	if v.real {
		name += "Real"
	}
	if v.product {
		name += "Product"
	}
	if v.real {
		return name + t.name
	}
	if v.spread {
		name += "Spread"
	}
	return name + v.load.letter() + t.name
}

// lead writes the kernel of a first pass whose radix is a multiple of the lanes, or half of
// them: vectors along the columns, twiddles per lane, and a transpose, so that the
// legs of each column come out next to each other.
func lead(c *build.Context, t target, v leadKind, done map[string]bool) {
	k := newKernel(c, t, v.load, split)
	k.turns, k.flagged, k.real = true, !t.neon, v.real
	order := t.leadLanes()
	if v.real {
		order = sequence(t.lanes())
	}
	var planesOut [2]*transposed
	rowLen := t.leadRow(v.radix)
	for plane := range planesOut {
		planesOut[plane] = newTransposed(&k.b, rowLen, func(lane, disp int) address {
			if v.spread {
				return legAddress{to, 0, order[lane], disp/t.bytes*2*t.bytes + plane*t.bytes + disp%t.bytes}
			}
			return legAddress{to, plane, 0, order[lane]*rowLen*t.size() + disp}
		})
		planesOut[plane].early = t.bytes == ymmBytes && t.bits == 32 && v.radix > t.lanes() && !v.spread
		planesOut[plane].joined = t.bytes == ymmBytes && t.bits == 32 && v.radix > t.lanes() && v.spread
	}
	in, twiddles := v.leadLegs()
	if t.jointSpread(v) {
		twiddles = v.radix
	}
	legs, rows := in, sequence(t.lanes())
	if v.half {
		legs /= 2
	}
	dft := k.b.dft
	if t.mixed() && v.load == interleaved && v.radix%t.lanes() == 0 {
		rows = order
		dft = func(n int, get func(int) pair, put func(int, pair)) { k.b.dftOrdered(n, order, get, put) }
	}
	get := func(j int) pair {
		if j >= legs {
			return zero
		}
		return k.getMixed(j)
	}
	if t.mixed() && v.real {
		rows = t.mixedLanes()
	}
	put := func(j int, p pair) {
		row := j/len(rows)*len(rows) + slices.Index(rows, j%len(rows))
		planesOut[0].row(row, p.re)
		planesOut[1].row(row, p.im)
	}
	switch {
	case t.jointSpread(v):
		k.jointTile(v.radix)
	case v.real:
		k.realLegs(v, put)
	default:
		dft(v.radix, get, func(j int, p pair) {
			switch {
			case j > 0 && v.product:
				p = k.productTimes(p, (j-1)*2*t.bytes, (j-1)*2*t.size())
			case j > 0:
				p = k.tableTimes(p, (j-1)*2*t.bytes)
			}
			put(j, p)
		})
	}
	for j := v.radix; j < rowLen; j++ {
		none := k.b.load(zeroAddress{})
		put(j, pair{none, none})
	}
	slots := allocate(&k.b, k.emitter, k.pinned())
	k.defineConsts(done)
	out := 1
	if v.spread {
		out = t.lanes()
	}
	k.begin(leadName(t, v), slots, in, out)

	if !t.neon {
		k.loadAhead(from)
		if v.spread {
			k.loadAhead(to)
		}
		k.loadFlags()
	}
	if v.product {
		k.loadFactors()
	}
	nextTable := func() {
		if v.product {
			c.ADDQ(operand.U32(twiddles*2*t.size()), k.local(factors))
		} else {
			c.ADDQ(operand.U32(twiddles*2*t.bytes), tableReg)
		}
	}
	if v.spread {
		k.overPlaces(2*v.radix*t.size(), nextTable)
		k.end()
		return
	}
	k.overColumns(rowLen, func() {
		if !t.neon {
			k.prefetch(from, legs)
		}
	}, nextTable, func() {
		k.moveBack(from, k.unit(from))
		k.moveBack(to, rowLen*t.size())
	})
	k.end()
}

// overColumns plays the body over vectors of columns, which become radix vectors each.
// first runs before each, next between them, and back before the last if the columns do not
// fill it: it moves the planes back by as many as the scratch register is below zero.
func (k *kernel) overColumns(radix int, first, next, back func()) {
	c, ax, n := k.ctx, scratchReg, k.columns(from)
	for side, row := range [2]int{rowFrom, rowTo} {
		for i := range k.planesOf(side) {
			c.MOVQ(k.local(row+8*i), planes[side][i])
		}
	}
	c.MOVQ(k.local(cols), ax)
	c.MOVQ(ax, k.local(colsLeft))
	c.Label("col")
	first()
	k.play()
	c.MOVQ(k.local(colsLeft), ax)
	c.SUBQ(operand.U8(n), ax)
	c.JLE(operand.LabelRef("end"))
	c.MOVQ(ax, k.local(colsLeft))
	next()
	for i := range k.planesOf(from) {
		c.ADDQ(operand.U32(k.vectorUnit(from)), planes[from][i])
	}
	for i := range k.planesOf(to) {
		c.ADDQ(operand.U32(radix*k.bytes), planes[to][i])
	}
	c.CMPQ(ax, operand.U8(n))
	c.JGE(operand.LabelRef("col"))
	c.Comment("Move the last columns back by what they lack.")
	c.MOVQ(operand.U32(n), k.local(colsLeft))
	c.SUBQ(operand.U8(n), ax)
	back()
	c.JMP(operand.LabelRef("col"))
	c.Label("end")
}

// overPlaces plays the body over vectors of columns, which fill all of them. A table says where the
// rows of each begin, in bytes; next runs between them. The processor does not foresee those places:
// a pass can have the lines of the next rows asked for.
func (k *kernel) overPlaces(row int, next func()) {
	c, places, at := k.ctx, planes[to][1], planes[to][0]
	c.Load(c.Param("p"), places)
	c.MOVQ(operand.Mem{Base: places, Disp: passPlaces}, places)
	c.MOVQ(k.local(rowFrom), planes[from][0])
	queue := k.queue
	k.queue = nil
	for lane := range k.lanes() {
		for disp := 0; disp < row; disp += cacheLine {
			k.op("PREFETCHT0", k.leg(legAddress{to, 0, lane, disp}))
		}
	}
	ask := k.queue
	k.queue = queue
	c.Label("col")
	c.CMPQ(k.local(aheadTo), operand.U8(0))
	c.JEQ(operand.LabelRef("here"))
	c.MOVL(operand.Mem{Base: places, Disp: 4}, at.(reg.GPPhysical).As32())
	c.ADDQ(k.local(rowTo), at)
	for _, f := range ask {
		f()
	}
	c.Label("here")
	c.MOVL(operand.Mem{Base: places}, at.(reg.GPPhysical).As32())
	c.ADDQ(operand.U8(4), places)
	c.ADDQ(k.local(rowTo), at)
	k.play()
	next()
	c.ADDQ(operand.U32(k.vectorUnit(from)), planes[from][0])
	c.SUBQ(operand.U8(k.lanes()), k.local(cols))
	c.JNE(operand.LabelRef("col"))
}

// getMixed is get with the columns of leadLanes: vectors of 256 bits are taken apart
// within their halves.
func (k *kernel) getMixed(j int) pair {
	b := &k.b
	switch {
	case k.bytes != ymmBytes:
		return k.get(j)
	case k.forms[from] == interleaved:
		x, y := b.load(legAddress{from, 0, j, 0}), b.load(legAddress{from, 0, j, k.bytes})
		return k.swapIf(swapFrom, b.apartHalves(x, y))
	}
	p := k.get(j)
	return pair{b.unary("VPERMPD", 0xd8, p.re), b.unary("VPERMPD", 0xd8, p.im)}
}

// moveBack adds the (negative) scratch register times unit to the planes of a
// side.
func (k *kernel) moveBack(side, unit int) {
	step := min(unit, 8)
	for i := range k.planesOf(side) {
		for range unit / step {
			k.ctx.LEAQ(operand.Mem{Base: planes[side][i], Index: scratchReg, Scale: uint8(step)}, planes[side][i])
		}
	}
}

// tableTimes is p times a pair of vectors of the twiddle table.
func (k *kernel) tableTimes(p pair, disp int) pair {
	b := &k.b
	return b.timesM(p, tableAddress{disp}, tableAddress{disp + k.bytes})
}

// productTimes is p times the product of a pair of vectors of the twiddle table
// and a factor of the second table.
func (k *kernel) productTimes(p pair, disp, factor int) pair {
	wr, wi := k.product(disp, factor)
	return k.b.times(p, wr, wi)
}

// product is that of a pair of vectors of the twiddle table and a factor of the second table.
func (k *kernel) product(disp, factor int) (re, im value) {
	b := &k.b
	fr, fi := b.load(factorAddress{factor}), b.load(factorAddress{factor + k.size()})
	wr, wi := tableAddress{disp}, tableAddress{disp + k.bytes}
	if k.neon {
		w := b.times(pair{fr, fi}, b.load(wr), b.load(wi))
		return w.re, w.im
	}
	return b.fmsM(fr, wr, b.mulM(fi, wi)), b.fmaM(fr, wi, b.mulM(fi, wr))
}

// loadFactors leaves the address of the second table on the stack.
func (k *kernel) loadFactors() {
	c, ax := k.ctx, scratchReg
	c.Load(c.Param("p"), ax)
	c.MOVQ(operand.Mem{Base: ax, Disp: passFactors}, ax)
	c.MOVQ(ax, k.local(factors))
}
