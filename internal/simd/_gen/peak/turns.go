package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// numbered is lanes with the numbers from 1 times each, and what is added to them
// from turn to turn.
func numbered(name string, each uint64) (at, step reg.VecVirtual) {
	table := GLOBL(name, RODATA|NOPTR)
	for k := range lanes {
		DATA(8*k, U64(uint64(k+1)*each))
	}
	at, step = ZMM(), ZMM()
	VMOVDQU64(table, at)
	jump := GP64()
	MOVQ(U64(lanes*each), jump)
	VPBROADCASTQ(jump, step)
	return at, step
}

// neighbours is the lanes of a line that are there, and where the samples before and
// after them lie.
func neighbours(x reg.GPVirtual, active reg.OpmaskVirtual) (here reg.VecVirtual, before, after Mem) {
	here = ZMM()
	VMOVUPD_Z(Mem{Base: x}, active, here)
	return here, Mem{Base: x, Disp: -8}, Mem{Base: x, Disp: 8}
}

// both is the active lanes where a predicate holds for here and both its neighbours.
func both(predicate Op, here reg.VecVirtual, before, after Mem, active reg.OpmaskVirtual) reg.OpmaskVirtual {
	k := K()
	VCMPPD(predicate, before, here, active, k)
	VCMPPD(predicate, after, here, k, k)
	return k
}

// widen is kernels.widen for n samples.
func widen() {
	start("widen", "func(dst *float64, src *float32, n int)", "widen for n samples.")
	dst, src, n := load("dst"), load("src"), load("n")
	eighths(n, func(active reg.OpmaskVirtual) {
		v := ZMM()
		VCVTPS2PD_Z(Mem{Base: src}, active, v)
		VMOVUPD(v, active, Mem{Base: dst})
		ADDQ(U8(8*lanes), dst)
		ADDQ(U8(4*lanes), src)
	})
	VZEROUPPER()
	RET()
}

// tops is kernels.tops over n samples that have neighbours.
func tops() {
	start("tops", "func(at *int, heights, x *float64, n int, low, high float64) (found int, odd uint8)",
		"tops for n samples from x on; odd is not 0 where it gives false.")
	at, heights, x, n := load("at"), load("heights"), load("x"), load("n")
	low, high := broadcast("low"), broadcast("high")
	place, step := numbered("ones", 1)
	found := GP64()
	XORQ(found, found)
	odd := K()
	KXORB(odd, odd, odd)
	eighths(n, func(active reg.OpmaskVirtual) {
		here, before, after := neighbours(x, active)
		top := both(greater, here, before, after, active)
		VCMPPD(greaterEqual, low, here, top, top)
		VCMPPD(lessEqual, high, here, top, top)
		flat := K()
		VCMPPD(equalOrNeither, after, here, active, flat)
		KORB(flat, odd, odd)
		push(here, top, Mem{Base: heights, Index: found, Scale: 8})
		push(place, top, Mem{Base: at, Index: found, Scale: 8})
		ADDQ(count(top), found)
		VPADDQ(step, place, place)
		ADDQ(U8(8*lanes), x)
	})
	Store(found, ReturnIndex(0))
	storeOdd(odd)
}

func storeOdd(odd reg.OpmaskVirtual) {
	bits := GP32()
	KMOVB(odd, bits)
	Store(bits.As8(), ReturnIndex(1))
	VZEROUPPER()
	RET()
}

// turns finds maxima and minima of n samples that have neighbours.
func turns() {
	start("turns", "func(at *int32, heights, lows *float64, lowest *uint64, x *float64, n int) (found int, odd uint8)",
		"turns for n samples from x on; odd is not 0 where it gives false.")
	at, heights, lows, lowest := load("at"), load("heights"), load("lows"), load("lowest")
	x, n := load("x"), load("n")
	place, step := numbered("pairs", 1|1<<32)
	found, minima := GP64(), GP64()
	XORQ(found, found)
	XORQ(minima, minima)
	odd := K()
	KXORB(odd, odd, odd)
	eighths(n, func(active reg.OpmaskVirtual) {
		here, before, after := neighbours(x, active)
		flat := K()
		VCMPPD(equalOrNeither, after, here, active, flat)
		KORB(flat, odd, odd)

		top := both(greater, here, before, after, active)
		push(here, top, Mem{Base: heights, Index: found, Scale: 8})
		short, packed := YMM(), YMM()
		VPMOVQD(place, short)
		VPCOMPRESSD_Z(short, top, packed)
		VMOVDQU32(packed, Mem{Base: at, Index: found, Scale: 4})
		ADDQ(count(top), found)

		bottom := both(less, here, before, after, active)
		push(here, bottom, Mem{Base: lows, Index: minima, Scale: 8})
		push(place, bottom, Mem{Base: lowest, Index: minima, Scale: 8})
		ADDQ(count(bottom), minima)

		VPADDD(step, place, place)
		ADDQ(U8(8*lanes), x)
	})
	Store(found, ReturnIndex(0))
	storeOdd(odd)
}
