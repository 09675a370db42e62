package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func planesName(t target, mixed bool) string {
	if mixed {
		return "untangleMixed" + t.name
	}
	return "untanglePlanes" + t.name
}

// nearAddress is the current vector of a plane from the front, farAddress from the
// end, afterAddress the one behind that, and carriedAddress one of the results that wait
// for the next vector.
type (
	nearAddress    struct{ plane int }
	farAddress     struct{ plane int }
	afterAddress   struct{ plane int }
	carriedAddress struct{ plane int }
)

func (nearAddress) isAddress()    {}
func (farAddress) isAddress()     {}
func (afterAddress) isAddress()   {}
func (carriedAddress) isAddress() {}

// Where these vectors begin in either plane, in bytes.
var (
	nearReg  = reg.R12
	farReg   = reg.R13
	afterReg = reg.RSI
)

// untanglePlanes writes the kernel that untangles a line of two planes into bins: as
// the packed kernels do, with a vector of each end at a time. The mirrored results
// start with a bin of the next vector: they wait for it on the stack. It saves vectors
// of 256 bits half of the shuffles of untangle; wide ones have as many, and the pass in
// front, which does not interleave, has fewer. Vectors that are mixed have their bins in the
// order of leadLanes, in which nothing crosses halves of a vector.
func untanglePlanes(c *build.Context, t target, mixed bool, done map[string]bool) {
	first, next, middle := newKernel(c, t, interleaved, interleaved), newKernel(c, t, interleaved, interleaved), newKernel(c, t, interleaved, interleaved)
	plane := func(k *kernel, at func(plane int) address) pair { return pair{k.b.load(at(0)), k.b.load(at(1))} }
	near := func(plane int) address { return nearAddress{plane} }
	far := func(plane int) address { return farAddress{plane} }
	after := func(plane int) address { return afterAddress{plane} }
	carried := func(plane int) address { return carriedAddress{plane} }
	for _, k := range []*kernel{first, next, middle} {
		k.mixed = mixed
	}
	for _, k := range []*kernel{first, next} {
		a := plane(k, near)
		begin := a
		if k == next {
			begin = plane(k, after)
		}
		z := k.mirrorPair(plane(k, far), begin)
		x, y := k.joinedBins(a, z, joinAddress{0}, joinAddress{k.bytes})
		k.putBins(to, 0, x)
		if k == next {
			k.putBins(to, 1, k.mirrorPair(plane(k, carried), y))
		} else {
			k.b.storeLowest(legAddress{to, 1, 0, 0}, y.re)
		}
		k.b.store(carried(0), y.re)
		k.b.store(carried(1), y.im)
	}
	mid := plane(middle, after)
	middle.putBins(to, 0, middle.mirrorPair(plane(middle, carried), pair{mid.re, middle.b.mulC(mid.im, -1)}))
	for _, k := range []*kernel{first, next, middle} {
		pinned := bit(t.bits == 32)
		if t.wide() {
			pinned = len(zmm) - mirrorIndex
		}
		if allocate(&k.b, k.emitter, pinned) > 0 {
			panic("untanglePlanes spills")
		}
		k.defineConsts(done)
	}

	c.Function(planesName(t, mixed))
	c.SignatureExpr("func(p, dstRe, dstIm, srcRe, srcIm uintptr, scale float64)")
	c.AllocLocal(cacheLine - 8 + 2*t.bytes)
	c.LEAQ(operand.Mem{Base: reg.StackPointer, Disp: cacheLine - 8}, spillReg)
	c.ANDQ(operand.I8(-cacheLine), spillReg)
	switch {
	case t.wide():
		first.loadWide("mirror", 0, mirrorIndex)
		first.loadWide("together", 0, indexLow)
		first.loadWide("together", 1, indexHigh)
	case mixed:
		first.loadMirror("mirrorMixed")
	default:
		first.loadMirror("mirror")
	}
	p, count, length, places := reg.RAX, reg.RCX, afterReg, reg.RDX
	c.Load(c.Param("p"), p)
	c.MOVQ(operand.Mem{Base: p, Disp: passRows}, count)
	c.MOVQ(operand.Mem{Base: p, Disp: passInLeg}, length)
	c.MOVQ(operand.Mem{Base: p, Disp: passTwiddle}, joinReg)
	c.MOVQ(operand.Mem{Base: p, Disp: passFactors}, places)
	for i, name := range []string{"srcRe", "srcIm"} {
		c.Load(c.Param(name), planes[from][i])
	}
	c.Load(c.Param("dstRe"), planes[to][0])
	c.SHLQ(operand.U8(log2(2*t.size())), length)
	c.LEAQ(operand.Mem{Base: planes[to][0], Index: length, Scale: 1}, planes[to][1])
	place := func() {
		c.MOVL(operand.Mem{Base: places}, nearReg.As32())
		c.MOVL(operand.Mem{Base: places, Disp: 4}, farReg.As32())
		c.ADDQ(operand.U8(8), places)
	}
	place()
	first.play()
	for _, at := range []operand.Mem{{Base: planes[to][0], Disp: t.size()}, {Base: planes[to][1], Disp: t.size()}} {
		if t.bits == 32 {
			c.MOVL(operand.U32(0), at)
		} else {
			c.MOVQ(operand.U32(0), at)
		}
	}
	c.Label("next")
	c.MOVQ(farReg, afterReg)
	c.ADDQ(operand.U32(2*t.bytes), planes[to][0])
	c.SUBQ(operand.U32(2*t.bytes), planes[to][1])
	c.ADDQ(operand.U32(2*t.bytes), joinReg)
	c.DECQ(count)
	c.JEQ(operand.LabelRef("middle"))
	place()
	next.play()
	c.JMP(operand.LabelRef("next"))
	c.Label("middle")
	middle.play()
	first.end()
}

// mirrorPair has the bins of x at the places of their negatives, the first that of first.
func (k *kernel) mirrorPair(x, first pair) pair {
	mirror := k.mirrorHalves
	switch {
	case k.wide():
		mirror = k.mirrorWide
	case k.bits == 64 && !k.mixed:
		mirror = func(x, first value) value {
			return k.b.unary("VPERMPD", 0x6c, k.b.shuffle("VBLENDPD", 1, x, first))
		}
	}
	return pair{mirror(x.re, first.re), mirror(x.im, first.im)}
}

// joinedBins is what becomes of bins a and their mirrored ones, with the factors at two addresses.
func (k *kernel) joinedBins(a, z pair, re, im address) (near, far pair) {
	b := &k.b
	s := pair{b.add(a.re, z.re), b.sub(a.im, z.im)}
	d := pair{b.add(a.im, z.im), b.sub(z.re, a.re)}
	w := b.timesM(d, re, im)
	return pair{b.fmaC(s.re, 0.5, w.re), b.fmaC(s.im, 0.5, w.im)}, pair{b.fmsC(s.re, 0.5, w.re), b.fnmaC(s.im, 0.5, w.im)}
}

// putBins stores a vector of bins where a plane register of a side points.
func (k *kernel) putBins(side, plane int, p pair) {
	b := &k.b
	at := func(bin int) address { return legAddress{side, plane, 0, 2 * k.size() * bin} }
	if k.wide() {
		b.store(at(0), b.select2(indexLow, p.re, p.im))
		b.store(at(k.lanes()/2), b.select2(indexHigh, p.re, p.im))
		return
	}
	per := k.perLane() / 2 // bins of half a vector
	for i, name := range []string{"VUNPCKL", "VUNPCKH"} {
		v := b.shuffle(name+k.suffix(), -1, p.re, p.im)
		if k.mixed {
			b.store(at(2*per*i), v)
			continue
		}
		b.storePiece(at(per*i), v, 0)
		b.storePiece(at(per*i+2*per), v, 1)
	}
}
