package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// between is kernels.between for n values.
func between() {
	start("between", "func(set *uint64, values *float64, n int, low, high float64)", "between for n values.")
	set, values, n := load("set"), load("values"), load("n")
	low, high := broadcast("low"), broadcast("high")
	eighths(n, func(active reg.OpmaskVirtual) {
		v, inside, bits := ZMM(), K(), GP32()
		VMOVUPD_Z(Mem{Base: values}, active, v)
		VCMPPD(greaterEqual, low, v, active, inside)
		VCMPPD(lessEqual, high, v, inside, inside)
		KMOVB(inside, bits)
		ANDB(bits.As8(), Mem{Base: set})
		INCQ(set)
		ADDQ(U8(8*lanes), values)
	})
	VZEROUPPER()
	RET()
}

// near is kernels.near for n places that have one by further on.
func near() {
	start("near", "func(near, higher *uint64, at *int32, heights *float64, n, by int, distance int32)", "near for n places.")
	set, higher, at, heights := load("near"), load("higher"), load("at"), load("heights")
	n, by := load("n"), load("by")
	distance := YMM()
	VPBROADCASTD(Load(Param("distance"), GP32()), distance)
	eighths(n, func(active reg.OpmaskVirtual) {
		apart, height, k, high := YMM(), ZMM(), K(), K()
		VMOVDQU32_Z(Mem{Base: at, Index: by, Scale: 4}, active, apart)
		VPSUBD(Mem{Base: at}, apart, active, apart)
		VPCMPD(U8(1), distance, apart, active, k)
		KMOVB(k, Mem{Base: set})
		VMOVUPD_Z(Mem{Base: heights, Index: by, Scale: 8}, active, height)
		VCMPPD(greaterEqual, Mem{Base: heights}, height, active, high)
		KMOVB(high, Mem{Base: higher})
		INCQ(set)
		INCQ(higher)
		ADDQ(U8(4*lanes), at)
		ADDQ(U8(8*lanes), heights)
	})
	VZEROUPPER()
	RET()
}

// packing is a kernel that puts the values of a set in slices, one after the other.
// take loads eight of src, of size bytes each, as what goes to each of the slices.
func packing(name, doc string, dst []string, dstType, srcType string, size int, take func(src Mem, active reg.OpmaskVirtual) []reg.VecVirtual) {
	start(name, "func("+strings.Join(dst, ", ")+" "+dstType+", src "+srcType+", set *uint64, n int)", doc)
	var to []reg.GPVirtual
	for _, d := range dst {
		to = append(to, load(d))
	}
	src, set, n := load("src"), load("set"), load("n")
	done := GP64()
	XORQ(done, done)
	eighths(n, func(active reg.OpmaskVirtual) {
		stays := K()
		KMOVB(Mem{Base: set}, stays)
		for i, v := range take(Mem{Base: src}, active) {
			push(v, stays, Mem{Base: to[i], Index: done, Scale: 8})
		}
		ADDQ(count(stays), done)
		INCQ(set)
		ADDQ(U8(size*lanes), src)
	})
	VZEROUPPER()
	RET()
}

func packings() {
	packing("pack", "pack for n values.", []string{"dst"}, "*float64", "*float64", 8, func(src Mem, active reg.OpmaskVirtual) []reg.VecVirtual {
		v := ZMM()
		VMOVUPD_Z(src, active, v)
		return []reg.VecVirtual{v}
	})
	packing("places", "places for n values.", []string{"dst"}, "*int", "*int32", 4, func(src Mem, active reg.OpmaskVirtual) []reg.VecVirtual {
		v := ZMM()
		VPMOVSXDQ_Z(src, active, v)
		return []reg.VecVirtual{v}
	})
	packing("bases", "basesOf for n values.", []string{"left", "right"}, "*int", "*int32", 8, func(src Mem, active reg.OpmaskVirtual) []reg.VecVirtual {
		right, left := ZMM(), ZMM()
		VMOVDQU64_Z(src, active, right)
		VPSLLQ(U8(32), right, left)
		VPSRLQ(U8(32), left, left)
		VPSRLQ(U8(32), right, right)
		return []reg.VecVirtual{left, right}
	})
}
