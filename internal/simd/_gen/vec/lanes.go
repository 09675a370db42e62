package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes emits arithmetic on registers full of float64. Each method leaves its
// operands alone and gives a new register; operands called m may be constants
// in memory.
type lanes struct {
	isa    isa
	giveUp string
}

var constants = map[uint64]Mem{}

// word is a constant: an AVX2 register full of it. AVX-512 spreads its first
// element, since the linker aligns to 32 bytes only.
func word(bits uint64) Mem {
	if m, ok := constants[bits]; ok {
		return m
	}
	m := GLOBL(fmt.Sprintf("word%016x", bits), RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(bits))
	}
	constants[bits] = m
	return m
}

// form is an instruction in its plain form and in that which spreads a
// constant.
type form struct{ plain, spread func(...Op) }

var (
	addForm  = form{VADDPD, VADDPD_BCST}
	subForm  = form{VSUBPD, VSUBPD_BCST}
	mulForm  = form{VMULPD, VMULPD_BCST}
	divForm  = form{VDIVPD, VDIVPD_BCST}
	andForm  = form{VANDPD, VANDPD_BCST}
	orForm   = form{VORPD, VORPD_BCST}
	xorForm  = form{VXORPD, VXORPD_BCST}
	iaddForm = form{VPADDQ, VPADDQ_BCST}
	cmpForm  = form{VCMPPD, VCMPPD_BCST}

	fma213  = form{VFMADD213PD, VFMADD213PD_BCST}
	fma132  = form{VFMADD132PD, VFMADD132PD_BCST}
	fms213  = form{VFMSUB213PD, VFMSUB213PD_BCST}
	fnma213 = form{VFNMADD213PD, VFNMADD213PD_BCST}
)

// with is the form for an operand m.
func (l lanes) with(f form, m Op) func(...Op) {
	if _, constant := m.(Mem); constant && l.isa.wide {
		return f.spread
	}
	return f.plain
}

func number(v float64) Mem { return word(math.Float64bits(v)) }

func (l lanes) emit(f func(...Op), ops ...Op) reg.Register {
	return fresh(l.isa.bytes, f, ops...)
}

// held is an operand in a register of its own.
func (l lanes) held(m Op) reg.Register {
	if _, constant := m.(Mem); constant {
		if l.isa.neon {
			return l.emit(VMOVDDUP, m)
		}
		return l.emit(VBROADCASTSD, m)
	}
	return l.emit(VMOVUPD, m)
}

func (l lanes) add(a reg.Register, m Op) reg.Register { return l.emit(l.with(addForm, m), m, a) }
func (l lanes) sub(a reg.Register, m Op) reg.Register { return l.emit(l.with(subForm, m), m, a) }
func (l lanes) mul(a reg.Register, m Op) reg.Register { return l.emit(l.with(mulForm, m), m, a) }
func (l lanes) div(a reg.Register, m Op) reg.Register { return l.emit(l.with(divForm, m), m, a) }

// from is m - a.
func (l lanes) from(m Op, a reg.Register) reg.Register { return l.sub(l.held(m), a) }

// fma is a*b + m. Fused instructions of NEON add to their result.
func (l lanes) fma(a, b reg.Register, m Op) reg.Register {
	if l.isa.neon {
		r := l.held(m)
		VFMADD231PD(b, a, r)
		return r
	}
	r := l.held(a)
	l.with(fma213, m)(m, b, r)
	return r
}

// fmaBy is a*m + c.
func (l lanes) fmaBy(a reg.Register, m Op, c reg.Register) reg.Register {
	if l.isa.neon {
		r := l.held(c)
		VFMADD231PD(m, a, r)
		return r
	}
	r := l.held(a)
	l.with(fma132, m)(m, c, r)
	return r
}

// fms is a*b - m.
func (l lanes) fms(a, b reg.Register, m Op) reg.Register {
	if l.isa.neon {
		r := l.held(m)
		VFMSUB231PD(b, a, r)
		return r
	}
	r := l.held(a)
	l.with(fms213, m)(m, b, r)
	return r
}

// fnma is m - a*b.
func (l lanes) fnma(a, b reg.Register, m Op) reg.Register {
	if l.isa.neon {
		r := l.held(m)
		VFNMADD231PD(b, a, r)
		return r
	}
	r := l.held(a)
	l.with(fnma213, m)(m, b, r)
	return r
}

func (l lanes) horner(x reg.Register, c []float64) reg.Register {
	p := l.held(number(c[len(c)-1]))
	for i := len(c) - 2; i >= 0; i-- {
		if l.isa.neon {
			p = l.fma(p, x, number(c[i]))
			continue
		}
		l.with(fma213, number(c[i]))(number(c[i]), x, p)
	}
	return p
}

func (l lanes) and(a reg.Register, m Op) reg.Register  { return l.emit(l.with(andForm, m), m, a) }
func (l lanes) or(a reg.Register, m Op) reg.Register   { return l.emit(l.with(orForm, m), m, a) }
func (l lanes) xor(a reg.Register, m Op) reg.Register  { return l.emit(l.with(xorForm, m), m, a) }
func (l lanes) iadd(a reg.Register, m Op) reg.Register { return l.emit(l.with(iaddForm, m), m, a) }
func (l lanes) shl(a reg.Register, n uint64) reg.Register {
	return l.emit(VPSLLQ, Imm(n), a)
}
func (l lanes) shr(a reg.Register, n uint64) reg.Register {
	return l.emit(VPSRLQ, Imm(n), a)
}

const signMask = 1 << 63

func (l lanes) abs(a reg.Register) reg.Register { return l.and(a, word(signMask-1)) }
func (l lanes) neg(a reg.Register) reg.Register { return l.xor(a, word(signMask)) }

// copysign is the magnitude of y with the sign of x.
func (l lanes) copysign(y, x reg.Register) reg.Register {
	return l.or(l.abs(y), l.and(x, word(signMask)))
}

// atMost and atLeast keep NaN: the instructions give their second source when
// an operand is NaN.
func (l lanes) atMost(x reg.Register, most float64) reg.Register {
	return l.emit(VMINPD, x, l.held(number(most)))
}

func (l lanes) atLeast(x reg.Register, least float64) reg.Register {
	return l.emit(VMAXPD, x, l.held(number(least)))
}

func (l lanes) clamp(x reg.Register, least, most float64) reg.Register {
	return l.atMost(l.atLeast(x, least), most)
}

// within keeps a number's magnitude to most.
func (l lanes) within(x reg.Register, most float64) reg.Register {
	if l.isa.wide {
		return l.emit(VRANGEPD_BCST, Imm(2), number(most), x)
	}
	return l.emit(VMINPD, number(most), l.emit(VMAXPD, number(-most), x))
}

func (l lanes) roundEven(x reg.Register) reg.Register {
	r := vector(l.isa.bytes)
	if l.isa.wide {
		VRNDSCALEPD(Imm(8), x, r)
	} else {
		VROUNDPD(Imm(8), x, r)
	}
	return r
}

// truth is a choice per lane: a mask register, or the sign bits of a vector.
type truth reg.Register

// Negated predicates, which are true of NaN.
const (
	notGreaterEqual = 0x19
	notGreater      = 0x1a
	notLessEqual    = 0x16
)

// is compares a with m.
func (l lanes) is(a reg.Register, predicate uint64, m Op) truth {
	if l.isa.wide {
		k := K()
		l.with(cmpForm, m)(Imm(predicate), m, a, k)
		return k
	}
	return l.emit(VCMPPD, Imm(predicate), m, a)
}

// signs is the truth of the sign bits of a.
func (l lanes) signs(a reg.Register) truth {
	if l.isa.wide {
		k := K()
		VPMOVQ2M(a, k)
		return k
	}
	if l.isa.neon { // selects bit by bit
		return l.emit(VPSRAQ, Imm(63), a)
	}
	return a
}

func (l lanes) both(a, b truth) truth {
	if l.isa.wide {
		k := K()
		KANDB(a, b, k)
		return k
	}
	return l.and(a, b)
}

func (l lanes) either(a, b truth) truth {
	if l.isa.wide {
		k := K()
		KORB(a, b, k)
		return k
	}
	return l.or(a, b)
}

func (l lanes) blend(t truth, yes, no reg.Register) reg.Register {
	if l.isa.wide {
		// Not VBLENDMPD, whose result avo takes for an operand as well.
		r := l.held(no)
		VMOVAPD(yes, t, r)
		return r
	}
	return l.emit(fixed4(VBLENDVPD), t, yes, no)
}

// choose is blend with a constant for yes, by a comparison. AVX2's blend is three
// instructions and reads registers only.
func (l lanes) choose(t truth, yes float64, no reg.Register) reg.Register {
	switch {
	case l.isa.wide || l.isa.neon:
		return l.blend(t, l.held(number(yes)), no)
	case math.IsNaN(yes):
		return l.or(no, t) // all bits are set in a NaN
	}
	rest := l.emit(VANDNPD, no, t)
	if yes == 0 {
		return rest
	}
	return l.or(l.only(t, number(yes)), rest)
}

// only is a constant where a comparison is true, else 0.
func (l lanes) only(t truth, m Mem) reg.Register {
	if l.isa.wide {
		v := ZMM()
		VBROADCASTSD_Z(m, t, v)
		return v
	}
	return l.and(t, m)
}

// unless leaves the rest to the portable kernel if any lane is true.
func (l lanes) unless(t truth) {
	l.test(t)
	JNE(LabelRef(l.giveUp))
}

// test clears the zero flag if any lane is true.
func (l lanes) test(t truth) {
	switch {
	case l.isa.wide:
		KORTESTB(t, t)
	case l.isa.neon:
		g := GP64()
		MOVQ(own("xtn.2s", 0, t), g)
		TESTQ(g, g)
	default:
		g := GP32()
		VMOVMSKPD(t, g)
		TESTL(g, g)
	}
}

// widen and narrow go between float32 in half a register and float64.
func (l lanes) widen(x reg.Register) reg.Register { return l.emit(VCVTPS2PD, x) }

func (l lanes) narrow(x reg.Register) reg.Register {
	return narrowed(l.isa, x)
}

// narrowed is float64 as float32 in half a register.
func narrowed(i isa, x reg.Register) reg.Register {
	switch {
	case i.wide:
		return fresh(i.bytes/2, VCVTPD2PS, x)
	case i.neon:
		return fresh(i.bytes/2, VCVTPD2PSX, x)
	}
	return fresh(i.bytes/2, VCVTPD2PSY, x)
}
