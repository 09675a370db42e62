package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// quotientKernels divides integers by one number, as a product of floats. (|x|+1/2)/y is as far as
// 1/2y from where the quotient changes, and the error of the product is smaller: by 2^-7/y of 16
// bits in float32, by 2^-20/y of 32 bits in float64. The product of a uint8 with 2^16/y, rounded up,
// is too large by less than 255*254, so that its upper half is the quotient; NEON has no such product.
func quotientKernels(i isa) {
	full := "quotients" + i.name
	TEXT(full, NOSPLIT, "func(op int, whole, half uint64, dst, x *byte, n int)")
	Doc(full+" divides n elements, uint8, int8, int16, int32 or uint32, at least as many as half a vector has",
		"bytes. whole and half are 1/y and 1/2y: the bits of a float64 for 32 bits, of two float32 for the others.",
		"But for NEON, whole for uint8 is four times 2^16/y, rounded up.", "")
	Pragma("noescape")
	at := pointers("whole", "half", "dst", "x", "n")
	whole, half := vector(i.bytes), vector(i.bytes)
	for k, v := range []reg.VecVirtual{whole, half} {
		MOVQ(at[k], v.AsX())
		VPBROADCASTQ(v.AsX(), v)
	}
	do := func(o func(...Op), ops ...Op) reg.Register { return fresh(i.bytes, o, ops...) }
	types := map[string]struct {
		size  int
		widen func(...Op)
	}{"u8": {1, VPMOVZXBD}, "i8": {1, VPMOVSXBD}, "i16": {2, VPMOVSXWD}, "i32": {4, nil}, "u32": {4, nil}}
	choicesOf([]string{"u8", "i8", "i16", "i32", "u32"}, func(name string) {
		t, f := types[name], f32
		if name == "u8" && !i.neon {
			l := loop{isa: i, lanes: i.bytes / 2, n: at[4], dst: at[2], size: 1, inputs: at[3:4], sizes: []int{1}, unroll: 2}
			l.run(name, func(in []reg.Register) reg.Register {
				r := do(VPMULHUW, whole, do(VPMOVZXBW, in[0]))
				if i.wide {
					return fresh(i.bytes/2, VPMOVWB, r)
				}
				return halves(r, VPACKUSWB)
			})
			return
		}
		if t.size == 4 {
			f = f64
		}
		var sign, exact reg.Register
		if name == "u32" {
			exact = f.broadcast(i, 0x433<<52) // 2^52
		} else {
			sign = f.broadcast(i, f.signBit())
		}
		var low reg.Register
		if i.bytes == 32 && t.size < 4 {
			low = f.broadcast(i, 1<<(8*t.size)-1)
		}
		l := loop{isa: i, lanes: i.bytes / f.size, n: at[4], dst: at[2], size: t.size, inputs: at[3:4], sizes: []int{t.size}, unroll: 2}
		l.run(name, func(in []reg.Register) reg.Register {
			if name == "u32" {
				x := do(VSUBPD, exact, do(VORPD, exact, do(VPMOVZXDQ, in[0])))
				r := do(VMOVUPD, half)
				VFMADD231PD(whole, x, r)
				switch {
				case i.wide:
					return fresh(i.bytes/2, VCVTTPD2UDQ, r)
				case i.neon:
					return own("xtn.2s", 0, own("fcvtzs.2d", 0, r))
				}
				r = do(VADDPD, exact, do(fixed3(VROUNDPD), Imm(3), r))
				high := XMM()
				VEXTRACTI128(Imm(1), r, high)
				return fresh(16, VSHUFPS, Imm(0x88), high, as(r, 16))
			}
			if name == "i32" {
				x := do(VCVTDQ2PD, in[0])
				r := do(VXORPS, half, do(VANDPS, sign, x))
				VFMADD231PD(whole, x, r)
				switch {
				case i.wide:
					return fresh(i.bytes/2, VCVTTPD2DQ, r)
				case i.neon:
					return own("xtn.2s", 0, own("fcvtzs.2d", 0, r))
				}
				return fresh(i.bytes/2, VCVTTPD2DQY, r)
			}
			x := do(VCVTDQ2PS, do(t.widen, in[0]))
			r := do(VXORPS, half, do(VANDPS, sign, x))
			VFMADD231PS(whole, x, r)
			r = do(VCVTTPS2DQ, r)
			switch {
			case i.wide && t.size == 1:
				return fresh(i.bytes/4, VPMOVDB, r)
			case i.wide:
				return fresh(i.bytes/2, VPMOVDW, r)
			case i.neon:
				r = own("xtn.4h", 0, r)
				if t.size == 1 {
					r = own("xtn.8b", 0, r)
				}
				return r
			}
			r = halves(do(VANDPS, low, r), VPACKUSDW)
			if t.size == 1 {
				r = fresh(16, VPACKUSWB, r, r)
			}
			return r
		})
	})
}
