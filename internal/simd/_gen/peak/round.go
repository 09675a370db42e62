package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// round is a round of Measure. The element behind the last maximum is part of the
// list: nothing is higher, so it stays, and takes the valley behind the maxima along.
func round() {
	start("round", "func(dst, src *float64, dstPlaces, srcPlaces *uint64, n, stride int, prominences *float64, bases *int32) int",
		"round; lows and numbers lie stride bytes behind heights and places.")
	dst, src, dstPlaces, srcPlaces := load("dst"), load("src"), load("dstPlaces"), load("srcPlaces")
	n, stride := load("n"), load("stride")
	prominences, bases := load("prominences"), load("bases")
	kept, before := GP64(), GP32()
	XORQ(kept, kept)
	XORL(before, before)
	lowHalf := ZMM()
	half := GP64()
	MOVL(U32(1<<32-1), half.As32())
	VPBROADCASTQ(half, lowHalf)
	dstLows, dstWhich := GP64(), GP64()
	LEAQ(Mem{Base: dst, Index: stride, Scale: 1}, dstLows)
	LEAQ(Mem{Base: dstPlaces, Index: stride, Scale: 1}, dstWhich)

	eighths(n, func(active reg.OpmaskVirtual) {
		height := ZMM()
		VMOVUPD(Mem{Base: src}, height)
		out := both(less, height, Mem{Base: src, Disp: -8}, Mem{Base: src, Disp: 8}, active)

		low, lowAfter, at, atAfter, which := ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
		VMOVUPD(Mem{Base: src, Index: stride, Scale: 1}, low)
		VMOVUPD(Mem{Base: src, Index: stride, Scale: 1, Disp: 8}, lowAfter)
		VMOVDQU64(Mem{Base: srcPlaces}, at)
		VMOVDQU64(Mem{Base: srcPlaces, Disp: 8}, atAfter)
		VMOVDQU64(Mem{Base: srcPlaces, Index: stride, Scale: 1}, which)

		// What is taken out is measured.
		VMAXPD(low, lowAfter, lowAfter)
		VSUBPD(lowAfter, height, lowAfter)
		VPSLLQ(U8(32), atAfter, atAfter)
		left := ZMM()
		VPSRLQ(U8(32), at, left)
		VPORQ(left, atAfter, atAfter)
		again := K()
		KMOVB(out, again)
		VSCATTERQPD(lowAfter, again, Mem{Base: prominences, Index: which, Scale: 8})
		KMOVB(out, again)
		VPSCATTERQQ(atAfter, again, Mem{Base: bases, Index: which, Scale: 8})

		// What is behind it gets the lower of two valleys, or both if they are as low.
		bits, follows := GP32(), K()
		KMOVB(out, bits)
		LEAL(Mem{Base: before, Index: bits, Scale: 2}, before)
		KMOVB(before, follows)
		SHRL(U8(lanes), before)
		lowBefore, atBefore := ZMM(), ZMM()
		VMOVUPD(Mem{Base: src, Index: stride, Scale: 1, Disp: -8}, lowBefore)
		VMOVDQU64(Mem{Base: srcPlaces, Disp: -8}, atBefore)
		lower, level := K(), K()
		VCMPPD(less, low, lowBefore, follows, lower)
		VCMPPD(equal, low, lowBefore, follows, level)
		VMOVAPD(lowBefore, lower, low)
		VPTERNLOGQ(U8(0xd8), lowHalf, atBefore, level, at)
		VMOVDQA64(atBefore, lower, at)

		keep := K()
		KANDNB(active, out, keep)
		push(height, keep, Mem{Base: dst, Index: kept, Scale: 8})
		push(low, keep, Mem{Base: dstLows, Index: kept, Scale: 8})
		push(at, keep, Mem{Base: dstPlaces, Index: kept, Scale: 8})
		push(which, keep, Mem{Base: dstWhich, Index: kept, Scale: 8})
		ADDQ(count(keep), kept)
		ADDQ(U8(8*lanes), src)
		ADDQ(U8(8*lanes), srcPlaces)
	})
	Store(kept, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
