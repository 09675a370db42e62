package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cascade takes one line through sections of order 2 that lie in the lanes of a vector, the
// last in the top lane: each works on the sample behind that of the section before it. The
// order of the operations on a sample is that of section2.
func (i isa) cascade() {
	full := "cascade" + i.name
	TEXT(full, NOSPLIT, "func(x *float64, delay int, n int, c *float64, v *float64, first *uint64)")
	Doc(full + " filters n samples from x on, one or more, and stores what the top lane gives delay samples before them.")
	Pragma("noescape")
	get := func(p string) reg.GPVirtual { return Load(Param(p), GP64()).(reg.GPVirtual) }
	x, delay, n, c, v, first := get("x"), get("delay"), get("n"), get("c"), get("v"), get("first")
	vector := func(from reg.GPVirtual, k int) reg.VecVirtual {
		r := i.one()
		VMOVUPD(Mem{Base: from, Disp: k * i.bytes}, r)
		return r
	}
	b0, b1, b2, a1, a2 := vector(c, 0), vector(c, 1), vector(c, 2), vector(c, 3), vector(c, 4)
	u, w, out := vector(v, 0), vector(v, 1), vector(v, 2)
	in := i.one()
	var mask, top reg.Register
	if i.bytes == 64 {
		k, t, bits := K(), K(), GP64()
		MOVQ(Mem{Base: first}, bits)
		KMOVB(bits.As32(), k)
		MOVQ(U32(1<<7), bits)
		KMOVB(bits.As32(), t)
		mask, top = k, t
	} else {
		mask = vector(first, 0)
	}
	to := GP64()
	MOVQ(x, to)
	SHLQ(U8(3), delay)
	SUBQ(delay, to)
	Label("turn")
	// The output of a section is what the next one takes; the first takes a sample.
	if i.bytes == 64 {
		VALIGNQ(U8(7), out, out, in)
		VBROADCASTSD(Mem{Base: x}, mask, in)
	} else {
		sample := YMM()
		VBROADCASTSD(Mem{Base: x}, sample)
		VPERMPD(U8(0x93), out, in)
		VBLENDVPD(mask, sample, in, in)
	}
	VMOVAPD(u, out)
	VFMADD231PD(b0, in, out)
	VMOVAPD(w, u)
	VFMADD231PD(b1, in, u)
	VFNMADD231PD(a1, out, u)
	VMULPD(b2, in, w)
	VFNMADD231PD(a2, out, w)
	if i.bytes == 64 {
		VMOVUPD(out, top, Mem{Base: to, Disp: -56})
	} else {
		half := XMM()
		VEXTRACTF128(U8(1), out, half)
		VMOVHPD(half, Mem{Base: to})
	}
	ADDQ(U8(8), x)
	ADDQ(U8(8), to)
	DECQ(n)
	JNZ(LabelRef("turn"))
	VMOVUPD(u, Mem{Base: v})
	VMOVUPD(w, Mem{Base: v, Disp: i.bytes})
	VMOVUPD(out, Mem{Base: v, Disp: 2 * i.bytes})
	VZEROUPPER()
	RET()
}

func (i isa) one() reg.VecVirtual { return i.rows()[0] }
