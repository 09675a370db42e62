package main

import (
	"github.com/mmcloughlin/avo/build"
)

// wholes32 writes the whole-line kernel of 32 elements for 256-bit vectors of eight
// components, and the packed one.
func wholes32(c *build.Context, t target, done map[string]bool) {
	e := &emitter{target: t, ctx: c}
	for k := 1; k < 4; k++ {
		var re, im []float64
		for l := range 8 {
			re, im = append(re, cosine(k*(l/4), 8)), append(im, -sine(k*(l/4), 8))
		}
		e.pattern(eighth(k, "re"), re)
		e.pattern(eighth(k, "im"), im)
	}
	defineButFirst(e)
	e.indices("mirror", mirrored(8, sequence(8), false))
	e.indices("mirrorMixed", mirrored(8, t.mixedLanes(), false))

	k := newKernel(c, t, interleaved, interleaved)
	k.thirtyTwo(func(j int) pair { return k.swapIf(swapFrom, k.getEight(j)) }, func(j int, p pair) {
		k.storeEight(j, k.swapIf(swapTo, k.finish(0, p)))
	})
	slots := allocate(&k.b, k.emitter, 0)
	k.defineConsts(done)
	k.begin(wholeName(t, 4), slots, 1, 1)
	k.lines()

	k = newKernel(c, t, interleaved, interleaved)
	v := make([]pair, 4)
	k.thirtyTwo(k.getEight, func(j int, p pair) { v[j] = p })
	k.untangled(v, k.mirrorHalves, k.storeEight)
	slots = allocate(&k.b, k.emitter, 1)
	k.defineConsts(done)
	k.begin(packedName(t, 64, false), slots, 1, 1)
	k.loadMirror("mirror")
	k.packedLoop(64, false, nil)

	k = newKernel(c, t, interleaved, interleaved)
	v = k.tangled(4, k.mirrorHalves, k.getEight)
	k.thirtyTwo(func(j int) pair { return pair{v[j].im, v[j].re} }, func(j int, p pair) {
		p = k.finish(0, p)
		k.storeEight(j, pair{p.im, p.re})
	})
	slots = allocate(&k.b, k.emitter, 1)
	k.defineConsts(done)
	k.begin(packedName(t, 64, true), slots, 1, 1)
	k.loadMirror("mirrorMixed")
	k.packedLoop(64, true, nil)
}

// getEight loads the neighbours from 8*j on, in the order of mixedLanes.
func (k *kernel) getEight(j int) pair {
	x := k.b.load(legAddress{from, 0, 0, 2 * j * k.bytes})
	y := k.b.load(legAddress{from, 0, 0, (2*j + 1) * k.bytes})
	return k.b.apartHalves(x, y)
}

func eighth(k int, part string) string { return "eighth" + string(rune('0'+k)) + part }

// thirtyTwo transforms 32 elements: down four rows of eight columns, then along the
// columns, which lie two in a vector, the rows of one in each half. Results are eight
// neighbours.
func (k *kernel) thirtyTwo(get func(j int) pair, put func(j int, p pair)) {
	b := &k.b
	rows := b.collect(4, get)
	for j := 1; j < 4; j++ {
		rows[j] = k.tableTimes(rows[j], (j-1)*2*k.bytes)
	}
	// Columns 0 and 2, 1 and 3, 4 and 6, 5 and 7.
	u := b.each(rows, b.exchangeWithin)
	var v [4]pair
	for i := range 2 {
		s, d := b.addP(u[i], u[i+2]), b.subP(u[i], u[i+2])
		for half, imm := range []int{0x20, 0x31} {
			v[i+2*half] = pair{b.shuffle("VPERM2F128", imm, s.re, d.re), b.shuffle("VPERM2F128", imm, s.im, d.im)}
		}
	}
	for i := 1; i < 4; i++ {
		v[i] = b.timesM(v[i], patternAddress{eighth(i, "re")}, patternAddress{eighth(i, "im")})
	}
	b.dft(4, func(j int) pair { return v[j] }, put)
}

// storeEight stores the neighbours from 8*j on.
func (k *kernel) storeEight(j int, p pair) {
	b := &k.b
	for i, name := range []string{"VUNPCKLPS", "VUNPCKHPS"} {
		v := b.shuffle(name, -1, p.re, p.im)
		b.storePiece(k.bin(8*j+2*i), v, 0)
		b.storePiece(k.bin(8*j+2*i+4), v, 1)
	}
}

// orderIndex is the register that kernels pin which call permuted.
const orderIndex = 15

// permuted puts the lanes of a vector into the order of the pinned register.
func (b *block) permuted(x value) value {
	return b.inplace(0, func(e *emitter, r, _ []int) {
		e.op("VPERMPS", e.vec(r[0]), e.vec(orderIndex), e.vec(r[0]))
	}, x)[0]
}
