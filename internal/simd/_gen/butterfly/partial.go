package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// partials says that there is a kernel for rows shorter than a vector: lines that are
// interleaved on both sides have none, lines do not begin with 25 columns as short, nor have
// 32 at all, and those of 8 lanes do not end with 21.
func (t target) partials(radix int, load, store form) bool {
	if radix == 21 && store == interleaved && t.bits == 64 {
		return false
	}
	return t.wide() && radix < 32 && (load == split || store == split && radix < 25)
}

func partialName(t target, radix int, load, store form) string {
	return "partial" + passName(t, radix, load, store)[len("pass"):]
}

// partial writes the kernel of one radix for rows shorter than a vector, with
// masks on all loads and stores. Only wide vectors have masks.
func partial(c *build.Context, t target, radix int, load, store form, done map[string]bool) {
	k := newKernel(c, t, load, store)
	k.masks = new([2][2]reg.Register)
	for side, f := range k.forms {
		k.masks[side] = [2]reg.Register{reg.K3, reg.K3}
		if f == interleaved {
			k.masks[side] = [2]reg.Register{reg.K1, reg.K2}
		}
	}
	k.b.dft(radix, k.get, func(j int, p pair) { k.put(j, k.finish(j, p)) })
	slots := allocate(&k.b, k.emitter, k.pinned())
	k.defineConsts(done)
	k.begin(partialName(t, radix, load, store), slots, radix, radix)

	// Three pointers are free until the rows begin.
	ax, bits := scratchReg, reg.R9
	c.MOVQ(k.local(cols), ax)
	c.MOVQ(operand.U32(1), bits)
	c.SHLXQ(ax, bits, reg.R8)
	c.SHLXQ(ax, reg.R8, bits)
	c.DECQ(reg.R8)
	c.DECQ(bits)
	c.KMOVW(reg.R8L, reg.K3)
	c.KMOVW(reg.R9L, reg.K1)
	c.SHRQ(operand.U8(t.lanes()), bits)
	c.KMOVW(reg.R9L, reg.K2)
	for side, row := range [2]int{rowFrom, rowTo} {
		for i := range k.planesOf(side) {
			c.MOVQ(k.local(row+8*i), planes[side][i])
		}
	}
	c.Label("row")
	k.play()
	for side := range 2 {
		c.MOVQ(k.local([2]int{rowStepFrom, rowStepTo}[side]), ax)
		for i := range k.planesOf(side) {
			c.ADDQ(ax, planes[side][i])
		}
	}
	c.TESTQ(tableReg, tableReg)
	c.JEQ(operand.LabelRef("untwiddled"))
	c.ADDQ(operand.U32(2*(radix-1)*k.size()), tableReg)
	c.Label("untwiddled")
	c.DECQ(k.local(rowsLeft))
	c.JNE(operand.LabelRef("row"))
	k.end()
}
