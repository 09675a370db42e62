package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// kind is an element type of the conversions.
type kind struct {
	goType string
	size   int
}

var (
	half   = kind{"uint16", 2}
	byte1  = kind{"uint8", 1}
	int16s = kind{"int16", 2}
	int32s = kind{"int32", 4}
	single = kind{"float32", 4}
	double = kind{"float64", 8}
)

func convertKernels(i isa) {
	conversion := func(name, doc string, to, from kind, consts func() any, body func(c *code, x reg.Register) reg.Register, edit ...func(*kernel)) {
		k := kernel{
			isa: i, name: name, doc: "for i := range dst { dst[i] = " + doc + " }",
			outType: to.goType, outSize: to.size, lanes: i.bytes / max(to.size, from.size), unroll: i.simple(),
			inputs: []input{{name: "x", goType: from.goType, size: from.size}}, consts: consts,
			body: func(c *code, in []reg.Register) reg.Register { return body(c, in[0]) },
		}
		for _, e := range edit {
			e(&k)
		}
		k.generate()
	}
	whole, part := i.bytes, i.bytes/2
	conversion("f32FromF16", "x[i]", single, half, nil, func(c *code, x reg.Register) reg.Register {
		r := vector(whole)
		VCVTPH2PS(x, r)
		return r
	})
	conversion("f16FromF32", "x[i], rounded to nearest even", half, single, nil, func(c *code, x reg.Register) reg.Register {
		r := vector(part)
		VCVTPS2PH(Imm(0), x, r)
		return r
	})
	conversion("f32FromBF16", "x[i]", single, half, nil, func(c *code, x reg.Register) reg.Register {
		r := vector(whole)
		VPMOVZXWD(x, r)
		VPSLLD(Imm(16), r, r)
		return r
	})
	type rounding struct{ one, most, quiet reg.Register }
	rounded := func(c *code, x reg.Register) reg.Register {
		k := c.consts.(rounding)
		if i.bytes == 32 {
			// A blend is three instructions. NaN keeps its upper half, which is not rounded, and
			// a sum with -0 makes it quiet.
			nan, up := vector(whole), vector(whole)
			VCMPPS(Imm(isUnordered), x, x, nan)
			VPSRLD(Imm(16), x, up)
			VPAND(k.one, up, up)
			VPADDD(k.most, up, up)
			VPANDN(up, nan, up)
			VADDPS(k.quiet, x, nan)
			VPADDD(nan, up, up)
			return fresh(whole, VPSRLD, Imm(16), up)
		}
		high, r := vector(whole), vector(whole)
		VPSRLD(Imm(16), x, high)
		if i.wide {
			VPANDD(k.one, high, r)
		} else {
			VPAND(k.one, high, r)
		}
		VPADDD(x, r, r)
		VPADDD(k.most, r, r)
		VPSRLD(Imm(16), r, r)
		if i.wide {
			nan := K()
			VCMPPS(Imm(isUnordered), x, x, nan)
			VPORD(k.quiet, high, nan, r)
			return r
		}
		nan := vector(whole)
		VCMPPS(Imm(isUnordered), x, x, nan)
		VPOR(k.quiet, high, high)
		f32.blend(nan, high, r, r)
		return r
	}
	conversion("bf16FromF32", "x[i], rounded to nearest even", half, single, func() any {
		quiet := uint64(0x40)
		if i.bytes == 32 {
			quiet = 1 << 31
		}
		return rounding{f32.broadcast(i, 1), f32.broadcast(i, 0x7fff), f32.broadcast(i, quiet)}
	}, func(c *code, x reg.Register) reg.Register {
		r := rounded(c, x)
		if i.wide {
			return fresh(part, VPMOVDW, r)
		}
		if i.neon {
			return own("xtn.4h", 0, r)
		}
		upper := XMM()
		VEXTRACTI128(Imm(1), r, upper)
		return fresh(16, VPACKUSDW, upper, as(r, 16))
	}, func(k *kernel) {
		if i.bytes != 32 {
			return
		}
		k.joined, k.part = 2, func(c *code, in []reg.Register) reg.Register { return rounded(c, in[0]) }
		k.join = func(_ *code, r []reg.Register) reg.Register {
			return fresh(32, VPERMQ, Imm(0xd8), fresh(32, VPACKUSDW, r[1], r[0]))
		}
	})
	conversion("f32FromI32", "x[i]", single, int32s, nil, func(c *code, x reg.Register) reg.Register {
		r := vector(whole)
		VCVTDQ2PS(x, r)
		return r
	})
	conversion("i32FromF32", "x[i], truncated, saturated, NaN to 0", int32s, single, func() any {
		return f32.broadcast(i, 0x4f000000) // 2^31
	}, func(c *code, x reg.Register) reg.Register {
		return truncated(i, x, c.consts.(reg.Register))
	})
	conversion("f64FromI32", "x[i]", double, int32s, nil, func(c *code, x reg.Register) reg.Register {
		r := vector(whole)
		VCVTDQ2PD(x, r)
		return r
	})
	conversion("i32FromF64", "x[i], truncated, saturated, NaN to 0", int32s, double, func() any {
		return f64.broadcast(i, 0x41dfffffffc00000) // 2^31 - 1
	}, func(c *code, x reg.Register) reg.Register {
		return truncatedDouble(i, x, c.consts.(reg.Register))
	})
	conversion("f64FromF32", "x[i]", double, single, nil, func(c *code, x reg.Register) reg.Register {
		r := vector(whole)
		VCVTPS2PD(x, r)
		return r
	})
	conversion("f32FromF64", "x[i]", single, double, nil, func(c *code, x reg.Register) reg.Register {
		return narrowed(i, x)
	})
	// In the upper half of an int32, where its sign is the sign.
	conversion("f32FromI16", "x[i] / 32768", single, int16s, func() any {
		return f32.broadcast(i, 0x30000000) // 2^-31
	}, func(c *code, x reg.Register) reg.Register {
		r := vector(whole)
		VPMOVZXWD(x, r)
		VPSLLD(Imm(16), r, r)
		VCVTDQ2PS(r, r)
		VMULPS(c.consts.(reg.Register), r, r)
		return r
	})
	conversion("f32FromU8", "x[i]", single, byte1, nil, func(c *code, x reg.Register) reg.Register {
		r := vector(whole)
		VPMOVZXBD(x, r)
		VCVTDQ2PS(r, r)
		return r
	})
}

// truncated is float32 as int32, saturated, and NaN as 0. What does not fit gives the least
// integer, and its complement, the greatest, is what a number from limit on, 2^31, must become.
func truncated(i isa, x, limit reg.Register) reg.Register {
	r, v := vector(i.bytes), vector(i.bytes)
	if i.neon {
		VCVTTPS2DQ(x, r) // which is that
		return r
	}
	if i.wide {
		ordered, large := K(), K()
		VCMPPS(Imm(7), x, x, ordered)
		VMOVAPS_Z(x, ordered, v)
		VCVTTPS2DQ(v, r)
		VCMPPS(Imm(isGreaterEqual), limit, v, large)
		VPTERNLOGD(Imm(0x0f), r, r, large, r)
		return r
	}
	m := vector(i.bytes)
	VCMPPS(Imm(7), x, x, m)
	VANDPS(m, x, v)
	VCVTTPS2DQ(v, r)
	VCMPPS(Imm(isGreaterEqual), limit, v, m)
	VPXOR(m, r, r)
	return r
}

// truncatedDouble is float64 as int32 in half a register, saturated, and NaN as 0; most is 2^31 - 1.
func truncatedDouble(i isa, x, most reg.Register) reg.Register {
	v, r := vector(i.bytes), vector(i.bytes/2)
	if i.neon {
		return own("sqxtn.2s", 0, own("fcvtzs.2d", 0, x))
	}
	if i.wide {
		ordered := K()
		VCMPPD(Imm(7), x, x, ordered)
		VMOVAPD_Z(x, ordered, v)
	} else {
		VCMPPD(Imm(7), x, x, v)
		VANDPD(x, v, v)
	}
	VMINPD(most, v, v)
	if i.wide {
		VCVTTPD2DQ(v, r)
	} else {
		VCVTTPD2DQY(v, r)
	}
	return r
}
