package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// doubledRadices are those that follow a lead of half the lanes: it is taken where no more
// factors of 2 are left.
func (t target) doubledRadices() []int {
	return []int{3, 5, 7, 9, 25}
}

// doubles says that there are leads of half the lanes.
func (t target) doubles() bool { return t.wide() || t.bytes == ymmBytes && t.bits == 32 }

func doubledName(t target, radix int) string { return fmt.Sprintf("doubled%d%s", radix, t.name) }

// doubled writes the kernel of a pass over rows that are half a vector long: two rows in a
// vector, twiddles per lane, and the two halves stored where their rows belong.
func doubled(c *build.Context, t target, radix int, done map[string]bool) {
	k := newKernel(c, t, split, split)
	row := t.bytes / 2
	k.b.dft(radix, k.get, func(j int, p pair) {
		if j > 0 {
			p = k.tableTimes(p, (j-1)*2*t.bytes)
		}
		for plane, v := range []value{p.re, p.im} {
			for half := range 2 {
				at := legAddress{to, plane, 0, (half*radix + j) * row}
				if t.wide() {
					k.b.storeHalf(at, v, half)
				} else {
					k.b.storePiece(at, v, half)
				}
			}
		}
	})
	slots := allocate(&k.b, k.emitter, k.pinned())
	k.defineConsts(done)
	k.begin(doubledName(t, radix), slots, radix, 1)
	k.overColumns(radix, func() {}, func() {
		c.ADDQ(operand.U32((radix-1)*2*t.bytes), tableReg)
	}, func() { // a row
		for i := range 2 {
			c.SUBQ(operand.U32(row), planes[from][i])
			c.SUBQ(operand.U32(radix*row), planes[to][i])
		}
	})
	k.end()
}
