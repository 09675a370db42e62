package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// whole32 writes the whole-line kernel of 32 elements for 256-bit vectors of
// eight components: four rows, whose lanes are digits of two and of four. It
// works like the wide ones, with the digits of the lanes the other way round.
func whole32(c *build.Context, t target, done map[string]bool) {
	e := &emitter{target: t, ctx: c}
	var re, im []float64
	for l := range 8 {
		re, im = append(re, cosine(l%4, 8)), append(im, -sine(l%4, 8))
	}
	e.pattern("eighthre", re)
	e.pattern("eighthim", im)
	// Lane 4*(k2 mod 2) + 2*(k2/2) + k1 holds output k2 + 4*k1 of its row.
	order := make([]int, 8)
	for k2 := range 4 {
		for k1 := range 2 {
			order[k2+4*k1] = 4*(k2%2) + 2*(k2/2) + k1
		}
	}
	e.indices("order32", order)

	k := newKernel(c, t, interleaved, interleaved)
	b := &k.b
	rows := b.collect(4, func(j int) pair {
		x := b.load(legAddress{from, 0, 0, 2 * j * t.bytes})
		y := b.load(legAddress{from, 0, 0, (2*j + 1) * t.bytes})
		return k.swapIf(swapFrom, k.apart(x, y))
	})
	for j := 1; j < 4; j++ {
		rows[j] = k.tableTimes(rows[j], (j-1)*2*t.bytes)
	}
	var v []pair
	for i := 0; i < 4; i += 2 {
		half := func(imm int) pair {
			return pair{b.shuffle("VPERM2F128", imm, rows[i].re, rows[i+1].re), b.shuffle("VPERM2F128", imm, rows[i].im, rows[i+1].im)}
		}
		lower, upper := half(0x20), half(0x31)
		d := b.subP(lower, upper)
		wr, wi := patternAddress{"eighthre"}, patternAddress{"eighthim"}
		v = append(v, b.addP(lower, upper),
			pair{b.fmsM(d.re, wr, b.mulM(d.im, wi)), b.fmaM(d.im, wr, b.mulM(d.re, wi))})
	}
	v = b.each(v, b.exchangeWithin)
	b.dft(4, func(j int) pair { return v[j] }, func(j int, p pair) {
		p = k.swapIf(swapTo, k.finish(0, p))
		lo, hi := k.join(pair{b.permuted(p.re), b.permuted(p.im)})
		b.store(legAddress{to, 0, 0, 2 * j * t.bytes}, lo)
		b.store(legAddress{to, 0, 0, (2*j + 1) * t.bytes}, hi)
	})
	slots := allocate(b, k.emitter, 1)
	k.defineConsts(done)
	k.begin(wholeName(t, 4), slots, 1, 1)
	c.VMOVUPS(operand.NewDataAddr(operand.NewStaticSymbol("order32"), 0), ymm[orderIndex])
	k.lines()
}

// orderIndex is the register that whole32 pins.
const orderIndex = 15

// permuted puts the lanes of a vector into the order of the pinned register.
func (b *block) permuted(x value) value {
	return b.inplace(0, func(e *emitter, r, _ []int) {
		e.op("VPERMPS", e.vec(r[0]), e.vec(orderIndex), e.vec(r[0]))
	}, x)[0]
}
