package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The functions of this file follow those of pow.go in package vec, as those of
// elementary.go do theirs.

var (
	log2Single = []float64{
		0x1.71547652b7e8ap+1, 0x1.ec709dcb68287p-1, 0x1.2776bc423b742p-1, 0x1.a61ea63fe3285p-2,
		0x1.46f1a50e5909dp-2, 0x1.29daf0ef7f1b6p-2,
	}
	logTail = []float64{
		0x1.9999999999b30p-2, 0x1.2492492457dc3p-2, 0x1.c71c722d5cdf7p-3, 0x1.745ce9e6ba556p-3,
		0x1.3b1eeb6bcd48fp-3, 0x1.0f7ff859ad19ap-3, 0x1.0e422184c3199p-3,
	}
	exp2Single = []float64{
		1, 0x1.62e4300ba6a0ap-1, 0x1.ebfbe045877ddp-3, 0x1.c6b0551191a41p-5, 0x1.3b2a1bd553593p-7,
		0x1.5dc056ec71848p-10, 0x1.443fb6995ebd5p-13, 0x1.c0489b24f162bp-17,
	}
)

const (
	ln2Top    = 0x1.62e42fefa38p-1
	ln2Bottom = 0x1.ef35793c76730p-45
)

func (l lanes) pow32(u, v reg.Register) reg.Register {
	const largest = 0x1p127 * (1 + (1 - 0x1p-23))
	l.unless(l.either(l.is(l.abs(u), notLessEqual, number(largest)), l.is(l.abs(v), notLessEqual, number(largest))))
	log := l.choose(l.is(u, isEqual, number(0)), math.Inf(-1), l.log2Short(l.abs(u)))
	w := l.choose(l.is(v, isEqual, number(0)), 0, l.within(l.mul(v, log), 160))
	return l.powSign(l.exp2Short(w), u, v)
}

// powShort is pow32 for float32 that are finite numbers, of which x is positive, and powSpecial
// the question for some vectors of each operand.
func (l lanes) powShort(x, y reg.Register) reg.Register {
	log := l.log2Short(l.widen(x))
	return l.narrow(l.exp2Short(l.within(l.mul(l.widen(y), log), 160)))
}

func (l lanes) powSpecial(in []Op, vectors int, label string) {
	if l.isa.wide {
		var special []reg.Register
		for i, classes := range []uint64{0xff, 0x99} { // all but positive numbers; infinities and NaN
			m, inMemory := in[i].(Mem)
			if !inMemory {
				k := K()
				VFPCLASSPSY(Imm(classes), in[i], k)
				special = append(special, k)
				continue
			}
			for v := range vectors / 2 {
				k := K()
				VFPCLASSPSZ(Imm(classes), m.Offset(64*v), k)
				special = append(special, k)
			}
		}
		for _, k := range special[2:] {
			KORW(k, special[0], special[0])
		}
		KORTESTW(special[0], special[1])
		JNE(LabelRef(label))
		return
	}
	for i, o := range in {
		some := []reg.Register{}
		if m, inMemory := o.(Mem); inMemory {
			for v := range vectors / 2 {
				some = append(some, fresh(32, VMOVUPS, m.Offset(32*v)))
			}
		} else {
			some = append(some, fresh(16, VMOVUPS, o))
		}
		for _, x := range some {
			if i == 0 {
				l.signUnlessPositive(x)
			} else {
				VPAND(word(0x7fffffff_7fffffff), x, x)
				VPCMPGTD(word(0x7f7fffff_7f7fffff), x, x)
			}
		}
		for _, x := range some[1:] {
			VPOR(x, some[0], some[0])
		}
		l.jumpIfAny(some[0], label)
	}
}

// log2Short is the binary logarithm of a positive number.
func (l lanes) log2Short(x reg.Register) reg.Register {
	m, e := l.mantissa(x, threeQuarters)
	s := l.div(l.sub(m, number(1)), l.add(m, number(1)))
	return l.fma(s, l.horner(l.mul(s, s), log2Single), e)
}

// exp2Short is 2^w for |w| up to 160.
func (l lanes) exp2Short(w reg.Register) reg.Register {
	t := l.add(w, number(shifter))
	var r reg.Register
	if l.isa.wide {
		r = l.emit(VREDUCEPD, Imm(8), w)
	} else {
		r = l.sub(w, l.sub(t, number(shifter)))
	}
	return l.iadd(l.horner(r, exp2Single), l.shl(t, 52))
}

// powSigns counts calls of powSign, for the names of its labels.
var powSigns int

// powSign gives p = |x|^y the sign of x^y, unless no x is negative.
func (l lanes) powSign(p, x, y reg.Register) reg.Register {
	powSigns++
	positive := fmt.Sprint("positive", powSigns)
	l.test(l.signs(x))
	JZ(LabelRef(positive))
	near := l.roundEven(y)
	half := l.mul(y, number(0.5))
	odd := l.both(l.is(near, isEqual, y), l.is(l.roundEven(half), isNotEqual, half))
	signed := l.blend(odd, l.xor(p, l.and(x, word(signMask))), p)
	broken := l.both(l.is(x, isLess, number(0)), l.is(near, isNotEqual, y))
	VMOVUPD(l.choose(broken, math.NaN(), signed), p)
	Label(positive)
	return p
}

// logPair does not scale subnormal numbers.
func (l lanes) logPair(x reg.Register) (high, low reg.Register) {
	m, e := l.mantissa(x, halfRoot)
	f := l.sub(m, number(1))
	d := l.add(f, number(2))
	by := l.div(l.held(number(1)), d)
	s := l.mul(f, by)
	sl := l.mul(l.fnma(s, l.sub(f, l.sub(d, number(2))), l.fnma(s, d, f)), by)
	s2 := l.add(s, s)
	z := l.mul(s, s)
	zl := l.fma(s2, sl, l.fms(s, s, z))
	const twoThirds, rest = 0x1.5555555555555p-1, 0x1.5555555555555p-55
	p := l.horner(z, logTail)
	q := l.fma(z, p, number(twoThirds))
	ql := l.add(l.fma(z, p, l.from(number(twoThirds), q)), number(rest))
	u := l.mul(z, q)
	ul := l.fma(z, ql, l.fma(zl, q, l.fms(z, q, u)))
	t := l.mul(s, u)
	tl := l.fma(s, ul, l.fma(sl, u, l.fms(s, u, t)))
	first := l.mul(e, number(ln2Top))
	second := l.add(first, s2)
	high = l.add(second, t)
	low = l.fmaBy(e, number(ln2Bottom), l.fmaBy(sl, number(2), tl))
	low = l.add(low, l.sub(s2, l.sub(second, first)))
	return high, l.add(low, l.sub(t, l.sub(high, second)))
}

func (l lanes) pow64(x, y reg.Register) reg.Register {
	v := l.abs(x)
	tiny := l.is(v, isLess, number(0x1p-1022))
	endless := l.either(l.is(v, notLessEqual, number(math.MaxFloat64)), l.is(l.abs(y), notLessEqual, number(math.MaxFloat64)))
	l.unless(l.either(endless, l.both(tiny, l.is(v, isNotEqual, number(0)))))
	log, rest := l.logPair(v)
	log = l.choose(tiny, math.Inf(-1), log)
	w := l.mul(y, log)
	wl := l.fma(y, rest, l.fms(y, log, w))
	wl = l.choose(l.is(l.abs(w), notLessEqual, number(800)), 0, wl)
	w = l.choose(l.is(y, isEqual, number(0)), 0, l.clamp(w, -746, 710))
	t := l.fmaBy(w, number(log2e), l.held(number(shifter+2*1023)))
	k := l.sub(t, number(shifter+2*1023))
	r := l.fmaBy(k, number(-ln2High), w)
	wl = l.fmaBy(k, number(-ln2Low), wl)
	one := l.add(r, number(1))
	tail := l.fma(l.mul(r, r), l.horner(r, expDouble), l.sub(r, l.sub(one, number(1))))
	p := l.add(l.fma(wl, l.add(one, tail), tail), one)
	return l.powSign(l.doubled(p, t), x, y)
}
