package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A real line of twice the length of a deep one is packed as that, and untangled in the last stage. The
// vectors of group g of the first radix and those of the last group but g have each other's mirrored bins,
// but for the first lanes: these are those of the group after the last but g, which the step before has
// kept. The groups meet in the middle, whose first lanes mirror each other. Mirrored results are stored a
// bin off the vectors.

// Registers of the last stage: vectors of the far group, the first lanes of the group behind it, and
// where groups are kept.
var (
	farGroupReg = reg.RCX
	behindReg   = reg.R14
	keptReg     = reg.RDI
)

// Pinned registers of packed lines, whose samples are not taken apart.
const backwardsLow, backwardsHigh = indexEven, indexOdd

// nearKept is a vector of the near group, which has its first one at the end again, farKept of the far one.
func (d deep) nearKept(k *kernel, j, plane int) address {
	return registerAddress{keptReg, (2*j + plane) * k.bytes}
}

func (d deep) farKept(k *kernel, j, plane int) address { return d.nearKept(k, d.second+1+j, plane) }

// kept is how many vectors these are.
func (d deep) kept() int { return 2 * (2*d.second + 1) }

// binsStage is the last stage of a group from either end.
func (d deep) binsStage(k *kernel) {
	b, last, table := &k.b, d.second-1, 2*lackingFactors(d.second)
	loaded := func(at func(plane int) address) pair { return pair{b.load(at(0)), b.load(at(1))} }
	keep := func(p pair, at func(plane int) address) {
		b.store(at(0), p.re)
		b.store(at(1), p.im)
	}
	at := 0
	k.dftLacking(d.second, &at, func(j int) pair { return k.vectorAt(j * d.first) }, func(j int, p pair) {
		keep(p, func(plane int) address { return d.nearKept(k, j, plane) })
		if j == 0 {
			keep(p, func(plane int) address { return d.nearKept(k, d.second, plane) })
		}
	})
	k.dftLacking(d.second, &at, func(j int) pair {
		return loaded(func(plane int) address { return registerAddress{farGroupReg, (2*j*d.first + plane) * k.bytes} })
	}, func(i int, p pair) {
		z := k.mirrorPair(p, loaded(func(plane int) address { return registerAddress{behindReg, (2*i + plane) * k.bytes} }))
		keep(p, func(plane int) address { return d.farKept(k, i, plane) })
		j := last - i
		near, far := k.scaledBins(loaded(func(plane int) address { return d.nearKept(k, j, plane) }), z, (table+2*j)*k.bytes)
		at := 2 * j * d.first * k.bytes
		b.store(legAddress{to, 1, 0, at}, b.select2(indexLow, near.re, near.im))
		b.store(legAddress{to, 1, 0, at + k.bytes}, b.select2(indexHigh, near.re, near.im))
		b.store(legAddress{from, 1, 0, -at}, b.select2(backwardsLow, far.re, far.im))
		b.store(legAddress{from, 1, 0, k.bytes - at}, b.select2(backwardsHigh, far.re, far.im))
	})
}

// scaledBins are bins out of bins a and their mirrored ones.
func (k *kernel) scaledBins(a, z pair, table int) (near, far pair) {
	near, far = k.joinedBins(a, z, tableAddress{table}, tableAddress{table + k.bytes})
	v := k.scaledBy(near.re, near.im, far.re, far.im)
	return pair{v[0], v[1]}, pair{v[2], v[3]}
}

// middleBins are the first lanes of the group in the middle, which is the last that was kept.
func (d deep) middleBins(k *kernel) {
	b := &k.b
	kept := func(j int) pair { return pair{b.load(d.farKept(k, j, 0)), b.load(d.farKept(k, j, 1))} }
	for j := range d.second / 2 {
		i := d.second - 1 - j
		put := func(j int, p pair) {
			at := 2 * (j*d.first + d.first/2) * k.bytes
			b.storeLowest(legAddress{to, 0, 0, at}, p.re)
			b.storeLowest(legAddress{to, 0, 0, at + k.size()}, p.im)
		}
		near, far := k.scaledBins(kept(j), kept(i), 2*j*k.bytes)
		put(j, near)
		put(i, far)
	}
}

// binsLoop is the last stage of a line.
func (d deep) binsLoop(groups, middle *kernel) {
	k, c, n := groups, groups.ctx, d.columns()*groups.lanes()
	k.loadWide("together", 0, indexLow)
	k.loadWide("together", 1, indexHigh)
	k.loadWide("mirror", 0, mirrorIndex)
	c.LEAQ(operand.Mem{Base: roomReg, Disp: 2 * (d.first - 1) * k.bytes}, farGroupReg)
	c.LEAQ(operand.Mem{Base: keptReg, Disp: 2 * k.bytes}, behindReg)
	c.LEAQ(operand.Mem{Base: planes[to][0], Disp: 2 * k.size() * (n - k.lanes() + 1)}, planes[from][1])
	k.stageLoop("stage2", to, d.first/2, func() {
		c.ADDQ(operand.U32(2*(lackingFactors(d.second)+d.second)*k.bytes), tableReg)
		for _, r := range []reg.Register{bufferReg, planes[to][1]} {
			c.ADDQ(operand.U32(2*k.bytes), r)
		}
		for _, r := range []reg.Register{farGroupReg, planes[from][1]} {
			c.SUBQ(operand.U32(2*k.bytes), r)
		}
		c.LEAQ(operand.Mem{Base: keptReg, Disp: 2 * (d.second + 1) * k.bytes}, behindReg)
	})
	middle.play()
	k.realEnds(n+1, 0)
}
