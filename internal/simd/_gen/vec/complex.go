package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pair is the shuffles of interleaved real and imaginary parts.
type pair struct {
	isa   isa
	float float
}

// fresh emits an instruction into a new register.
func fresh(bytes int, f func(...Op), ops ...Op) reg.Register {
	v := vector(bytes)
	f(append(ops, v)...)
	return v
}

// odds doubles the imaginary parts: (b, b) of (a, b).
func (p pair) odds(x reg.Register) reg.Register {
	if p.float.size == 4 {
		return fresh(p.isa.bytes, VMOVSHDUP, x)
	}
	return fresh(p.isa.bytes, VPERMILPD, Imm(0xff), x)
}

// evens doubles the real parts: (a, a) of (a, b).
func (p pair) evens(x reg.Register) reg.Register {
	if p.float.size == 4 {
		return fresh(p.isa.bytes, VMOVSLDUP, x)
	}
	return fresh(p.isa.bytes, VMOVDDUP, x)
}

// swap is (b, a) of (a, b).
func (p pair) swap(x reg.Register) reg.Register {
	if p.float.size == 4 {
		return fresh(p.isa.bytes, VPERMILPS, Imm(0xb1), x)
	}
	return fresh(p.isa.bytes, VPERMILPD, Imm(0x55), x)
}

// first and second collect the real and the imaginary parts into half a
// register.
func (p pair) first(x reg.Register) reg.Register  { return p.collect(x, false) }
func (p pair) second(x reg.Register) reg.Register { return p.collect(x, true) }

func (p pair) collect(x reg.Register, imag bool) reg.Register {
	half := p.isa.bytes / 2
	if p.isa.neon {
		switch {
		case p.float.size == 8 && imag:
			return fresh(half, VPERMILPD, Imm(1), x)
		case p.float.size == 8:
			return x
		case imag:
			return fresh(half, VSHUFPS, Imm(0xdd), x, x)
		}
		return fresh(half, VSHUFPS, Imm(0x88), x, x)
	}
	if p.float.size == 4 && p.isa.wide {
		if imag {
			x = fresh(64, VPSRLQ, Imm(32), x)
		}
		return fresh(half, VPMOVQD, x)
	}
	if p.float.size == 4 {
		upper := XMM()
		VEXTRACTF128(Imm(1), x, upper)
		which := Imm(0x88)
		if imag {
			which = Imm(0xdd)
		}
		return fresh(half, VSHUFPS, which, upper, as(x, 16))
	}
	upper := vector(half)
	pick := VUNPCKLPD
	if imag {
		pick = VUNPCKHPD
	}
	if !p.isa.wide {
		VEXTRACTF128(Imm(1), x, upper)
		return fresh(half, pick, upper, as(x, 16))
	}
	VEXTRACTF64X4(Imm(1), x, upper)
	mixed := fresh(half, pick, upper, as(x, 32))
	return fresh(half, VPERMPD, Imm(0xd8), mixed)
}

// double spreads half a register of reals: (y0, y0, y1, y1, ...).
func (p pair) double(y reg.Register) reg.Register {
	if p.isa.neon {
		return fresh(p.isa.bytes, map[int]func(...Op){4: VUNPCKLPS, 8: VUNPCKLPD}[p.float.size], y, y)
	}
	if p.float.size == 4 {
		return p.evens(fresh(p.isa.bytes, VPMOVZXDQ, y))
	}
	if !p.isa.wide {
		return fresh(32, VPERMPD, Imm(0x50), as(y, 32))
	}
	lower, upper := fresh(32, VPERMPD, Imm(0x50), y), fresh(32, VPERMPD, Imm(0xfa), y)
	return fresh(64, VINSERTF64X4, Imm(1), upper, as(lower, 64))
}

// subAdd is (a-c, b+d) of (a, b) and (c, d). AVX-512 has it only fused; the
// product with one is exact, so each part is still rounded once. NEON changes the
// sign of c first; by then is what has it.
func (p pair) subAdd(x, y reg.Register, one Op) reg.Register {
	r := vector(p.isa.bytes)
	if p.isa.neon {
		p.float.emit(xor, one, y, r)
		p.float.emit(add, r, x, r)
		return r
	}
	if !p.isa.wide {
		if p.float.size == 4 {
			VADDSUBPS(y, x, r)
		} else {
			VADDSUBPD(y, x, r)
		}
		return r
	}
	VMOVAPS(x, r)
	if p.float.size == 4 {
		VFMADDSUB213PS(y, one, r)
	} else {
		VFMADDSUB213PD(y, one, r)
	}
	return r
}

// signs is a sign bit in every imaginary part.
func (p pair) signs() reg.Register {
	v := f64.broadcast(p.isa, 1<<63)
	if p.float.size == 4 {
		return v
	}
	zero, signs := vector(p.isa.bytes), vector(p.isa.bytes)
	VXORPS(zero, zero, zero)
	VUNPCKLPD(v, zero, signs)
	return signs
}

// backwards is the numbers of a register in the reverse order.
func (p pair) backwards(x reg.Register) reg.Register {
	n := p.isa.bytes
	switch {
	case p.isa.neon && p.float.size == 4:
		return fresh(n, VPERMILPD, Imm(1), x)
	case p.isa.neon:
		return x
	case p.isa.wide && p.float.size == 4:
		x = fresh(n, VPERMPD, Imm(0x1b), x)
		return fresh(n, VSHUFF64X2, Imm(0x4e), x, x)
	case p.isa.wide:
		return fresh(n, VSHUFF64X2, Imm(0x1b), x, x)
	case p.float.size == 4:
		return fresh(n, VPERMPD, Imm(0x1b), x)
	}
	return fresh(n, VPERMPD, Imm(0x4e), x)
}

// mirror conjugates numbers in the reverse order: four vectors at a time, then one, and a
// last one that overlaps the one before.
func mirror(i isa, f float) {
	p := pair{i, f}
	name := "pairMirror" + f.name + i.name
	TEXT(name, NOSPLIT, "func(dst, x *"+f.goType+", n int)")
	Pragma("noescape")
	Doc(name + " is for i := 0; i < n; i += 2 { dst[i], dst[i+1] = x[n-2-i], -x[n-1-i] } for n of a vector and more.")
	dst, from, left := Load(Param("dst"), GP64()), Load(Param("x"), GP64()), Load(Param("n"), GP64())
	signs := p.signs()
	IMUL3Q(I32(f.size), left, left)
	ADDQ(left, from)
	label := func(s string) string { return s + f.name + i.name }
	some := func(count int) {
		var v []reg.Register
		for k := range count {
			v = append(v, p.backwards(load(Mem{Base: from, Disp: -(k + 1) * i.bytes}, i.bytes)))
		}
		for k := range count {
			f.emit(xor, signs, v[k], v[k])
			store(v[k], Mem{Base: dst, Disp: k * i.bytes}, i.bytes)
		}
	}
	for _, count := range []int{4, 1} {
		loop := label(map[int]string{4: "mirror4", 1: "mirror1"}[count])
		Label(loop)
		CMPQ(left, I32(count*i.bytes))
		JL(LabelRef(loop + "done"))
		some(count)
		ADDQ(I32(count*i.bytes), dst)
		SUBQ(I32(count*i.bytes), from)
		SUBQ(I32(count*i.bytes), left)
		JMP(LabelRef(loop))
		Label(loop + "done")
	}
	CMPQ(left, Imm(0))
	JLE(LabelRef(label("mirrored")))
	SUBQ(I32(i.bytes), left) // how far the last vector reaches back
	ADDQ(left, dst)
	SUBQ(left, from)
	some(1)
	Label(label("mirrored"))
	VZEROUPPER()
	RET()
}

func complexKernels(i isa) {
	for _, f := range []float{f32, f64} {
		complexOf(i, f)
		mirror(i, f)
		quotients(i, f)
	}
}

func complexOf(i isa, f float) {
	p := pair{i, f}
	z := func(name string) input { return input{name: name, goType: f.goType, size: f.size, units: 2} }
	wideScalar := func(name string) input { in := z(name); in.scalar = true; return in }
	make1 := func(name, doc string, units int, inputs []input, consts func() any, body func(c *code, in []reg.Register) reg.Register) {
		k := kernel{
			isa: i, name: name + f.name, doc: "for i := 0; i < n; i += 2 { " + doc + " }",
			outType: f.goType, outSize: f.size, outUnits: units, lanes: i.bytes / (2 * f.size), unroll: i.simple() / 2,
			inputs: inputs, consts: consts, body: body,
		}
		k.generate()
	}
	interleave := func(re, im reg.Register) reg.Register {
		r := vector(i.bytes)
		f.emit(op{VUNPCKLPS, VUNPCKLPD}, im, re, r)
		return r
	}
	binary := func(o op, y, x reg.Register) reg.Register {
		r := vector(i.bytes)
		f.emit(o, y, x, r)
		return r
	}
	one := func() any {
		switch {
		case i.neon && f.size == 4:
			return f64.broadcast(i, 1<<31)
		case i.neon:
			g, v := GP64(), XMM()
			MOVQ(U64(1<<63), g)
			MOVQ(g, v)
			return v
		}
		return f.broadcast(i, f.one())
	}

	make1("pairAddVS", "dst[i], dst[i+1] = x[i]+re, x[i+1]+im", 2, []input{z("x"), wideScalar("re"), wideScalar("im")}, nil,
		func(c *code, in []reg.Register) reg.Register { return binary(add, interleave(in[1], in[2]), in[0]) })
	make1("pairSubSV", "dst[i], dst[i+1] = re-y[i], im-y[i+1]", 2, []input{wideScalar("re"), wideScalar("im"), z("y")}, nil,
		func(c *code, in []reg.Register) reg.Register { return binary(sub, in[2], interleave(in[0], in[1])) })
	product := func(c *code, x, re, im reg.Register) reg.Register {
		return p.subAdd(binary(mul, re, x), binary(mul, im, p.swap(x)), c.consts.(Op))
	}
	make1("pairMulVV", "dst[i], dst[i+1] = x[i]*y[i]-x[i+1]*y[i+1], x[i+1]*y[i]+x[i]*y[i+1]", 2, []input{z("x"), z("y")}, one,
		func(c *code, in []reg.Register) reg.Register { return product(c, in[0], p.evens(in[1]), p.odds(in[1])) })
	make1("pairMulVS", "dst[i], dst[i+1] = x[i]*re-x[i+1]*im, x[i+1]*re+x[i]*im", 2, []input{z("x"), wideScalar("re"), wideScalar("im")}, one,
		func(c *code, in []reg.Register) reg.Register { return product(c, in[0], in[1], in[2]) })
	make1("pairMulReal", "dst[i], dst[i+1] = x[i]*y[i/2], x[i+1]*y[i/2]", 2, []input{z("x"), f.in("y")}, nil,
		func(c *code, in []reg.Register) reg.Register { return binary(mul, p.double(in[1]), in[0]) })
	make1("pairConj", "dst[i], dst[i+1] = x[i], -x[i+1]", 2, []input{z("x")}, func() any { return p.signs() }, func(c *code, in []reg.Register) reg.Register { return binary(xor, c.consts.(reg.Register), in[0]) })

	// Two registers of AVX2 have the pairs of one register of reals: that saves half of
	// the shuffles.
	halve := func(name, doc string, body func(x reg.Register) reg.Register, join func(x, y reg.Register) reg.Register) {
		k := kernel{
			isa: i, name: name + f.name, doc: "for i := 0; i < n; i += 2 { " + doc + " }",
			outType: f.goType, outSize: f.size, outUnits: 1, lanes: i.bytes / (2 * f.size), unroll: i.simple() / 2, inputs: []input{z("x")},
			body: func(c *code, in []reg.Register) reg.Register { return body(in[0]) },
		}
		if i.bytes == 32 {
			k.unroll, k.joined = 8, 2
			k.part = func(c *code, in []reg.Register) reg.Register { return in[0] }
			k.join = func(c *code, parts []reg.Register) reg.Register {
				return fresh(32, VPERMPD, Imm(0xd8), join(parts[0], parts[1]))
			}
		}
		k.generate()
	}
	gather := func(imag bool, x, y reg.Register) reg.Register {
		switch {
		case f.size == 4:
			return fresh(32, VSHUFPS, Imm(map[bool]uint64{false: 0x88, true: 0xdd}[imag]), y, x)
		case imag:
			return fresh(32, VUNPCKHPD, y, x)
		}
		return fresh(32, VUNPCKLPD, y, x)
	}
	halve("pairAbsSquared", "dst[i/2] = x[i]*x[i] + x[i+1]*x[i+1]", func(x reg.Register) reg.Register {
		s := binary(mul, x, x)
		return p.first(binary(add, p.swap(s), s))
	}, func(x, y reg.Register) reg.Register {
		x, y = binary(mul, x, x), binary(mul, y, y)
		return binary(add, gather(true, x, y), gather(false, x, y))
	})
	halve("pairReal", "dst[i/2] = x[i]", p.first, func(x, y reg.Register) reg.Register { return gather(false, x, y) })
	halve("pairImag", "dst[i/2] = x[i+1]", p.second, func(x, y reg.Register) reg.Register { return gather(true, x, y) })
	make1("pairJoin", "dst[i], dst[i+1] = re[i/2], im[i/2]", 2, []input{f.in("re"), f.in("im")}, func() any {
		if !i.wide {
			return nil
		}
		g, k := GP64(), K()
		MOVQ(U32(0xaaaa), g)
		KMOVQ(g, k)
		return k
	}, func(c *code, in []reg.Register) reg.Register {
		if i.neon {
			return interleave(in[0], in[1])
		}
		if i.bytes == 32 && f.size == 4 {
			lower, upper := fresh(16, VUNPCKLPS, in[1], in[0]), fresh(16, VUNPCKHPS, in[1], in[0])
			return fresh(32, fixed4(VINSERTF128), Imm(1), upper, as(lower, 32))
		}
		re, im := p.double(in[0]), p.double(in[1])
		r := vector(i.bytes)
		if i.wide {
			f.emit(op{VBLENDMPS, VBLENDMPD}, im, re, c.consts.(reg.Register), r)
		} else {
			VBLENDPD(Imm(0xa), im, re, r)
		}
		return r
	})
	if f.size == 4 {
		make1("pairAbs", "dst[i/2] = hypot(x[i], x[i+1])", 1, []input{z("x")}, func() any {
			inf := f64.broadcast(i, 0x7ff0000000000000)
			if i.wide {
				return hypotConsts{inf: inf, least: f64.broadcast(i, (1023-600)<<52), half: f64.broadcast(i, 1022<<52)}
			}
			return hypotConsts{inf: inf, mag: f64.broadcast(i, 1<<63-1)}
		}, func(c *code, in []reg.Register) reg.Register { return hypotSingle(p, c, in[0]) })
	} else {
		make1("pairAbs", "dst[i/2] = hypot(x[i], x[i+1])", 1, []input{z("x")}, func() any {
			// The scale works on half registers: one number per pair.
			h := isa{i.name, i.bytes / 2, i.wide, i.neon}
			return hypotConsts{
				inf: f64.broadcast(h, 0x7ff0000000000000), mag: f64.broadcast(h, 1<<63-1),
				least: f64.broadcast(h, 3<<52), most: f64.broadcast(h, 0x7fc<<52), turn: f64.broadcast(h, 0x7fe<<52),
			}
		}, func(c *code, in []reg.Register) reg.Register { return hypotDouble(p, c, in[0]) })
	}
}

type hypotConsts struct{ inf, mag, least, most, turn, half reg.Register }

// orInfinite replaces r by infinity where a or b, both without sign, is
// infinite.
func orInfinite(bytes int, wide bool, r, a, b, inf reg.Register) {
	if wide {
		m, n := K(), K()
		VCMPPD(Imm(isEqual), inf, a, m)
		VCMPPD(Imm(isEqual), inf, b, n)
		KORB(m, n, m)
		VMOVAPD(inf, m, r)
		return
	}
	m, n := vector(bytes), vector(bytes)
	VCMPPD(Imm(isEqual), inf, a, m)
	VCMPPD(Imm(isEqual), inf, b, n)
	VORPD(n, m, m)
	VBLENDVPD(m, inf, r, r)
}

// hypotSingle works in float64, where the squares of float32 are exact and
// cannot overflow.
func hypotSingle(p pair, c *code, x reg.Register) reg.Register {
	k := c.consts.(hypotConsts)
	n := p.isa.bytes
	a, b := fresh(n, VCVTPS2PD, p.first(x)), fresh(n, VCVTPS2PD, p.second(x))
	if !p.isa.wide {
		VANDPD(k.mag, a, a)
		VANDPD(k.mag, b, b)
	}
	r := fresh(n, VMULPD, b, b)
	VFMADD231PD(a, a, r)
	if p.isa.wide {
		r = k.root(n, r)
		infinite, other := K(), K()
		VFPCLASSPDZ(Imm(0x18), a, infinite)
		VFPCLASSPDZ(Imm(0x18), b, other)
		KORB(infinite, other, infinite)
		VMOVAPD(k.inf, infinite, r)
	} else {
		VSQRTPD(r, r)
		orInfinite(n, false, r, a, b, k.inf)
	}
	return narrowed(p.isa, r)
}

// root is the square root of zero, or of a number that is neither near zero nor infinite, to an ulp: two steps from 14 bits
// of its inverse (Goldschmidt's), which take half the time of a root of eight numbers.
func (k hypotConsts) root(n int, x reg.Register) reg.Register {
	h := fresh(n, VRSQRT14PD, fresh(n, VMAXPD, x, k.least))
	g := fresh(n, VMULPD, h, x)
	VMULPD(k.half, h, h)
	miss := vector(n)
	VMOVAPD(k.half, miss)
	VFNMADD231PD(g, h, miss)
	VFMADD231PD(miss, g, g)
	VFMADD231PD(miss, h, h)
	VFNMADD231PD(g, g, x)
	VFMADD231PD(x, h, g)
	return g
}

func hypotDouble(p pair, c *code, x reg.Register) reg.Register {
	k := c.consts.(hypotConsts)
	n := p.isa.bytes / 2
	a, b := p.first(x), p.second(x)
	VANDPD(k.mag, a, a)
	VANDPD(k.mag, b, b)
	larger := func(y, x reg.Register) reg.Register {
		if p.isa.wide {
			return fresh(n, VPMAXUQ, y, x)
		}
		m := vector(n)
		VPCMPGTQ(x, y, m)
		return fresh(n, fixed4(VBLENDVPD), m, y, x)
	}
	exp := larger(b, a)
	VANDPD(k.inf, exp, exp)
	exp = larger(k.least, exp)
	if p.isa.wide {
		VPMINUQ(k.most, exp, exp)
	} else {
		m := vector(n)
		VPCMPGTQ(k.most, exp, m)
		VBLENDVPD(m, k.most, exp, exp)
	}
	down := fresh(n, VPSUBQ, exp, k.turn)
	u, v := fresh(n, VMULPD, down, a), fresh(n, VMULPD, down, b)
	r := fresh(n, VMULPD, v, v)
	VFMADD231PD(u, u, r)
	VSQRTPD(r, r)
	VMULPD(exp, r, r)
	orInfinite(n, p.isa.wide, r, a, b, k.inf)
	return r
}
