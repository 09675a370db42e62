package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// float is a real element type and its instructions.
type float struct {
	name   string // suffix
	goType string
	size   int
}

var (
	f32 = float{"F32", "float32", 4}
	f64 = float{"F64", "float64", 8}
)

func (f float) in(name string) input {
	return input{name: name, goType: f.goType, size: f.size}
}

func (f float) scalar(name string) input {
	in := f.in(name)
	in.scalar = true
	return in
}

// op emits the single or the double form of an instruction.
type op struct{ ps, pd func(ops ...Op) }

func (f float) emit(o op, ops ...Op) {
	if f.size == 4 {
		o.ps(ops...)
	} else {
		o.pd(ops...)
	}
}

var (
	add      = op{VADDPS, VADDPD}
	sub      = op{VSUBPS, VSUBPD}
	mul      = op{VMULPS, VMULPD}
	div      = op{VDIVPS, VDIVPD}
	maximum  = op{VMAXPS, VMAXPD}
	minimum  = op{VMINPS, VMINPD}
	compare  = op{VCMPPS, VCMPPD}
	squareRt = op{VSQRTPS, VSQRTPD}
	and      = op{VANDPS, VANDPD}
	or       = op{VORPS, VORPD}
	xor      = op{VXORPS, VXORPD}
	andNot   = op{VANDNPS, VANDNPD}
	rng      = op{VRANGEPS, VRANGEPD}
	scale    = op{VRNDSCALEPS, VRNDSCALEPD}
	move     = op{VMOVAPS, VMOVAPD}
)

// Comparison predicates of VCMPPS, quiet, with the truth of Go's operators on
// NaN.
const (
	isEqual        = 0x00
	isUnordered    = 0x03
	isNotEqual     = 0x04
	isLess         = 0x11
	isLessEqual    = 0x12
	isGreater      = 0x1e
	isGreaterEqual = 0x1d
)

func realKernels(i isa) {
	for _, f := range []float{f32, f64} {
		arithmetic(i, f)
		comparisons(i, f)
		choices(i, f)
		unaries(i, f)
	}
}

// forms makes the vector-vector and the two scalar forms of an operation.
func forms(i isa, f float, name, symbol string, commutes bool, body func(c *code, x, y reg.Register) reg.Register) {
	k := kernel{
		isa: i, outType: f.goType, outSize: f.size, lanes: i.bytes / f.size, unroll: i.simple(),
		body: func(c *code, in []reg.Register) reg.Register { return body(c, in[0], in[1]) },
	}
	k.name, k.doc = name+"VV"+f.name, fmt.Sprintf("for i := range dst { dst[i] = %s }", fmt.Sprintf(symbol, "x[i]", "y[i]"))
	k.inputs = []input{f.in("x"), f.in("y")}
	k.generate()
	k.name, k.doc = name+"VS"+f.name, fmt.Sprintf("for i := range dst { dst[i] = %s }", fmt.Sprintf(symbol, "x[i]", "y"))
	k.inputs = []input{f.in("x"), f.scalar("y")}
	k.generate()
	if !commutes {
		k.name, k.doc = name+"SV"+f.name, fmt.Sprintf("for i := range dst { dst[i] = %s }", fmt.Sprintf(symbol, "x", "y[i]"))
		k.inputs = []input{f.scalar("x"), f.in("y")}
		k.generate()
	}
}

func arithmetic(i isa, f float) {
	plain := func(o op) func(c *code, x, y reg.Register) reg.Register {
		return func(c *code, x, y reg.Register) reg.Register {
			r := vector(i.bytes)
			f.emit(o, y, x, r)
			return r
		}
	}
	forms(i, f, "add", "%s + %s", true, plain(add))
	forms(i, f, "sub", "%s - %s", false, plain(sub))
	forms(i, f, "mul", "%s * %s", true, plain(mul))
	forms(i, f, "div", "%s / %s", false, plain(div))
	forms(i, f, "max", "max(%s, %s)", true, func(c *code, x, y reg.Register) reg.Register { return f.extreme(i, x, y, true) })
	forms(i, f, "min", "min(%s, %s)", true, func(c *code, x, y reg.Register) reg.Register { return f.extreme(i, x, y, false) })
}

// extreme is Go's max or min: NaN wins, and -0 is below +0.
func (f float) extreme(i isa, x, y reg.Register, largest bool) reg.Register {
	r, o := vector(i.bytes), minimum
	if largest {
		o = maximum
	}
	if i.neon {
		f.emit(o, y, x, r)
		return r
	}
	if i.wide {
		// Range orders the zeros but prefers a number to NaN.
		which := Imm(4)
		if largest {
			which = Imm(5)
		}
		nan, sum := K(), vector(i.bytes)
		f.emit(add, x, y, sum) // NaN if either is
		f.emit(compare, Imm(isUnordered), x, y, nan)
		f.emit(rng, which, y, x, r)
		f.emit(move, sum, nan, r)
		return r
	}
	// Each order of operands gives one of two zeros and of a number and NaN. Or takes
	// the lesser zero, and NaN or anything is NaN; and takes the greater zero, but NaN
	// has to be put back.
	other := vector(i.bytes)
	f.emit(o, x, y, r)
	f.emit(o, y, x, other)
	if !largest {
		f.emit(or, other, r, r)
		return r
	}
	nan := vector(i.bytes)
	f.emit(compare, Imm(isUnordered), x, y, nan)
	f.emit(and, other, r, r)
	f.emit(or, nan, r, r)
	return r
}

// blend is AVX2's choice by sign bit: yes where mask, else no.
func (f float) blend(mask, yes, no, dst reg.Register) {
	if f.size == 4 {
		VBLENDVPS(mask, yes, no, dst)
	} else {
		VBLENDVPD(mask, yes, no, dst)
	}
}

func comparisons(i isa, f float) {
	for _, o := range []struct {
		name, symbol string
		predicate    uint64
		vs           bool // only the form with a scalar
	}{
		{"equal", "==", isEqual, false},
		{"notEqual", "!=", isNotEqual, false},
		{"less", "<", isLess, false},
		{"lessEqual", "<=", isLessEqual, false},
		{"greater", ">", isGreater, true},
		{"greaterEqual", ">=", isGreaterEqual, true},
	} {
		k := kernel{isa: i, outType: "bool", outSize: 1, lanes: i.bytes / f.size, unroll: 4}
		k.consts = func() any { return boolConsts(i, f) }
		mask := func(c *code, in []reg.Register) reg.Register {
			m := vector(i.bytes)
			f.emit(compare, Imm(o.predicate), in[1], in[0], m)
			return m
		}
		k.body = func(c *code, in []reg.Register) reg.Register {
			if i.wide {
				m, r := K(), XMM()
				f.emit(compare, Imm(o.predicate), in[1], in[0], m)
				VMOVDQU8_Z(c.consts.(truths).ones, m, r)
				return r
			}
			return narrow(i, f, mask(c, in), c.consts.(truths).ones)
		}
		if i.bytes == 32 {
			k.unroll, k.joined, k.part = 32/k.lanes, 32/k.lanes, mask
			k.join = func(c *code, masks []reg.Register) reg.Register { return narrowAll(f, masks, c.consts.(truths)) }
		}
		if !o.vs {
			k.name, k.doc = o.name+"VV"+f.name, fmt.Sprintf("for i := range dst { dst[i] = x[i] %s y[i] }", o.symbol)
			k.inputs = []input{f.in("x"), f.in("y")}
			k.generate()
		}
		k.name, k.doc = o.name+"VS"+f.name, fmt.Sprintf("for i := range dst { dst[i] = x[i] %s y }", o.symbol)
		k.inputs = []input{f.in("x"), f.scalar("y")}
		k.generate()
	}
}

// truths are what comparisons need: bytes that are 1 and, to join eight lanes of
// each register of four in order, the order of words.
type truths struct{ ones, order reg.Register }

func boolConsts(i isa, f float) truths {
	if i.neon {
		return truths{ones: own("bytes1", 0)}
	}
	if i.wide {
		ones := XMM()
		VPCMPEQB(ones, ones, ones)
		VPABSB(ones, ones)
		return truths{ones: ones}
	}
	t := truths{ones: YMM()}
	VPCMPEQB(t.ones, t.ones, t.ones)
	VPABSB(t.ones, t.ones)
	if f.size == 4 {
		g, order := GP64(), YMM()
		MOVQ(U64(0x0703060205010400), g)
		MOVQ(g, order.AsX())
		VPMOVZXBD(order.AsX(), order)
		t.order = order
	}
	return t
}

// narrowAll turns the 32 lanes of four or eight registers, all ones or all zeros, into
// bytes 1 or 0. Packing works on each half of a register, so pieces have to change
// places at the end.
func narrowAll(f float, masks []reg.Register, t truths) reg.Register {
	pack := func(o func(...Op)) {
		for n := range len(masks) / 2 {
			r := YMM()
			o(masks[2*n+1], masks[2*n], r)
			masks[n] = r
		}
		masks = masks[:len(masks)/2]
	}
	for len(masks) > 2 {
		pack(VPACKSSDW)
	}
	pack(VPACKSSWB)
	r := YMM()
	VPAND(t.ones, masks[0], r)
	if f.size == 4 {
		VPERMD(r, t.order, r)
		return r
	}
	high := YMM()
	VPERMQ(Imm(0xd8), r, r)
	VPSHUFD(Imm(0xee), r, high)
	VPUNPCKLWD(high, r, r)
	return r
}

// narrow turns lanes that are all ones or all zeros into bytes 1 or 0.
func narrow(i isa, f float, m, ones reg.Register) reg.Register {
	r, high := XMM(), XMM()
	if i.neon {
		if f.size == 8 {
			m = own("xtn.2s", 0, m)
		}
		VPAND(ones, own("xtn.8b", 0, own("xtn.4h", 0, m)), r)
		return r
	}
	VEXTRACTF128(Imm(1), m, high)
	if f.size == 8 {
		VPACKSSDW(high, as(m, 16), r) // two words per lane
		VPACKSSDW(r, r, r)
	} else {
		VPACKSSDW(high, as(m, 16), r)
	}
	VPACKSSWB(r, r, r)
	VPAND(as(ones, 16), r, r)
	return r
}

func choices(i isa, f float) {
	base := kernel{isa: i, outType: f.goType, outSize: f.size, lanes: i.bytes / f.size, unroll: i.simple()}
	cond := input{name: "cond", goType: "bool", size: 1}
	type choosing struct {
		zero   reg.Register
		widens []reg.Register // AVX2: the order of bytes that widens them for each vector
	}
	base.consts = func() any {
		c := choosing{zero: vector(i.bytes)}
		f.emit(xor, c.zero, c.zero, c.zero)
		for v := range base.joined {
			c.widens = append(c.widens, load(f.widening(v), i.bytes))
		}
		return c
	}
	// A blend is three instructions of a Sapphire Rapids, and so are an and, an and not and an or, which
	// want masks of ones besides. With words of integers, no - (no - yes) is yes, and VPSIGND makes the
	// difference 0 where a truth is 0 and keeps it where it is above.
	choose := func(truth, yes, no reg.Register) reg.Register {
		r := fresh(i.bytes, VPSUBD, yes, no)
		VPSIGND(truth, r, r)
		VPSUBD(r, no, r)
		return r
	}
	base.body = func(c *code, in []reg.Register) reg.Register {
		r := vector(i.bytes)
		if i.wide {
			m := K()
			VPTESTMB(in[0], in[0], m)
			if f.size == 4 {
				VBLENDMPS(in[1], in[2], m, r)
			} else {
				VBLENDMPD(in[1], in[2], m, r)
			}
			return r
		}
		mask, greater := vector(i.bytes), VPCMPGTD
		if f.size == 4 {
			VPMOVZXBD(in[0], mask)
		} else {
			VPMOVZXBQ(in[0], mask)
			greater = VPCMPGTQ
		}
		if i.neon {
			greater(c.consts.(choosing).zero, mask, mask)
			f.blend(mask, in[1], in[2], r)
			return r
		}
		if f.size == 8 {
			VPSHUFD(Imm(0xa0), mask, mask) // both words
		}
		return choose(mask, in[1], in[2])
	}
	if i.bytes == 32 {
		// 16 bytes are loaded at once, and a shuffle, of which two ports do one, widens them.
		base.joined = 16 / base.lanes
		base.part = func(_ *code, in []reg.Register) reg.Register { return choose(in[0], in[1], in[2]) }
		base.shared = func(c *code, m Mem) []reg.Register {
			k := c.consts.(choosing)
			all := YMM()
			VBROADCASTI128(m, all)
			var masks []reg.Register
			for _, w := range k.widens {
				masks = append(masks, fresh(32, VPSHUFB, w, all))
			}
			return masks
		}
	}
	for _, o := range []struct {
		form, doc string
		inputs    []input
	}{
		{"VV", "x[i] where cond[i], else y[i]", []input{cond, f.in("x"), f.in("y")}},
		{"VS", "x[i] where cond[i], else y", []input{cond, f.in("x"), f.scalar("y")}},
		{"SV", "x where cond[i], else y[i]", []input{cond, f.scalar("x"), f.in("y")}},
	} {
		k := base
		k.name, k.inputs = "where"+o.form+f.name, o.inputs
		k.doc = "for i := range dst { dst[i] = " + o.doc + " }"
		k.generate()
	}
}

// widening is the order of bytes that gives the words of a lane of vector v its byte of 16: none is negative.
func (f float) widening(v int) Mem {
	name := fmt.Sprintf("widening%s%d", f.name, v)
	if m, ok := widenings[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for n := range 32 {
		from := v*32/f.size + n/f.size
		if n%4 > 0 {
			from = 0x80 // a zero
		}
		DATA(n, U8(from))
	}
	widenings[name] = m
	return m
}

var widenings = map[string]Mem{}

// broadcast fills a register with one constant.
func (f float) broadcast(i isa, bits uint64) reg.Register {
	g, v := GP64(), vector(i.bytes)
	MOVQ(U64(bits), g)
	MOVQ(g, v.AsX())
	if f.size == 4 {
		VPBROADCASTD(v.AsX(), v)
	} else {
		VPBROADCASTQ(v.AsX(), v)
	}
	return v
}

// signBit and one are bit patterns of the type.
func (f float) signBit() uint64 {
	if f.size == 4 {
		return 1 << 31
	}
	return 1 << 63
}

func (f float) one() uint64 {
	if f.size == 4 {
		return 0x3f800000
	}
	return 0x3ff0000000000000
}

func unaries(i isa, f float) {
	simple := func(name, doc string, consts func() any, body func(c *code, x, r reg.Register)) {
		k := kernel{
			isa: i, name: name + f.name, doc: "for i := range dst { dst[i] = " + doc + " }",
			outType: f.goType, outSize: f.size, lanes: i.bytes / f.size, unroll: i.simple(),
			inputs: []input{f.in("x")}, consts: consts,
			body: func(c *code, in []reg.Register) reg.Register {
				r := vector(i.bytes)
				body(c, in[0], r)
				return r
			},
		}
		k.generate()
	}
	signs := func() any { return f.broadcast(i, f.signBit()) }
	ones := func() any { return f.broadcast(i, f.one()) }
	simple("neg", "-x[i]", signs, func(c *code, x, r reg.Register) { f.emit(xor, c.consts.(Op), x, r) })
	simple("abs", "|x[i]|", signs, func(c *code, x, r reg.Register) { f.emit(andNot, x, c.consts.(Op), r) })
	simple("square", "x[i] * x[i]", nil, func(c *code, x, r reg.Register) { f.emit(mul, x, x, r) })
	simple("sqrt", "sqrt(x[i])", nil, func(c *code, x, r reg.Register) { f.emit(squareRt, x, r) })
	simple("rsqrt", "1 / sqrt(x[i])", ones, func(c *code, x, r reg.Register) {
		f.emit(squareRt, x, r)
		f.emit(div, r, c.consts.(Op), r)
	})
	for _, o := range []struct {
		name string
		mode uint64
	}{{"floor", 9}, {"ceil", 10}, {"round", 8}} {
		simple(o.name, o.name+"(x[i])", nil, func(c *code, x, r reg.Register) {
			switch {
			case i.wide:
				f.emit(scale, Imm(o.mode), x, r)
			case f.size == 4:
				VROUNDPS(Imm(o.mode), x, r)
			default:
				VROUNDPD(Imm(o.mode), x, r)
			}
		})
	}
	type signConsts struct{ sign, one, zero reg.Register }
	simple("sign", "the sign of x[i], +0 for zeros, NaN for NaN", func() any {
		zero := vector(i.bytes)
		f.emit(xor, zero, zero, zero)
		return signConsts{f.broadcast(i, f.signBit()), f.broadcast(i, f.one()), zero}
	}, func(c *code, x, r reg.Register) {
		k := c.consts.(signConsts)
		f.emit(and, k.sign, x, r)
		f.emit(or, k.one, r, r)
		// A zero gives +0, NaN another.
		if i.wide {
			m := K()
			f.emit(compare, Imm(isEqual), k.zero, x, m)
			f.emit(move, k.zero, m, r)
			f.emit(compare, Imm(isUnordered), x, x, m)
			f.emit(op{VADDPS, VADDPD}, x, x, m, r)
			return
		}
		m := vector(i.bytes)
		f.emit(compare, Imm(isNotEqual), k.zero, x, m)
		f.emit(and, m, r, r)
		f.emit(compare, Imm(isUnordered), x, x, m)
		f.emit(or, m, r, r) // all bits are set in a NaN
	})
}
