package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// quotients makes the three forms of complex division. They follow quotient of
// package vec, in float64, and give up where it leaves the division to Go's.
func quotients(i isa, f float) {
	z := func(name string) input { return input{name: name, goType: f.goType, size: f.size, units: 2} }
	one := func(name string) input { in := z(name); in.scalar = true; return in }
	for _, form := range []struct {
		name, doc string
		inputs    []input
	}{
		{"VV", "x / y", []input{z("x"), z("y")}},
		{"VS", "x / (re, im)", []input{z("x"), one("re"), one("im")}},
		{"SV", "(re, im) / y", []input{one("re"), one("im"), z("y")}},
	} {
		k := kernel{
			isa: i, name: "pairDiv" + form.name + f.name, guarded: true,
			doc:     "dst = " + form.doc + ", up to a vector with numbers that are too large or too small: it returns how far it got",
			outType: f.goType, outSize: f.size, outUnits: 2, lanes: i.bytes / 16, inputs: form.inputs,
		}
		k.body = func(c *code, in []reg.Register) reg.Register {
			p, l := pair{i, f64}, lanes{i, c.giveUp}
			parts := func(re, im reg.Register) reg.Register {
				r := vector(max(16, k.lanes*2*f.size))
				f.emit(op{VUNPCKLPS, VUNPCKLPD}, im, re, r)
				return r
			}
			x, y := in[0], in[len(in)-1]
			switch form.name {
			case "VS":
				y = parts(in[1], in[2])
			case "SV":
				x = parts(in[0], in[1])
			}
			if f.size == 4 {
				return l.narrow(l.quotient(p, l.widen(x), l.widen(y), false))
			}
			return l.quotient(p, x, y, true)
		}
		k.generate()
	}
}

const (
	divMost  = 0x1p250
	divLeast = 0x1p-250
)

// quotient is x / y. Squares of what was float32 cannot vanish.
func (l lanes) quotient(p pair, x, y reg.Register, double bool) reg.Register {
	l.unless(l.is(l.add(l.abs(x), l.abs(y)), notLessEqual, number(divMost)))
	larger := func(v reg.Register) reg.Register { a := l.abs(v); return l.emit(VMAXPD, a, p.swap(a)) }
	l.unless(l.is(larger(y), isLess, number(divLeast)))
	if double {
		m := larger(x)
		l.unless(l.both(l.is(m, isLess, number(divLeast)), l.is(m, isGreater, number(0))))
	}
	c, d := p.evens(y), p.odds(y)
	below := l.fma(c, c, l.mul(d, d))
	turned := l.mul(p.swap(x), d)
	return l.div(l.fmaConj(x, c, turned), below)
}

// fmaConj is a*b + c in the real parts and a*b - c in the imaginary ones.
func (l lanes) fmaConj(a, b, c reg.Register) reg.Register {
	if l.isa.neon {
		return l.fma(a, b, l.xor(c, conjugate()))
	}
	r := l.held(a)
	VFMSUBADD213PD(c, b, r)
	return r
}

var conjugated *Mem

// conjugate is a sign bit in every imaginary part.
func conjugate() Mem {
	if conjugated == nil {
		m := GLOBL("conjugate", RODATA|NOPTR)
		DATA(0, U64(math.Float64bits(0)))
		DATA(8, U64(signMask))
		conjugated = &m
	}
	return *conjugated
}
