package main

import (
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func someName(t target) string { return "untangleSome" + t.name }

// Pinned registers of untangleSome, besides those of the packed kernels: indices that
// interleave bins from the last to the first.
const (
	backLow  = mirrorIndex - 1
	backHigh = mirrorIndex - 2
)

// untangleSome writes the kernel of wide vectors that untangles some of the vectors of a line
// of two planes. The mirrored results are interleaved in reverse and stored one bin off the
// vectors, so no vector waits for the next one: that is two shuffles fewer, and parts of a line
// can be untangled at the same time. But half of the stores cross cache lines.
func untangleSome(c *build.Context, t target, done map[string]bool) {
	k := newKernel(c, t, interleaved, interleaved)
	plane := func(at func(plane int) address) pair { return pair{k.b.load(at(0)), k.b.load(at(1))} }
	a := plane(func(plane int) address { return nearAddress{plane} })
	z := k.mirrorPair(plane(func(plane int) address { return farAddress{plane} }), plane(func(plane int) address { return afterAddress{plane} }))
	x, y := k.joinedBins(a, z, joinAddress{0}, joinAddress{k.bytes})
	k.putBins(to, 0, x)
	for i, index := range []int{backLow, backHigh} {
		k.b.store(legAddress{to, 1, 0, i * t.bytes}, k.b.select2(index, y.re, y.im))
	}
	if allocate(&k.b, k.emitter, len(zmm)-backHigh) > 0 {
		panic("untangleSome spills")
	}
	k.defineConsts(done)
	back := sequence(t.lanes())
	slices.Reverse(back)
	k.indices("back", interleaving(back)[:2]...)

	c.Function(someName(t))
	c.SignatureExpr("func(p, dstRe, dstIm, srcRe, srcIm uintptr, scale float64)")
	k.loadWide("mirror", 0, mirrorIndex)
	k.loadWide("together", 0, indexLow)
	k.loadWide("together", 1, indexHigh)
	k.loadWide("back", 0, backLow)
	k.loadWide("back", 1, backHigh)
	p, count, places := reg.RAX, reg.RCX, reg.RDX
	c.Load(c.Param("p"), p)
	c.MOVQ(operand.Mem{Base: p, Disp: passRows}, count)
	c.MOVQ(operand.Mem{Base: p, Disp: passTwiddle}, joinReg)
	c.MOVQ(operand.Mem{Base: p, Disp: passFactors}, places)
	for i, name := range []string{"srcRe", "srcIm"} {
		c.Load(c.Param(name), planes[from][i])
	}
	c.Load(c.Param("dstRe"), planes[to][0])
	c.MOVQ(operand.Mem{Base: p, Disp: passInLeg}, planes[to][1])
	c.SHLQ(operand.U8(log2(2*t.size())), planes[to][1])
	c.LEAQ(operand.Mem{Base: planes[to][1], Index: planes[to][0], Scale: 1, Disp: -2 * t.size() * (t.lanes() - 1)}, planes[to][1])
	c.Label("next")
	c.MOVL(operand.Mem{Base: places, Disp: -4}, afterReg.As32())
	c.MOVL(operand.Mem{Base: places}, nearReg.As32())
	c.MOVL(operand.Mem{Base: places, Disp: 4}, farReg.As32())
	k.play()
	c.ADDQ(operand.U8(8), places)
	c.ADDQ(operand.U32(2*t.bytes), joinReg)
	c.ADDQ(operand.U32(2*t.bytes), planes[to][0])
	c.SUBQ(operand.U32(2*t.bytes), planes[to][1])
	c.DECQ(count)
	c.JNE(operand.LabelRef("next"))
	k.end()
}
