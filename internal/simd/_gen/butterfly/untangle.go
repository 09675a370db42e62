package main

import (
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func untangleName(t target) string { return "untangle" + t.name }

// Pinned registers of untangle, besides those of an interleaved pass: the same
// indices with the elements in reverse order.
const (
	reversedEven = 27 - iota
	reversedOdd
	reversedLow
	reversedHigh
)

// defineReversed writes the reversed index vectors.
func defineReversed(e *emitter) {
	var even, odd, lanes []int
	for i := range e.lanes() {
		even, odd, lanes = append(even, 2*i), append(odd, 2*i+1), append(lanes, i)
	}
	slices.Reverse(even)
	slices.Reverse(odd)
	slices.Reverse(lanes)
	v := interleaving(lanes)
	e.indices("reversed", even, odd, v[0], v[1])
}

// untangle writes the kernel that joins bins k and m-k of a line, from both
// ends towards the middle. The last vectors overlap those before them; they
// are worked out first and stored last, so that the kernel may run in place.
func untangle(c *build.Context, t target, done map[string]bool) {
	k := newKernel(c, t, interleaved, interleaved)
	b := &k.b
	a, z := k.ends()
	h := b.load(scaleAddress{})
	s := pair{b.add(a.re, z.re), b.sub(a.im, z.im)}
	d := pair{b.add(a.im, z.im), b.sub(z.re, a.re)}
	w := k.tableTimes(d, 0)
	k.putEnds(
		pair{b.fma(s.re, h, w.re), b.fma(s.im, h, w.im)},
		pair{b.fms(s.re, h, w.re), b.fnma(s.im, h, w.im)})
	slots := allocate(b, k.emitter, 8*min(1, k.pinned()))
	if slots > 0 {
		panic("untangle spills")
	}
	k.defineConsts(done)

	c.Function(untangleName(t))
	c.SignatureExpr("func(p, dstRe, dstIm, srcRe, srcIm uintptr, scale float64)")
	c.AllocLocal(frame + 4*t.bytes)
	stash := func(i int) operand.Mem { return k.local(frame + i*t.bytes) }
	k.loadScale()
	if t.wide() {
		apart := operand.NewDataAddr(operand.NewStaticSymbol("apart"), 0)
		together := operand.NewDataAddr(operand.NewStaticSymbol("together"), 0)
		reversed := operand.NewDataAddr(operand.NewStaticSymbol("reversed"), 0)
		for i := range 2 {
			c.VMOVUPS(apart.Offset(64*i), zmm[indexEven-i])
			c.VMOVUPS(together.Offset(64*i), zmm[indexLow-i])
		}
		for i := range 4 {
			c.VMOVUPS(reversed.Offset(64*i), zmm[reversedEven-i])
		}
	}
	up, down := planes[from][0], planes[from][1]
	upTo, downTo := planes[to][0], planes[to][1]
	p, base, tail, count, last := reg.RAX, reg.RBX, reg.RCX, reg.RSI, reg.RDI
	unit := 2 * t.size()
	shift := func(r reg.Register) { c.SHLQ(operand.U8(log2(unit)), r) }
	// ends points up and down at bins k and m-k-lanes+1 of a line, for k in
	// tail; last is m.
	ends := func(base, up, down reg.Register) {
		c.LEAQ(operand.Mem{Base: base, Index: tail, Scale: 1}, up)
		c.LEAQ(operand.Mem{Base: base, Index: last, Scale: 1}, down)
		c.SUBQ(tail, down)
		c.SUBQ(operand.U32((t.lanes()-1)*unit), down)
	}
	c.Load(c.Param("p"), p)
	c.MOVQ(operand.Mem{Base: p, Disp: passRows}, count)
	c.MOVQ(operand.Mem{Base: p, Disp: passCols}, tail)
	c.MOVQ(operand.Mem{Base: p, Disp: passInLeg}, last)
	c.MOVQ(operand.Mem{Base: p, Disp: passTwiddle}, tableReg)
	shift(tail)
	shift(last)
	c.Load(c.Param("srcRe"), base)
	ends(base, up, down)
	c.LEAQ(stash(0), upTo)
	c.LEAQ(stash(2), downTo)
	c.MOVQ(count, reg.R12)
	c.SHLQ(operand.U8(log2(2*t.bytes)), reg.R12)
	c.ADDQ(reg.R12, tableReg)
	k.play()
	c.SUBQ(reg.R12, tableReg)
	c.MOVQ(tail, reg.R13)
	c.MOVQ(operand.U32(unit), tail)
	ends(base, up, down)
	c.Load(c.Param("dstRe"), base)
	ends(base, upTo, downTo)
	c.TESTQ(count, count)
	c.JEQ(operand.LabelRef("stash"))
	c.Label("loop")
	k.play()
	c.ADDQ(operand.U32(2*t.bytes), tableReg)
	for _, r := range []reg.Register{up, upTo} {
		c.ADDQ(operand.U32(2*t.bytes), r)
	}
	for _, r := range []reg.Register{down, downTo} {
		c.SUBQ(operand.U32(2*t.bytes), r)
	}
	c.DECQ(count)
	c.JNE(operand.LabelRef("loop"))
	c.Label("stash")
	c.MOVQ(reg.R13, tail)
	ends(base, upTo, downTo)
	for i := range 4 {
		c.VMOVUPS(stash(i), t.vec(0))
		c.VMOVUPS(t.vec(0), operand.Mem{Base: planes[to][i/2], Disp: i % 2 * t.bytes})
	}
	k.end()
}

// ends loads the vectors at both ends, the far one in reverse. Those of 256 bits have the order of
// mixedLanes, in which nothing crosses halves of a vector but the far bins, halves of which are loaded.
func (k *kernel) ends() (a, z pair) {
	b := &k.b
	var v [2]pair
	for end := range v {
		at := func(disp int) address { return legAddress{from, end, 0, disp} }
		if end == 1 && !k.wide() && !k.neon {
			half := k.bytes / 2
			x := b.push(instruction{kind: gathered, mem: at(3 * half), more: at(2 * half)})
			y := b.push(instruction{kind: gathered, mem: at(half), more: at(0)})
			v[1] = b.apartHalves(x, y)
			if k.bits == 32 {
				v[1] = pair{b.shuffle("VSHUFPS", 0x22, x, y), b.shuffle("VSHUFPS", 0x77, x, y)}
			}
			break
		}
		x, y := b.load(at(0)), b.load(at(k.bytes))
		switch {
		case k.wide() && end == 0:
			v[end] = pair{b.select2(indexEven, x, y), b.select2(indexOdd, x, y)}
		case k.wide():
			v[end] = pair{b.select2(reversedEven, x, y), b.select2(reversedOdd, x, y)}
		default:
			v[end] = b.apartHalves(x, y)
		}
	}
	if k.neon {
		v[1] = k.reverse(v[1])
	}
	return v[0], v[1]
}

// putEnds is the reverse of ends.
func (k *kernel) putEnds(a, z pair) {
	b := &k.b
	if k.neon {
		z = k.reverse(z)
	}
	for end, p := range [2]pair{a, z} {
		at := func(disp int) address { return legAddress{to, end, 0, disp} }
		var lo, hi value
		switch {
		case !k.wide():
			lo, hi = b.shuffle("VUNPCKL"+k.suffix(), -1, p.re, p.im), b.shuffle("VUNPCKH"+k.suffix(), -1, p.re, p.im)
		case end == 0:
			lo, hi = b.select2(indexLow, p.re, p.im), b.select2(indexHigh, p.re, p.im)
		default:
			lo, hi = b.select2(reversedLow, p.re, p.im), b.select2(reversedHigh, p.re, p.im)
		}
		if end == 1 && !k.wide() && !k.neon {
			for i, v := range []value{hi, lo} {
				if k.bits == 32 {
					v = b.unary("VPERMILPD", 5, v)
				}
				b.storePiece(at(i*k.bytes+k.bytes/2), v, 0)
				b.storePiece(at(i*k.bytes), v, 1)
			}
			continue
		}
		b.store(at(0), lo)
		b.store(at(k.bytes), hi)
	}
}

// reverse turns the lanes of NEON's vectors round.
func (k *kernel) reverse(p pair) pair {
	name, order := "VPERMILPS", 0x1b
	if k.bits == 64 {
		name, order = "VPERMILPD", 1
	}
	return pair{k.b.unary(name, order, p.re), k.b.unary(name, order, p.im)}
}
