package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func primeName(t target, load, store form) string {
	return "prime" + load.letter() + store.letter() + t.name
}

// The stack of a prime kernel, behind the spill register: words, then what results are
// made of, then leg 0 and the sums and differences, one component each.
const (
	primeHalf   = 8 * iota
	primeBlocks // vectors of results
	primeTable
	primeFrom // planes of the line
	primeFrom1
	primeLastFrom // bytes to its last element
	primeLastTo   // bytes to the last vector of results
	primeUnused
	primeWords
)

// The loop has its registers by number.
const (
	primeFactor      = 0 // cosines and sines
	primeSpread      = 2 // a sum or a difference, spread
	primeAccumulated = 6
)

// prime writes the kernel that transforms lines of any odd number of elements, at least
// as many as a vector has lanes. The lanes are results: what legs j and n-j add up to is
// multiplied by a vector of cosines, their difference by one of sines. The last vector
// ends with the line. It adds in the order of odd, for the same bits.
func prime(c *build.Context, t target, load, store form, done map[string]bool) {
	word := func(disp int) operand.Mem { return operand.Mem{Base: spillReg, Disp: disp} }
	vector := func(i int) registerAddress { return registerAddress{spillReg, primeWords + i*t.bytes} }
	legs := vector(4).disp // the first leg, in four components of which two are used
	size := t.size()
	scalar := map[int]string{32: "SS", 64: "SD"}[t.bits]

	results := newKernel(c, t, load, store)
	m := pair{results.b.load(vector(0)), results.b.load(vector(1))}
	s := pair{results.b.load(vector(2)), results.b.load(vector(3))}
	results.put(0, results.finish(0, results.b.subI(m, s)))
	if slots := allocate(&results.b, results.emitter, results.pinned()); slots > 0 {
		panic("prime spills")
	}
	results.defineConsts(done)

	k := newKernel(c, t, load, store)
	bytes := primeWords + 4*t.bytes + 4*size*(1+oddMost)
	k.begin(primeName(t, load, store), (bytes+t.bytes-1)/t.bytes, 0, 0)
	count, sums, down, down1 := reg.RBX, reg.R13, reg.RSI, reg.R12
	up, up1 := planes[from][0], planes[from][1]
	c.Load(c.Param("p"), scratchReg)
	c.MOVQ(operand.Mem{Base: scratchReg, Disp: passFactors}, tableReg)
	c.MOVQ(operand.Mem{Base: tableReg}, count)
	c.MOVQ(count, word(primeHalf))
	c.MOVQ(operand.Mem{Base: tableReg, Disp: 8}, scratchReg)
	c.MOVQ(scratchReg, word(primeBlocks))
	c.ADDQ(operand.U32(16), tableReg)
	c.MOVQ(tableReg, word(primeTable))
	c.MOVQ(count, scratchReg)
	c.SHLQ(operand.U8(log2(2*k.unit(from))), scratchReg)
	c.MOVQ(scratchReg, word(primeLastFrom))
	c.MOVQ(count, scratchReg)
	c.ADDQ(scratchReg, scratchReg)
	c.SUBQ(operand.U8(t.lanes()-1), scratchReg)
	c.SHLQ(operand.U8(log2(k.unit(to))), scratchReg)
	c.MOVQ(scratchReg, word(primeLastTo))
	c.Load(c.Param("srcRe"), up)
	c.MOVQ(up, word(primeFrom))
	c.Load(c.Param("srcIm"), up)
	c.MOVQ(up, word(primeFrom1))

	c.Label("line")
	c.MOVQ(word(primeFrom), up)
	c.MOVQ(word(primeFrom1), up1)
	c.MOVQ(up, down)
	c.ADDQ(word(primeLastFrom), down)
	c.MOVQ(up1, down1)
	c.ADDQ(word(primeLastFrom), down1)
	c.LEAQ(word(legs), sums)
	c.MOVQ(word(primeHalf), count)
	move := func(a, b operand.Op) { k.now("VMOV"+scalar, a, b) }
	at := func(r reg.Register, i int) operand.Mem { return operand.Mem{Base: r, Disp: i * size} }
	move(at(up, 0), xmm[0])
	move(at(up1, 0), xmm[1])
	move(xmm[0], at(sums, 0))
	move(xmm[1], at(sums, 1))
	c.Label("sums")
	c.ADDQ(operand.U32(4*size), sums)
	c.ADDQ(operand.U32(k.unit(from)), up)
	c.ADDQ(operand.U32(k.unit(from)), up1)
	for i, r := range [2][2]reg.Register{{up, down}, {up1, down1}} {
		move(at(r[0], 0), xmm[0])
		move(at(r[1], 0), xmm[1])
		k.now("VADD"+scalar, xmm[1], xmm[0], xmm[2])
		k.now("VSUB"+scalar, xmm[1], xmm[0], xmm[3])
		move(xmm[2], at(sums, i))
		move(xmm[3], at(sums, 2+i))
	}
	c.SUBQ(operand.U32(k.unit(from)), down)
	c.SUBQ(operand.U32(k.unit(from)), down1)
	c.DECQ(count)
	c.JNE(operand.LabelRef("sums"))

	blocks := reg.RCX
	for i := range k.planesOf(to) {
		c.MOVQ(k.local(rowTo+8*i), planes[to][i])
	}
	c.MOVQ(word(primeBlocks), blocks)
	c.MOVQ(word(primeTable), tableReg)
	c.Label("block")
	spread := func(m operand.Mem, r int) {
		switch {
		case t.bits == 32:
			k.now("VBROADCASTSS", m, t.vec(r))
		case t.neon:
			k.now("VMOVDDUP", m, t.vec(r))
		default:
			k.now("VBROADCASTSD", m, t.vec(r))
		}
	}
	c.LEAQ(word(legs), sums)
	c.MOVQ(word(primeHalf), count)
	for i := range 4 {
		if i < 2 {
			spread(at(sums, i), primeAccumulated+i)
		} else {
			zero := xmm[primeAccumulated+i]
			k.now("VPXOR", zero, zero, zero)
		}
	}
	c.Label("products")
	c.ADDQ(operand.U32(4*size), sums)
	for i := range 2 {
		k.now("VMOVUPS", operand.Mem{Base: tableReg, Disp: i * t.bytes}, t.vec(primeFactor+i))
	}
	for i := range 4 {
		spread(at(sums, i), primeSpread+i)
		k.now("VFMADD231"+t.suffix(), t.vec(primeFactor+i/2), t.vec(primeSpread+i), t.vec(primeAccumulated+i))
	}
	c.ADDQ(operand.U32(2*t.bytes), tableReg)
	c.DECQ(count)
	c.JNE(operand.LabelRef("products"))
	for i := range 4 {
		k.now("VMOVUPS", t.vec(primeAccumulated+i), k.resolve(vector(i)))
	}
	results.play()
	c.DECQ(blocks)
	c.JEQ(operand.LabelRef("stored"))
	for i := range k.planesOf(to) {
		c.ADDQ(operand.U32(k.vectorUnit(to)), planes[to][i])
	}
	c.CMPQ(blocks, operand.U8(1))
	c.JNE(operand.LabelRef("block"))
	c.Comment("The last vector ends with the line.")
	for i := range k.planesOf(to) {
		c.MOVQ(k.local(rowTo+8*i), planes[to][i])
		c.ADDQ(word(primeLastTo), planes[to][i])
	}
	c.JMP(operand.LabelRef("block"))
	c.Label("stored")
	c.MOVQ(k.local(rowStepFrom), scratchReg)
	c.ADDQ(scratchReg, word(primeFrom))
	c.ADDQ(scratchReg, word(primeFrom1))
	c.MOVQ(k.local(rowStepTo), scratchReg)
	for i := range k.planesOf(to) {
		c.ADDQ(scratchReg, k.local(rowTo+8*i))
	}
	c.DECQ(k.local(rowsLeft))
	c.JNE(operand.LabelRef("line"))
	k.end()
}
