package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mirrorHalves is mirror for vectors of 256 bits whose bins are in the order of
// mixedLanes.
func (k *kernel) mirrorHalves(x, first value) value {
	b := &k.b
	x = b.shuffle("VBLEND"+k.suffix(), 1, x, first)
	if k.bits == 64 {
		return b.unary("VPERMILPD", 6, x) // bins 0, 2 and 3, 1
	}
	return b.permuted(x)
}

// loadMirror pins what permuted needs.
func (k *kernel) loadMirror(name string) {
	if k.bits == 32 {
		k.ctx.VMOVUPS(operand.NewDataAddr(operand.NewStaticSymbol(name), 0), ymm[orderIndex])
	}
}

// packedStaged writes the packed kernel of a line in two stages.
func packedStaged(c *build.Context, t target, s staged, done map[string]bool) {
	down, k, lay := downColumns(c, t, s, true), newKernel(c, t, interleaved, interleaved), buffer{t, s}
	b := &k.b
	v := make([]pair, s.n()/t.lanes())
	for g := range lay.rows() {
		b.dft(s.second, func(j int) pair { return k.gatherRows(lay, g, j) }, func(j int, p pair) { v[j*lay.rows()+g] = p })
	}
	k.untangled(v, k.mirrorHalves, func(i int, p pair) {
		b.store(k.bin(i*t.lanes()), b.shuffle("VUNPCKL"+t.suffix(), -1, p.re, p.im))
		b.store(k.bin(i*t.lanes()+t.lanes()/2), b.shuffle("VUNPCKH"+t.suffix(), -1, p.re, p.im))
	})
	lay.openPacked([2]*kernel{down, k}, frame, false, done, k.loadScale)
	down.stageLoop("columns", from, lay.columns(), func() {
		c.ADDQ(operand.U32((s.first-1)*2*t.bytes), tableReg)
		c.ADDQ(operand.U32(t.perLane()*t.bytes), bufferReg)
		c.ADDQ(operand.U8(2*t.bytes), planes[from][1])
	})
	c.MOVQ(roomReg, bufferReg)
	k.play()
	k.realEnds(s.n()+1, 0)
	k.closePacked()
}

// unpackedStaged writes the reverse of packedStaged, planes exchanged on both sides.
func unpackedStaged(c *build.Context, t target, s staged, done map[string]bool) {
	k, along, lay := newKernel(c, t, interleaved, interleaved), newKernel(c, t, interleaved, interleaved), buffer{t, s}
	v := k.tangled(s.n()/t.lanes(), k.mirrorHalves, func(i int) pair {
		at := 2 * i * t.bytes
		return k.b.apartHalves(k.b.load(legAddress{from, 0, 0, at}), k.b.load(legAddress{from, 0, 0, at + t.bytes}))
	})
	for vector := range lay.columns() {
		k.downColumns(lay, vector, func(j int) pair {
			z := v[j*lay.columns()+vector]
			return pair{z.im, z.re}
		})
	}
	b := &along.b
	b.dft(s.second, func(j int) pair { return along.gatherRows(lay, 0, j) }, func(j int, p pair) {
		p = along.scaledUp(p)
		at := j * s.first * 2 * t.size()
		b.store(legAddress{to, 1, 0, at}, b.shuffle("VUNPCKL"+t.suffix(), -1, p.im, p.re))
		b.store(legAddress{to, 1, 0, at + t.bytes}, b.shuffle("VUNPCKH"+t.suffix(), -1, p.im, p.re))
	})
	lay.openPacked([2]*kernel{k, along}, shortFrame, true, done, k.spreadScale)
	c.MOVQ(roomReg, bufferReg)
	k.play()
	along.stageLoop("rows", to, lay.rows(), func() {
		c.ADDQ(operand.U32(2*lay.columns()*t.perLane()*t.bytes), bufferReg)
		c.ADDQ(operand.U8(2*t.bytes), planes[to][1])
	})
	k.closePacked()
}

// openPacked allocates the stages and opens the function and its loop over lines.
func (b buffer) openPacked(stages [2]*kernel, locals int, inverse bool, done map[string]bool, scale func()) {
	k := stages[0]
	c, pinned, slots := k.ctx, bit(b.bits == 32), 0
	for _, k := range stages {
		slots = max(slots, allocate(&k.b, k.emitter, pinned))
		k.defineConsts(done)
	}
	bufferAt := (slots*b.bytes + cacheLine - 1) / cacheLine * cacheLine
	c.Function(packedName(b.target, 2*b.n(), inverse))
	c.SignatureExpr("func(p, dstRe, dstIm, srcRe, srcIm uintptr, scale float64)")
	c.AllocLocal(locals + cacheLine - 8 + bufferAt + 2*b.plane())
	c.LEAQ(operand.Mem{Base: reg.StackPointer, Disp: locals + cacheLine - 8}, spillReg)
	c.ANDQ(operand.I8(-cacheLine), spillReg)
	c.LEAQ(operand.Mem{Base: spillReg, Disp: bufferAt}, roomReg)
	scale()
	k.loadMirror("mirrorMixed")
	k.loadJoin()
	c.MOVQ(operand.Mem{Base: reg.RAX, Disp: passRows}, linesReg)
	c.MOVQ(operand.Mem{Base: reg.RAX, Disp: passTwiddle}, firstTable)
	for side, field := range [2]int{passInRow, passOutRow} {
		unit := 2 * b.size()
		if (side == to) == inverse {
			unit = b.size() // of a sample
		}
		c.MOVQ(operand.Mem{Base: reg.RAX, Disp: field}, lineSteps[side])
		c.SHLQ(operand.U8(log2(unit)), lineSteps[side])
	}
	c.Load(c.Param("srcRe"), planes[from][0])
	c.Load(c.Param("dstRe"), planes[to][0])
	c.Label("line")
	c.MOVQ(firstTable, tableReg)
}

// closePacked ends the loop over lines and the function.
func (k *kernel) closePacked() {
	c := k.ctx
	for side, step := range lineSteps {
		c.ADDQ(step, planes[side][0])
	}
	c.DECQ(linesReg)
	c.JNE(operand.LabelRef("line"))
	k.end()
}
