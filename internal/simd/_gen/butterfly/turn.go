package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

func turnName(t target, product bool) string {
	if product {
		return "turnProduct" + t.name
	}
	return "turn" + t.name
}

// turn writes the kernel that multiplies a rectangle by twiddles and
// transposes it, tile by tile: tiles of rows inside tiles of columns, the last
// of each moved back so that it ends with the rectangle. With product, the
// twiddle is that of the table, which is for one tile of columns, times a factor per row.
func turn(c *build.Context, t target, product bool, done map[string]bool) {
	k := newKernel(c, t, split, split)
	k.turns = true
	n, b := t.lanes(), &k.b
	var planesOut [2]*transposed
	for plane := range planesOut {
		planesOut[plane] = newTransposed(b, n, func(row, disp int) address {
			return legAddress{to, plane, row, disp}
		})
	}
	for i := range n {
		x := k.get(i)
		if !product {
			x = k.tableTimes(x, i*2*t.bytes)
		} else {
			x = k.productTimes(x, i*2*t.bytes, 2*i*t.size())
		}
		planesOut[0].row(i, x.re)
		planesOut[1].row(i, x.im)
	}
	slots := allocate(b, k.emitter, k.pinned())
	k.defineConsts(done)
	k.begin(turnName(t, product), slots, n, n)

	// The stack's row pointers are those of the current tile of columns;
	// rowsLeft counts rows inside it, and rowStep keeps their number.
	ax := scratchReg
	if product {
		k.loadFactors()
	}
	c.MOVQ(k.local(rowsLeft), ax)
	c.MOVQ(ax, k.local(tableStep))
	c.MOVQ(k.local(cols), ax)
	c.MOVQ(ax, k.local(colsLeft))
	c.Label("col")
	if product {
		c.Load(c.Param("p"), ax)
		c.MOVQ(operand.Mem{Base: ax, Disp: passTwiddle}, tableReg)
	}
	for side, row := range [2]int{rowFrom, rowTo} {
		for i := range 2 {
			c.MOVQ(k.local(row+8*i), planes[side][i])
		}
	}
	c.MOVQ(k.local(tableStep), ax)
	c.MOVQ(ax, k.local(rowsLeft))
	c.Label("row")
	k.play()
	c.ADDQ(operand.U32(n*2*t.bytes), tableReg)
	if product {
		c.ADDQ(operand.U32(n*2*t.size()), k.local(factors))
	}
	c.MOVQ(k.local(rowsLeft), ax)
	c.SUBQ(operand.U8(n), ax)
	c.JLE(operand.LabelRef("nextcol"))
	c.MOVQ(ax, k.local(rowsLeft))
	c.CMPQ(ax, operand.U8(n))
	c.JGE(operand.LabelRef("whole"))
	c.Comment("Advance by the rows that are left only.")
	c.MOVQ(operand.U32(n), k.local(rowsLeft))
	for i := range 2 {
		c.LEAQ(operand.Mem{Base: planes[to][i], Index: ax, Scale: uint8(t.size())}, planes[to][i])
	}
	c.IMULQ(strides[from][0], ax)
	for i := range 2 {
		c.ADDQ(ax, planes[from][i])
	}
	c.JMP(operand.LabelRef("row"))
	c.Label("whole")
	c.MOVQ(strides[from][0], ax)
	c.SHLQ(operand.U8(log2(n)), ax)
	for i := range 2 {
		c.ADDQ(ax, planes[from][i])
		c.ADDQ(operand.U32(t.bytes), planes[to][i])
	}
	c.JMP(operand.LabelRef("row"))

	c.Label("nextcol")
	c.MOVQ(k.local(colsLeft), ax)
	c.SUBQ(operand.U8(n), ax)
	c.JLE(operand.LabelRef("end"))
	c.MOVQ(ax, k.local(colsLeft))
	c.CMPQ(ax, operand.U8(n))
	c.JLE(operand.LabelRef("last"))
	c.MOVQ(operand.U32(n), ax)
	c.JMP(operand.LabelRef("advance"))
	c.Label("last")
	c.MOVQ(operand.U32(n), k.local(colsLeft))
	c.Label("advance")
	// ax is the number of columns to move on by.
	scratch := planes[from][0]
	c.MOVQ(ax, scratch)
	c.SHLQ(operand.U8(log2(t.size())), scratch)
	c.IMULQ(strides[to][0], ax)
	for i := range 2 {
		c.ADDQ(scratch, k.local(rowFrom+8*i))
		c.ADDQ(ax, k.local(rowTo+8*i))
	}
	c.JMP(operand.LabelRef("col"))
	c.Label("end")
	k.end()
}
