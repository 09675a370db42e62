package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// timesForms are what convolutions load and store.
var timesForms = [][2]form{{split, split}, {split, interleaved}, {interleaved, split}, {interleaved, interleaved}}

func timesName(t target, load, store form) string {
	return "times" + load.letter() + store.letter() + t.name
}

// times writes the kernel that multiplies a line by a table, element by
// element, the last vector moved back so that it ends with the line.
func times(c *build.Context, t target, load, store form, done map[string]bool) {
	k := newKernel(c, t, load, store)
	k.put(0, k.finish(0, k.tableTimes(k.get(0), 0)))
	slots := allocate(&k.b, k.emitter, k.pinned())
	k.defineConsts(done)
	k.begin(timesName(t, load, store), slots, 1, 1)
	ax := scratchReg
	for side, row := range [2]int{rowFrom, rowTo} {
		for i := range k.planesOf(side) {
			c.MOVQ(k.local(row+8*i), planes[side][i])
		}
	}
	c.MOVQ(k.local(cols), ax)
	c.MOVQ(ax, k.local(colsLeft))
	c.Label("col")
	k.play()
	c.ADDQ(operand.U32(2*t.bytes), tableReg)
	k.nextVector("col", "end")
	c.Label("end")
	k.end()
}

// nextVector moves all planes on by a vector and jumps to again, with the last
// vector moved back by what it lacks; or to done.
func (k *kernel) nextVector(again, done string) {
	c, ax, n := k.ctx, scratchReg, k.width()
	c.MOVQ(k.local(colsLeft), ax)
	c.SUBQ(operand.U8(n), ax)
	c.JLE(operand.LabelRef(done))
	c.MOVQ(ax, k.local(colsLeft))
	for side := range 2 {
		for i := range k.planesOf(side) {
			if k.weaves && k.forms[side] == split {
				c.ADDQ(k.local(vectorStep), planes[side][i])
				continue
			}
			c.ADDQ(operand.U32(k.vectorUnit(side)), planes[side][i])
		}
	}
	c.CMPQ(ax, operand.U8(n))
	c.JGE(operand.LabelRef(again))
	c.Comment("Move the last vector back by what it lacks.")
	c.MOVQ(operand.U32(n), k.local(colsLeft))
	c.SUBQ(operand.U8(n), ax)
	for side := range 2 {
		k.moveBack(side, k.unit(side))
	}
	c.JMP(operand.LabelRef(again))
}
