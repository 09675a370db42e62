package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// castKernels is one function, whose parameter is the place of a conversion in this list.
// Integers of fewer bits wrap, floats as integers are truncated and saturated.
func castKernels(i isa) {
	full := "cast" + i.name
	TEXT(full, NOSPLIT, "func(op int, dst, x *byte, n int)")
	Doc(full+" converts n elements, at least as many as half a vector has bytes.", "")
	Pragma("noescape")
	at := pointers("dst", "x", "n")
	do := func(o func(...Op), ops ...Op) reg.Register { return fresh(i.bytes, o, ops...) }
	type conversion struct {
		name     string
		to, from int
		consts   []uint64 // each fills a register
		body     func(x reg.Register, c []reg.Register) reg.Register
	}
	each := func(steps ...func(...Op)) func(reg.Register, []reg.Register) reg.Register {
		return func(x reg.Register, _ []reg.Register) reg.Register {
			for _, s := range steps {
				x = do(s, x)
			}
			return x
		}
	}
	narrow := func(name string, to, from int, wide func(...Op), mask uint64, own1 []string, packs ...func(...Op)) conversion {
		c := conversion{name: name, to: to, from: from}
		if i.bytes == 32 && mask != 0 {
			c.consts = []uint64{mask}
		}
		c.body = func(x reg.Register, c []reg.Register) reg.Register {
			switch {
			case i.wide:
				return fresh(i.bytes/(from/to), wide, x)
			case i.neon:
				for _, name := range own1 {
					x = own(name, 0, x)
				}
				return x
			}
			if mask != 0 {
				x = do(VANDPS, c[0], x)
			}
			x = halves(x, packs[0])
			for _, p := range packs[1:] {
				x = fresh(16, p, x, x)
			}
			return x
		}
		return c
	}
	unsigned := func(x reg.Register, c []reg.Register) reg.Register {
		if i.wide {
			return do(VCVTUDQ2PS, x)
		}
		if i.neon {
			return own("ucvtf.4s", 0, x)
		}
		// Both halves are exact, and one sum rounds.
		high := do(VMULPS, c[1], do(VCVTDQ2PS, do(VPSRLD, Imm(16), x)))
		return do(VADDPS, do(VCVTDQ2PS, do(VANDPS, c[0], x)), high)
	}
	// fromFloat is of truncated float32.
	fromFloat := func(name string, to int, wide func(...Op), own1 []string, packs ...func(...Op)) conversion {
		c := narrow(name, to, 4, wide, 0, own1, packs...)
		pack := c.body
		c.consts = []uint64{0x4f0000004f000000, 0} // 2^31
		c.body = func(x reg.Register, c []reg.Register) reg.Register {
			r := truncated(i, x, c[0])
			if i.wide && name == "u8FromF32" {
				r = do(VPMAXSD, c[1], r)
			}
			return pack(r, nil)
		}
		return c
	}
	// fromDouble is of truncated float64, by way of saturated integers of 32 bits.
	fromDouble := func(name string, to int, wide func(...Op), own1 []string, packs ...func(...Op)) conversion {
		c := conversion{name: name, to: to, from: 8, consts: []uint64{0x41dfffffffc00000, 0}} // 2^31 - 1
		c.body = func(x reg.Register, c []reg.Register) reg.Register {
			r := truncatedDouble(i, x, c[0])
			switch {
			case i.wide:
				if name == "u8FromF64" {
					r = fresh(i.bytes/2, VPMAXSD, as(c[1], i.bytes/2), r)
				}
				return fresh(16, wide, r)
			case i.neon:
				for _, name := range own1 {
					r = own(name, 0, r)
				}
				return r
			}
			for _, p := range packs {
				r = fresh(16, p, r, r)
			}
			return r
		}
		return c
	}
	// toUnsigned and toLong saturate as well; NaN is 0.
	toUnsigned := func(x reg.Register, c []reg.Register) reg.Register {
		if i.neon {
			return own("fcvtzu.4s", 0, x) // which is that
		}
		x = do(VMAXPS, c[0], x)
		if i.wide {
			return do(VCVTTPS2UDQ, x) // all bits from 2^32 on
		}
		low, high := do(VCVTTPS2DQ, x), do(VCVTTPS2DQ, do(VSUBPS, c[1], x))
		r := do(VORPS, low, do(VANDPS, high, do(VPSRAD, Imm(31), low)))
		return do(VORPS, r, do(VCMPPS, Imm(isGreaterEqual), c[2], x))
	}
	// doubleToUnsigned is toUnsigned of float64; the sum with 2^52 has the integer in its lower half.
	doubleToUnsigned := func(x reg.Register, c []reg.Register) reg.Register {
		if i.neon {
			return own("uqxtn.2s", 0, own("fcvtzu.2d", 0, x))
		}
		x = do(VMAXPD, c[0], x)
		if i.wide {
			return fresh(i.bytes/2, VCVTTPD2UDQ, x)
		}
		x = do(fixed3(VROUNDPD), Imm(3), do(VMINPD, c[1], x))
		return halves(do(VADDPD, c[2], x), evenWords)
	}
	toLong := func(widen bool) func(x reg.Register, c []reg.Register) reg.Register {
		return func(x reg.Register, c []reg.Register) reg.Register {
			switch {
			case i.neon:
				if widen {
					x = do(VCVTPS2PD, x)
				}
				return own("fcvtzs.2d", 0, x)
			case i.wide:
				r, ordered, large := vector(i.bytes), K(), K()
				if widen {
					VCMPPS(Imm(7), x, x, ordered)
					VCVTTPS2QQ_Z(x, ordered, r)
					VCMPPS(Imm(isGreaterEqual), as(c[0], 32), x, large)
				} else {
					VCMPPD(Imm(7), x, x, ordered)
					VCVTTPD2QQ_Z(x, ordered, r)
					VCMPPD(Imm(isGreaterEqual), c[0], x, large)
				}
				VPTERNLOGQ(Imm(0x0f), r, r, large, r)
				return r
			}
			// The upper word is that of a float64 over 2^32; 2^63 gives the least integer, whose
			// complement is the greatest.
			d := x
			if widen {
				d = do(VCVTPS2PD, x)
			}
			d = do(VANDPS, do(VCMPPD, Imm(7), d, d), d)
			d = do(VMINPD, c[1], do(VMAXPD, c[0], do(fixed3(VROUNDPD), Imm(3), d)))
			high := do(fixed3(VROUNDPD), Imm(1), do(VMULPD, c[2], d))
			low := do(VMOVUPS, d)
			VFNMADD231PD(c[3], high, low)
			r := do(fixed4(VPBLENDD), Imm(0xaa), do(VPSLLQ, Imm(32), do(VADDPD, c[4], high)), do(VADDPD, c[4], low))
			return do(VXORPS, r, do(VCMPPD, Imm(isGreaterEqual), c[1], d))
		}
	}
	// fromLong puts both halves into float64 numbers of their own, which is exact; one sum rounds.
	fromLong := func(x reg.Register, c []reg.Register) reg.Register {
		switch {
		case i.wide:
			return do(VCVTQQ2PD, x)
		case i.neon:
			return own("scvtf.2d", 0, x)
		}
		high := do(VSUBPD, c[2], do(VXORPS, c[1], do(VPSRLQ, Imm(32), x)))
		return do(VADDPD, do(fixed4(VPBLENDD), Imm(0x55), x, c[0]), high)
	}
	bitsOf := func(numbers ...float64) (words []uint64) {
		for _, v := range numbers {
			words = append(words, math.Float64bits(v))
		}
		return words
	}
	long := bitsOf(-0x1p63, 0x1p63, 0x1p-32, 0x1p32, 0x1.8p52)
	longDouble := long
	if i.wide {
		long, longDouble = []uint64{0x5f0000005f000000}, bitsOf(0x1p63) // 2^63
	}
	list := []conversion{
		{"i16FromU8", 2, 1, nil, each(VPMOVZXBW)}, {"i32FromU8", 4, 1, nil, each(VPMOVZXBD)}, {"i64FromU8", 8, 1, nil, each(VPMOVZXBQ)},
		{"i16FromI8", 2, 1, nil, each(VPMOVSXBW)}, {"i32FromI8", 4, 1, nil, each(VPMOVSXBD)}, {"i64FromI8", 8, 1, nil, each(VPMOVSXBQ)},
		{"i32FromI16", 4, 2, nil, each(VPMOVSXWD)}, {"i64FromI16", 8, 2, nil, each(VPMOVSXWQ)},
		{"i64FromI32", 8, 4, nil, each(VPMOVSXDQ)}, {"i64FromU32", 8, 4, nil, each(VPMOVZXDQ)},
		{"f32FromI8", 4, 1, nil, each(VPMOVSXBD, VCVTDQ2PS)}, {"f32FromI16", 4, 2, nil, each(VPMOVSXWD, VCVTDQ2PS)},
		{"f32FromU32", 4, 4, []uint64{0x0000ffff0000ffff, 0x4780000047800000}, unsigned}, // 2^16
		{"f64FromU8", 8, 1, nil, i.halfFirst(VPMOVZXBD)}, {"f64FromI8", 8, 1, nil, i.halfFirst(VPMOVSXBD)},
		{"f64FromI16", 8, 2, nil, i.halfFirst(VPMOVSXWD)},
		{"f64FromU32", 8, 4, []uint64{0x4330000000000000}, func(x reg.Register, c []reg.Register) reg.Register { // 2^52
			return do(VSUBPD, c[0], do(VORPD, c[0], do(VPMOVZXDQ, x)))
		}},
		narrow("i8FromI16", 1, 2, VPMOVWB, 0x00ff00ff00ff00ff, []string{"xtn.8b"}, VPACKUSWB),
		narrow("i8FromI32", 1, 4, VPMOVDB, 0x000000ff000000ff, []string{"xtn.4h", "xtn.8b"}, VPACKUSDW, VPACKUSWB),
		narrow("i16FromI32", 2, 4, VPMOVDW, 0x0000ffff0000ffff, []string{"xtn.4h"}, VPACKUSDW),
		fromFloat("i8FromF32", 1, VPMOVSDB, []string{"sqxtn.4h", "sqxtn.8b"}, VPACKSSDW, VPACKSSWB),
		fromFloat("u8FromF32", 1, VPMOVUSDB, []string{"sqxtn.4h", "sqxtun.8b"}, VPACKSSDW, VPACKUSWB),
		fromFloat("i16FromF32", 2, VPMOVSDW, []string{"sqxtn.4h"}, VPACKSSDW),
		{"u32FromF32", 4, 4, []uint64{0, 0x4f0000004f000000, 0x4f8000004f800000}, toUnsigned}, // 2^31, 2^32
		{"i64FromF32", 8, 4, long, toLong(true)},
		fromDouble("i8FromF64", 1, VPMOVSDB, []string{"sqxtn.4h", "sqxtn.8b"}, VPACKSSDW, VPACKSSWB),
		fromDouble("u8FromF64", 1, VPMOVUSDB, []string{"sqxtn.4h", "sqxtun.8b"}, VPACKSSDW, VPACKUSWB),
		fromDouble("i16FromF64", 2, VPMOVSDW, []string{"sqxtn.4h"}, VPACKSSDW),
		{"u32FromF64", 4, 8, bitsOf(0, 0x1p32-1, 0x1p52), doubleToUnsigned},
		{"i64FromF64", 8, 8, longDouble, toLong(false)},
		{"f64FromI64", 8, 8, bitsOf(0x1p52, 0x1p84+0x1p63, 0x1p84+0x1p63+0x1p52), fromLong},
		narrow("i8FromI64", 1, 8, VPMOVQB, 0xff, []string{"xtn.2s", "xtn.4h", "xtn.8b"}, evenWords, VPACKUSDW, VPACKUSWB),
		narrow("i16FromI64", 2, 8, VPMOVQW, 0xffff, []string{"xtn.2s", "xtn.4h"}, evenWords, VPACKUSDW),
		narrow("i32FromI64", 4, 8, VPMOVQD, 0, []string{"xtn.2s"}, evenWords),
	}
	names, of := make([]string, len(list)), map[string]conversion{}
	for k, c := range list {
		names[k], of[c.name] = c.name, c
	}
	choicesOf(names, func(name string) {
		c := of[name]
		var held []reg.Register
		for _, bits := range c.consts {
			held = append(held, f64.broadcast(i, bits))
		}
		l := loop{isa: i, lanes: i.bytes / max(c.to, c.from), n: at[2], dst: at[0], size: c.to, inputs: at[1:2], sizes: []int{c.from}, unroll: 2}
		l.run(name, func(in []reg.Register) reg.Register { return c.body(in[0], held) })
	})
}

// halfFirst makes integers of 32 bits, which fill half a vector, and floats of 64 of them.
func (i isa) halfFirst(widen func(...Op)) func(reg.Register, []reg.Register) reg.Register {
	return func(x reg.Register, _ []reg.Register) reg.Register {
		return fresh(i.bytes, VCVTDQ2PD, fresh(i.bytes/2, widen, x))
	}
}

// evenWords takes the lower halves of lanes of 64 bits.
func evenWords(ops ...Op) { VSHUFPS(append([]Op{Imm(0x88)}, ops...)...) }

// halves packs the lanes of 32 bytes into half as many.
func halves(x reg.Register, pack func(...Op)) reg.Register {
	high := XMM()
	VEXTRACTI128(Imm(1), x, high)
	return fresh(16, pack, high, as(x, 16))
}
