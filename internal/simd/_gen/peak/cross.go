package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// walk is one of the two walks away from maxima, a lane for each.
type walk struct {
	at, here, before reg.VecVirtual // where it is, the sample there and the one before
	base             reg.VecVirtual // where it ends at the latest
	beyond           U8             // at beyond base: it goes on
	step             func(ops ...Op)
	going            reg.OpmaskVirtual
}

// check leaves those going that are above level and before their base.
func (w *walk) check(level reg.VecVirtual) {
	VPCMPQ(w.beyond, w.base, w.at, w.going, w.going)
	VCMPPD(less, w.here, level, w.going, w.going)
}

// cross is kernels.cross for n maxima. Both walks of eight maxima go on until the
// last of them has arrived.
func cross() {
	start("cross", "func(levels, left, right, widths, x *float64, at *int32, heights, prominences *float64, bases *int32, set *uint64, n int, rel float64)",
		"cross for n maxima; results of those that are not in the set mean nothing.")
	x, at, heights, prominences := load("x"), load("at"), load("heights"), load("prominences")
	bases, set, n := load("bases"), load("set"), load("n")
	rel := broadcast("rel")
	one, done := ZMM(), GP64()
	MOVL(U32(1), done.As32())
	VPBROADCASTQ(done, one)
	XORL(done.As32(), done.As32())
	eighths(n, func(active reg.OpmaskVirtual) {
		selected := K()
		KMOVB(Mem{Base: set}, selected)
		KORTESTB(selected, selected)
		JZ(LabelRef("next"))

		place, height, level, pair := ZMM(), ZMM(), ZMM(), ZMM()
		VPMOVSXDQ_Z(Mem{Base: at}, active, place)
		VMOVUPD_Z(Mem{Base: heights}, active, height)
		VMOVUPD_Z(Mem{Base: prominences}, active, level)
		VMOVDQU64_Z(Mem{Base: bases}, active, pair)
		VMULPD(rel, level, level)
		VSUBPD(level, height, level)
		left := &walk{at: ZMM(), here: ZMM(), before: ZMM(), base: ZMM(), beyond: 6, step: VPSUBQ, going: K()}
		right := &walk{at: ZMM(), here: ZMM(), before: ZMM(), base: ZMM(), beyond: 1, step: VPADDQ, going: K()}
		VPSLLQ(U8(32), pair, left.base)
		VPSRLQ(U8(32), left.base, left.base)
		VPSRLQ(U8(32), pair, right.base)
		either := K()
		for _, w := range []*walk{left, right} {
			VMOVDQA64(place, w.at)
			VMOVAPD(height, w.here)
			VMOVAPD(height, w.before)
			KMOVB(selected, w.going)
			w.check(level)
		}
		KORTESTB(left.going, right.going)
		JZ(LabelRef("arrived"))
		Label("walk")
		for _, w := range []*walk{left, right} {
			w.step(one, w.at, w.going, w.at)
			VMOVAPD(w.here, w.going, w.before)
			KMOVB(w.going, either)
			VGATHERQPD(Mem{Base: x, Index: w.at, Scale: 8}, either, w.here)
			w.check(level)
		}
		KORTESTB(left.going, right.going)
		JNZ(LabelRef("walk"))
		Label("arrived")

		var crossed []reg.VecVirtual
		for _, w := range []*walk{left, right} {
			below, part, end := K(), ZMM(), ZMM()
			VCMPPD(less, level, w.here, below)
			VSUBPD(w.here, level, part)
			VSUBPD(w.here, w.before, w.before)
			VDIVPD(w.before, part, part)
			VCVTQQ2PD(w.at, end)
			if w == left {
				VADDPD(part, end, below, end)
			} else {
				VSUBPD(part, end, below, end)
			}
			crossed = append(crossed, end)
		}
		width := ZMM()
		VSUBPD(crossed[0], crossed[1], width)
		for i, name := range []string{"levels", "left", "right", "widths"} {
			VMOVUPD([]reg.VecVirtual{level, crossed[0], crossed[1], width}[i], Mem{Base: load(name), Index: done, Scale: 8})
		}

		Label("next")
		INCQ(set)
		ADDQ(U8(4*lanes), at)
		ADDQ(U8(8*lanes), heights)
		ADDQ(U8(8*lanes), prominences)
		ADDQ(U8(8*lanes), bases)
		ADDQ(U8(lanes), done)
	})
	VZEROUPPER()
	RET()
}
