package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// radices that have a vector kernel.
var radices = []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16}

func passName(t target, radix int, load, store form) string {
	return fmt.Sprintf("pass%d%s%s%s", radix, load.letter(), store.letter(), t.name)
}

func newKernel(c *build.Context, t target, load, store form) *kernel {
	k := &kernel{emitter: &emitter{target: t, ctx: c, consts: map[float64]bool{}}, forms: [2]form{load, store}, together: "together"}
	k.b.target = t
	return k
}

// pass writes the kernel of one radix: rows of butterflies, vectors along a
// row, the last vector of a row moved back so that it ends with the row.
func pass(c *build.Context, t target, radix int, load, store form, done map[string]bool) {
	if t.neon {
		passes(c, t, radix, load, store, done)
		return
	}
	k := newKernel(c, t, load, store)
	k.b.dft(radix, k.get, func(j int, p pair) { k.put(j, k.finish(j, p)) })
	slots := allocate(&k.b, k.emitter, k.pinned())
	k.defineConsts(done)
	k.begin(passName(t, radix, load, store), slots, radix, radix)

	k.loadAhead(from, to)
	k.fetches = radix
	k.overRows(func() {
		c.TESTQ(tableReg, tableReg)
		c.JEQ(operand.LabelRef("untwiddled"))
		c.ADDQ(operand.U32(2*(radix-1)*k.size()), tableReg)
		c.Label("untwiddled")
	})
	k.end()
}

// passes is pass for NEON, with a loop for rows that are twiddled and one for rows
// that are not: constants and products are then values like others. It does not
// prefetch, which nobody has measured.
func passes(c *build.Context, t target, radix int, load, store form, done map[string]bool) {
	var kernels [2]*kernel
	slots := 0
	for i := range kernels {
		k := newKernel(c, t, load, store)
		k.labels = 1000 * i
		k.b.dft(radix, k.get, func(j int, p pair) {
			switch {
			case i == 1:
				v := k.scaledBy(p.re, p.im)
				p = pair{v[0], v[1]}
			case j > 0:
				p = k.entryTimes(p, (j-1)*2*k.size())
			}
			k.put(j, p)
		})
		slots = max(slots, allocate(&k.b, k.emitter, 0))
		k.defineConsts(done)
		kernels[i] = k
	}
	twiddled, plain := kernels[0], kernels[1]
	twiddled.begin(passName(t, radix, load, store), slots, radix, radix)
	c.TESTQ(tableReg, tableReg)
	c.JEQ(operand.LabelRef("plain"))
	twiddled.overRows(func() { c.ADDQ(operand.U32(2*(radix-1)*t.size()), tableReg) })
	twiddled.end()
	c.Label("plain")
	plain.loop = "plain_"
	plain.overRows(func() {})
	plain.end()
}

// entryTimes is p times a complex entry of the table, the same for all lanes.
func (k *kernel) entryTimes(p pair, disp int) pair {
	b := &k.b
	wr, wi := entryAddress{disp}, entryAddress{disp + k.size()}
	return pair{
		b.fnmaM(p.im, wi, b.mulM(p.re, wr)),
		b.fmaM(p.im, wr, b.mulM(p.re, wi)),
	}
}

// overRows plays the body over the columns of every row; next runs between
// rows.
func (k *kernel) overRows(next func()) {
	c, ax := k.ctx, scratchReg
	c.Label(k.loop + "row")
	for side, row := range [2]int{rowFrom, rowTo} {
		for i := range k.planesOf(side) {
			c.MOVQ(k.local(row+8*i), planes[side][i])
		}
	}
	c.MOVQ(k.local(cols), ax)
	c.MOVQ(ax, k.local(colsLeft))
	c.Label(k.loop + "col")
	if k.fetches > 0 {
		k.prefetch(from, k.fetches)
		k.prefetch(to, k.fetches)
	}
	k.play()
	k.nextVector(k.loop+"col", k.loop+"next")
	c.Label(k.loop + "next")
	for side, row := range [2]int{rowFrom, rowTo} {
		c.MOVQ(k.local([2]int{rowStepFrom, rowStepTo}[side]), ax)
		for i := range k.planesOf(side) {
			c.ADDQ(ax, k.local(row+8*i))
		}
	}
	next()
	c.DECQ(k.local(rowsLeft))
	c.JNE(operand.LabelRef(k.loop + "row"))
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
	c := k.ctx
	local := k.local([2]int{aheadFrom, aheadTo}[side])
	skip := [2]string{"fetched", "claimed"}[side]
	c.MOVQ(local, scratchReg)
	c.TESTQ(scratchReg, scratchReg)
	c.JEQ(operand.LabelRef(skip))
	for i := range k.planesOf(side) {
		c.ADDQ(scratchReg, planes[side][i])
	}
	queue := k.queue
	k.queue = nil
	for j := range legs {
		for i := range k.planesOf(side) {
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
	for i := range k.planesOf(side) {
		c.SUBQ(scratchReg, planes[side][i])
	}
	c.Label(skip)
}
