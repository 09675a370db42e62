package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

func lanesName(t target, back bool) string {
	return [...]string{"toLanes", "fromLanes"}[bit(back)] + t.name
}

// lanes writes the kernel that brings lines into lanes, a row of lines for each component, or its
// reverse: the transpose of kernels of many lines by itself.
func lanes(c *build.Context, t target, back bool, done map[string]bool) {
	per := t.perLane()
	line, row := from, to // which side has lines, which one rows
	if back {
		line, row = to, from
	}
	var bodies []*manyKernel
	for _, tiles := range []int{2, 1} {
		if tiles > 1 && !t.wide() {
			continue
		}
		k := newMany(c, t, split, split)
		for j := range tiles * per {
			at := legAddress{row, 0, j, 0}
			if back {
				k.closed[j] = k.b.load(at)
				k.arrived(j, tiles*per)
			} else {
				k.b.store(at, k.component(j, tiles*per))
			}
		}
		if slots := allocate(&k.b, k.emitter, 0); slots > 0 {
			panic("lanes spill")
		}
		k.defineConsts(done)
		bodies = append(bodies, k)
	}
	k := bodies[0]
	ax := scratchReg
	k.begin(lanesName(t, back), 0, 1, 1)
	c.Load(c.Param("p"), ax)
	// Lines are rows of the pass, and rows its legs.
	for side, field := range [2]int{passInRow, passOutRow} {
		if side == row {
			field = [2]int{passInLeg, passOutLeg}[side]
		}
		s := strides[side]
		c.MOVQ(operand.Mem{Base: ax, Disp: field}, s[0])
		c.SHLQ(operand.U8(log2(t.size())), s[0])
		for i := 1; i < 4; i++ {
			c.LEAQ(operand.Mem{Base: s[i-1], Index: s[0], Scale: 2}, s[i])
		}
	}
	starts := [2]operand.Mem{k.local(rowFrom), k.local(rowTo)}
	c.Label("lines")
	for side, start := range starts {
		c.MOVQ(start, planes[side][0])
	}
	if t.lanes() == 16 {
		c.LEAQ(operand.Mem{Base: planes[line][0], Index: strides[line][0], Scale: 8}, planes[line][1])
	}
	c.MOVQ(k.local(cols), ax)
	c.MOVQ(ax, k.local(colsLeft))
	// moveOn goes to the components behind so many tiles.
	moveOn := func(tiles int) {
		c.ADDQ(operand.U8(16*tiles), planes[line][0])
		if t.lanes() == 16 {
			c.ADDQ(operand.U8(16*tiles), planes[line][1])
		}
		c.LEAQ(operand.Mem{Base: planes[row][0], Index: strides[row][0], Scale: uint8(per * tiles)}, planes[row][0])
		c.SUBQ(operand.U8(per*tiles), k.local(colsLeft))
	}
	if len(bodies) > 1 {
		c.JMP(operand.LabelRef("pairs"))
		c.Label("pair")
		bodies[0].play()
		moveOn(2)
		c.Label("pairs")
		c.CMPQ(k.local(colsLeft), operand.U8(2*per))
		c.JGE(operand.LabelRef("pair"))
		c.CMPQ(k.local(colsLeft), operand.U8(0))
		c.JEQ(operand.LabelRef("next"))
		c.CMPQ(k.local(colsLeft), operand.U8(per))
		c.JLT(operand.LabelRef("rest"))
	}
	c.Label("tile")
	bodies[len(bodies)-1].play()
	moveOn(1)
	c.CMPQ(k.local(colsLeft), operand.U8(per))
	c.JGE(operand.LabelRef("tile"))
	c.Label("rest")
	c.MOVQ(k.local(colsLeft), ax)
	c.SUBQ(operand.U8(0), ax)
	c.JEQ(operand.LabelRef("next"))
	c.Comment("Move the last tile back by what it lacks.")
	c.MOVQ(operand.U32(per), k.local(colsLeft))
	c.SUBQ(operand.U8(per), ax)
	lack := tableReg
	c.MOVQ(ax, lack)
	c.IMULQ(strides[row][0], lack)
	c.ADDQ(lack, planes[row][0])
	c.SHLQ(operand.U8(log2(t.size())), ax)
	c.ADDQ(ax, planes[line][0])
	if t.lanes() == 16 {
		c.ADDQ(ax, planes[line][1])
	}
	c.JMP(operand.LabelRef("tile"))
	c.Label("next")
	c.MOVQ(strides[line][0], ax)
	c.SHLQ(operand.U8(log2(t.lanes())), ax)
	c.ADDQ(ax, starts[line])
	c.ADDQ(operand.U32(t.bytes), starts[row])
	c.SUBQ(operand.U8(t.lanes()), k.local(rowsLeft))
	c.JGT(operand.LabelRef("lines"))
	k.end()
}
