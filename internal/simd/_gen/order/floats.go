package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// each takes all vectors of src to dst; n is a multiple of the lanes, and not 0.
func (t keys) each(do func(v reg.VecVirtual) reg.VecVirtual) {
	dst, src, n := get("dst"), get("src"), get("n")
	Label("vectors")
	v := t.vec()
	t.move(Mem{Base: src}, v)
	t.move(do(v), Mem{Base: dst})
	ADDQ(U8(t.size()), src)
	ADDQ(U8(t.size()), dst)
	SUBQ(U8(t.lanes()), n)
	JNZ(LabelRef("vectors"))
}

const whole = ", for whole vectors."

func (t keys) flips() {
	t.text("flip", "func(dst, src *%[1]s, n int, flip %[1]s)", "is flip"+whole)
	f := t.spread(t.key("flip"))
	t.each(func(v reg.VecVirtual) reg.VecVirtual {
		t.xor(f, v, v)
		return v
	})
	VZEROUPPER()
	RET()
}

// signs is all bits of lanes whose first bit is set.
func (t keys) signs(v reg.VecVirtual) reg.VecVirtual {
	out := t.vec()
	switch {
	case t.wide && t.bytes == 8:
		VPSRAQ(U8(63), v, out)
	case t.bytes == 8:
		VPXOR(out, out, out)
		VPCMPGTQ(v, out, out)
	default:
		VPSRAD(U8(31), v, out)
	}
	return out
}

// fromFloats makes keys that are ordered as floats are.
func (t keys) fromFloats() {
	t.text("fromFloats", "func(dst, src *%[1]s, n int, flip %[1]s) (special int)", "is fromFloats"+whole)
	infinite := uint64(0x7f800000)
	if t.bytes == 8 {
		infinite = 0x7ff << 52
	}
	f := t.spread(t.key("flip"))
	signs, magnitude, inf := t.constant(t.sign()), t.constant(t.sign()-1), t.constant(infinite)
	special := GP64()
	XORQ(special, special)
	t.each(func(v reg.VecVirtual) reg.VecVirtual {
		m, bits := t.vec(), GP64()
		t.and(v, magnitude, m)
		if t.wide {
			nan, zero := K(), K()
			of(t, VPCMPGTD, VPCMPGTQ)(inf, m, nan)
			of(t, VPCMPEQD, VPCMPEQQ)(v, signs, zero)
			KORW(nan, zero, nan)
			KMOVW(nan, bits.As32())
		} else {
			zero := t.vec()
			of(t, VPCMPGTD, VPCMPGTQ)(inf, m, m)
			of(t, VPCMPEQD, VPCMPEQQ)(v, signs, zero)
			VPOR(zero, m, m)
			VPMOVMSKB(m, bits.As32())
		}
		ORQ(bits, special)
		out := t.signs(v)
		t.or(out, signs, out)
		t.xor(out, v, out)
		t.xor(f, out, out)
		return out
	})
	Store(special, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// toFloats is its inverse.
func (t keys) toFloats() {
	t.text("toFloats", "func(dst, src *%[1]s, n int, flip %[1]s)", "is toFloats"+whole)
	f := t.spread(t.key("flip"))
	magnitude, signs := t.constant(t.sign()-1), t.constant(t.sign())
	t.each(func(v reg.VecVirtual) reg.VecVirtual {
		t.xor(f, v, v)
		// All bits of negative numbers, whose keys are low, and the sign of the others.
		out := t.signs(v)
		t.and(out, magnitude, out)
		t.xor(out, magnitude, out)
		t.or(out, signs, out)
		t.xor(out, v, out)
		return out
	})
	VZEROUPPER()
	RET()
}
