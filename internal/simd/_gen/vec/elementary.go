package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The functions of this file follow the portable ones of the same names in
// package vec step by step; the comments are there. Tables are repeated here
// because this is another module: the tests that compare levels bit by bit
// hold the two together.

var (
	expSingle = []float64{
		0x1.0000000022518p+0, 0x1.0000002818fa6p-1, 0x1.555554c5e764fp-3, 0x1.5554ada5fb22fp-5,
		0x1.1111a6a0572c4p-7, 0x1.6d74918364408p-10, 0x1.a019bbf874d00p-13,
	}
	expDouble = []float64{
		0x1.0000000000005p-1, 0x1.5555555555530p-3, 0x1.5555555552114p-5, 0x1.111111111a2a1p-7,
		0x1.6c16c17f2cab1p-10, 0x1.a01a0170ed46ep-13, 0x1.a019a6a8ce539p-16, 0x1.71de8e9485f16p-19,
		0x1.28a2883bb7575p-22, 0x1.ae640c7439e52p-26,
	}
	logSingle = []float64{
		0x1.0000000026707p+0, -0x1.0000001c62bfcp-1, 0x1.5555541cad0f8p-2, -0x1.ffffa6b9fdf05p-3,
		0x1.999a31e62b7e1p-3, -0x1.5569521e83bf5p-3, 0x1.24912ad46b5f8p-3, -0x1.fc566f987f007p-4,
		0x1.c36d61cbc2276p-4, -0x1.bdb1dda1314b3p-4, 0x1.b7a813271ecfbp-4, -0x1.ea47e62dee87ap-5,
	}
	logDouble = []float64{
		0x1.5555555555592p-1, 0x1.999999997fdbcp-2, 0x1.24924941f0fb3p-2, 0x1.c71c520974956p-3,
		0x1.74663ee58004cp-3, 0x1.39a1bad676fe0p-3, 0x1.2f0563e28e748p-3,
	}
	sinSingle = []float64{-0x1.5555554cb94c6p-3, 0x1.11110895d4362p-7, -0x1.a00f9d42d32eap-13, 0x1.6cd83fa202dcfp-19}
	cosSingle = []float64{-0x1.ffffffd0bdccdp-2, 0x1.55553e0d4af18p-5, -0x1.6c087d407c2ebp-10, 0x1.9933dfbf1f5a6p-16}
	sinDouble = []float64{
		-0x1.5555555555549p-3, 0x1.111111110f87ap-7, -0x1.a01a019c11948p-13,
		0x1.71de3577aed6cp-19, -0x1.ae5e6633019a2p-26, 0x1.5d92fe8be5afbp-33,
	}
	cosDouble = []float64{
		0x1.555555555554cp-5, -0x1.6c16c16c1517ep-10, 0x1.a01a019cb1bf4p-16,
		-0x1.27e4f809f172fp-22, 0x1.1ee9ebe983a11p-29, -0x1.8fae9c87de470p-37,
	}
	atanSingle = []float64{
		-0x1.555554c883a34p-2, 0x1.99991a3a08579p-3, -0x1.247f04de498e6p-3, 0x1.c467d7d16dc84p-4,
		-0x1.5b447196d4f8bp-4, 0x1.84f1868af1961p-5,
	}
	atanDouble = []float64{
		-0x1.555555555553dp-2, 0x1.99999999958dbp-3, -0x1.24924922b0b86p-3, 0x1.c71c70e7787ddp-4,
		-0x1.745cf906462d4p-4, 0x1.3b111c0c28bc7p-4, -0x1.10ebd995f8bd7p-4, 0x1.df112b459d47bp-5,
		-0x1.9cdb10cf2e2e6p-5, 0x1.37ea6d83061d4p-5, -0x1.2596f8119af22p-6,
	}
	erfSmall = []float64{
		0x1.20dd75040080cp+0, -0x1.8127465fb9f18p-2, 0x1.ce2f0798ce107p-4, -0x1.b829a7a93e85cp-6,
		0x1.5628ee188ed10p-8, -0x1.bcbe9c7ee3488p-11, 0x1.d8269df968ca7p-14, -0x1.4384220c1fb02p-17,
	}
	erfLarge = []float64{
		0x1.02ddec67ff1d0p-13, -0x1.2112d10daf04ap+0, -0x1.44b8bebd900f0p-1, -0x1.b5f6eb74522a6p-4,
		0x1.8600c95b60579p-6, -0x1.b5f19c6ebcc15p-9, 0x1.8c61184457689p-14, 0x1.152f01ef0fa5ap-14,
		-0x1.a9e3ef280ad71p-17, 0x1.ace42d6cb6c87p-21,
	}
)

const (
	shifter  = 0x1.8p52
	log2e    = 0x1.71547652b82fep0
	ln2High  = 0x1.62e42fefa39efp-1
	ln2Low   = 0x1.abc9e3b39803fp-56
	ln2Short = 0x1.62e42feep-1
	ln2Rest  = 0x1.a39ef35793c76p-33

	halfRoot      = 0x3fe6a09e667f3bcd
	threeQuarters = 0x3fe8000000000000
	oneBits       = 0x3ff0000000000000
	fraction      = 1<<52 - 1

	twoByPi    = 0x1.45f306dc9c883p-1
	piHigh     = 0x1.921fb54442d18p0
	piMid      = 0x1.1a62633145c07p-54
	piLow      = -0x1.f1976b7ed8fbcp-110
	trigSingle = 1 << 30
	trigDouble = 1 << 20
	tinySingle = 0x1p-14
	tinyDouble = 0x1p-27

	tanEighth = 0x1.a827999fcef32p-2

	expLeast = -105
	expMost  = 89
)

func (l lanes) power(shifted reg.Register) reg.Register {
	return l.shl(l.iadd(shifted, word(1023)), 52)
}

// shifted is x*by + shifter.
func (l lanes) shifted(x reg.Register, by float64) reg.Register {
	return l.fmaBy(x, number(by), l.held(number(shifter)))
}

// expParts has the bias of exponents in its shifter, which rounds no product with log2e
// another way: none lies half way between two numbers.
func (l lanes) expParts(x reg.Register) (p, scale reg.Register) {
	t := l.fmaBy(x, number(log2e), l.held(number(shifter+1023)))
	r := l.fmaBy(l.sub(t, number(shifter+1023)), number(-ln2High), x)
	return l.mul(l.horner(r, expSingle), r), l.shl(t, 52)
}

func (l lanes) exp32(x reg.Register) reg.Register {
	p, scale := l.expParts(l.clamp(x, expLeast, expMost))
	return l.fma(p, scale, scale)
}

func (l lanes) expm132(x reg.Register) reg.Register {
	p, scale := l.expParts(l.clamp(x, -18, expMost))
	return l.copysign(l.fma(p, scale, l.sub(scale, number(1))), x)
}

// reduce gives the number of doublings plus a bias, as an integer.
func (l lanes) reduce(x reg.Register, bias float64) (t, p reg.Register, low func() reg.Register) {
	t = l.fmaBy(x, number(log2e), l.held(number(shifter+bias)))
	k := l.sub(t, number(shifter+bias))
	r := l.fmaBy(k, number(-ln2Low), l.fmaBy(k, number(-ln2High), x))
	square, q := l.mul(r, r), l.horner(r, expDouble)
	p = l.fma(square, q, r)
	return t, p, func() reg.Register { return l.fma(square, q, l.sub(r, p)) }
}

func (l lanes) exp64(x reg.Register) reg.Register {
	t, p, _ := l.reduce(l.clamp(x, -746, 710), 2*1023)
	return l.doubled(l.add(p, number(1)), t)
}

// doubled is p*2^(t-2*1023), in two halves, as integers: any two do that are in range.
func (l lanes) doubled(p, t reg.Register) reg.Register {
	half := l.shr(t, 1)
	rest := l.emit(VPSUBQ, half, t)
	return l.mul(l.mul(p, l.shl(half, 52)), l.shl(rest, 52))
}

// expShort is exp64 for arguments up to 708, of which neither the result nor the power of two
// is out of range; notModest the question for eight float64 at m.
func (l lanes) expShort(x reg.Register) reg.Register {
	t, p, _ := l.reduce(x, 1023)
	return l.mul(l.add(p, number(1)), l.shl(t, 52))
}

func (l lanes) notModest(m Mem, label string) {
	var far [2]reg.Register
	for v := range far {
		far[v] = l.emit(VPCMPGTQ, number(708), l.abs(l.emit(VMOVUPD, m.Offset(32*v))))
	}
	l.jumpIfAny(l.or(far[0], far[1]), label)
}

func (l lanes) expm1Half(x reg.Register) (high, low reg.Register) {
	t, p, left := l.reduce(x, 1022)
	rest := left()
	s := l.shl(t, 52) // half of it
	c := l.sub(s, number(0.5))
	high = l.fma(s, p, c)
	return high, l.fma(s, rest, l.fma(s, p, l.sub(c, high)))
}

func (l lanes) expm164(x reg.Register) reg.Register {
	high, low := l.expm1Half(l.clamp(x, -45, 710))
	y := l.add(high, low)
	return l.blend(l.is(l.abs(x), isLess, number(0x1p-54)), x, l.add(y, y))
}

func (l lanes) mantissa(x reg.Register, least uint64) (m, e reg.Register) {
	b := l.iadd(x, word(oneBits-least))
	if l.isa.wide && least == threeQuarters {
		return l.emit(VGETMANTPD, Imm(7), x), l.emit(VGETEXPPD, b)
	}
	e = l.sub(l.or(l.shr(b, 52), word(0x433<<52)), number(0x1p52+1023))
	return l.iadd(l.and(b, word(fraction)), word(least)), e
}

func (l lanes) logFinish(y, x reg.Register) reg.Register {
	y = l.choose(l.is(x, isEqual, number(0)), math.Inf(-1), y)
	y = l.blend(l.is(x, isEqual, number(math.Inf(1))), x, y)
	return l.choose(l.is(x, notGreaterEqual, number(0)), math.NaN(), y)
}

func (l lanes) logShort(x reg.Register) reg.Register {
	m, e := l.mantissa(x, halfRoot)
	f := l.sub(m, number(1))
	return l.fmaBy(e, number(ln2High), l.mul(l.horner(f, logSingle), f))
}

func (l lanes) log32(x reg.Register) reg.Register { return l.logFinish(l.logShort(x), x) }

// notPositive jumps to the label if any of eight float32 at m is not a positive number:
// logShort does for the others.
func (l lanes) notPositive(m Mem, label string) {
	x := l.emit(VMOVUPS, m)
	l.signUnlessPositive(x)
	l.jumpIfAny(x, label)
}

// signUnlessPositive sets the signs of float32 that are not positive numbers.
func (l lanes) signUnlessPositive(x reg.Register) {
	VPADDD(word(0x7fffffff_7fffffff), x, x) // zero is the largest of signed numbers
	VPCMPGTD(word(0xff7ffffe_ff7ffffe), x, x)
}

func (l lanes) log1p32(x reg.Register) reg.Register {
	u := l.add(x, number(1))
	return l.log1pSmall(l.logFinish(l.logShort(u), u), x)
}

// log1pShort is log1p32 for numbers above -1, notAboveMinusOne the question.
func (l lanes) log1pShort(x reg.Register) reg.Register {
	return l.log1pSmall(l.logShort(l.add(x, number(1))), x)
}

func (l lanes) notAboveMinusOne(m Mem, label string) {
	x := l.emit(VMOVUPS, m)
	low, high := l.emit(VCMPPS, Imm(notGreater), word(0xbf800000_bf800000), x), l.emit(VCMPPS, Imm(isEqual), word(0x7f800000_7f800000), x)
	l.jumpIfAny(l.emit(VORPS, low, high), label)
}

// jumpIfAny jumps if a float32, or the upper half of a float64, has its sign bit set.
func (l lanes) jumpIfAny(x reg.Register, label string) {
	g := GP32()
	VMOVMSKPS(x, g)
	TESTL(g, g)
	JNE(LabelRef(label))
}

// log1pSmall takes y unless x is so small that a line does.
func (l lanes) log1pSmall(y, x reg.Register) reg.Register {
	small := l.fma(l.mul(x, number(-0.5)), x, x)
	return l.blend(l.is(l.abs(x), isLess, number(0x1p-20)), small, y)
}

func (l lanes) logSum(e, f reg.Register, low reg.Register) reg.Register {
	s := l.div(f, l.add(f, number(2)))
	z := l.mul(s, s)
	r := l.mul(l.horner(z, logDouble), z)
	square := l.mul(l.mul(f, number(0.5)), f)
	t := l.fma(s, l.add(square, r), l.fmaBy(e, number(ln2Rest), low))
	return l.fmaBy(e, number(ln2Short), l.sub(f, l.sub(square, t)))
}

func (l lanes) log64(x reg.Register) reg.Register {
	tiny := l.is(x, isLess, number(0x1p-1022))
	v := l.blend(tiny, l.mul(x, number(0x1p54)), x)
	m, e := l.mantissa(v, halfRoot)
	e = l.blend(tiny, l.sub(e, number(54)), e)
	return l.logFinish(l.logSum(e, l.sub(m, number(1)), l.held(number(0))), x)
}

func (l lanes) log1p64(x reg.Register) reg.Register {
	u := l.add(x, number(1))
	m, e := l.mantissa(u, halfRoot)
	lost := l.sub(x, l.sub(u, number(1)))
	lost = l.blend(l.is(x, isGreaterEqual, number(1)), l.from(number(1), l.sub(u, x)), lost)
	low := l.div(lost, u)
	near := l.is(e, isEqual, number(0))
	f := l.blend(near, x, l.sub(m, number(1)))
	low = l.choose(near, 0, low)
	return l.copysign(l.logFinish(l.logSum(e, f, low), u), x)
}

// tooLarge gives up on finite arguments past a limit.
func (l lanes) tooLarge(x reg.Register, limit float64) {
	a := l.abs(x)
	l.unless(l.both(l.is(a, isGreater, number(limit)), l.is(a, isLess, number(math.Inf(1)))))
}

func (l lanes) turnSingle(x reg.Register) (sin, cos, quadrant reg.Register) {
	l.tooLarge(x, trigSingle)
	t := l.shifted(x, twoByPi)
	k := l.sub(t, number(shifter))
	r := l.fmaBy(k, number(-piMid), l.fmaBy(k, number(-piHigh), x))
	z := l.mul(r, r)
	sin = l.fma(l.mul(z, r), l.horner(z, sinSingle), r)
	cos = l.fma(l.horner(z, cosSingle), z, number(1))
	return sin, cos, t
}

// sum is a number in two parts.
type sum struct{ high, low reg.Register }

func (l lanes) total(s sum) reg.Register { return l.add(s.high, s.low) }

func (l lanes) turn(x reg.Register) (sin, cos sum, quadrant reg.Register) {
	l.tooLarge(x, trigDouble)
	t := l.shifted(x, twoByPi)
	k := l.sub(t, number(shifter))
	a := l.fmaBy(k, number(-piHigh), x)
	p := l.mul(k, number(piMid))
	r := l.sub(a, p)
	back := l.sub(r, a)
	low := l.sub(l.sub(a, l.sub(r, back)), l.add(p, back))
	low = l.sub(low, l.fmaBy(k, number(piMid), l.neg(p)))
	low = l.fmaBy(k, number(-piLow), low)

	z := l.mul(r, r)
	sin.high = r
	sin.low = l.fma(l.mul(z, r), l.horner(z, sinDouble), l.fma(l.mul(z, number(-0.5)), low, low))
	half := l.mul(z, number(0.5))
	cos.high = l.from(number(1), half)
	cos.low = l.add(l.sub(l.from(number(1), cos.high), half),
		l.fms(l.mul(z, z), l.horner(z, cosDouble), l.mul(r, low)))
	return sin, cos, t
}

func (l lanes) pick(sin, cos, quadrant reg.Register) reg.Register {
	y := l.blend(l.signs(l.shl(quadrant, 63)), cos, sin)
	return l.xor(y, l.shl(l.shr(quadrant, 1), 63))
}

func (l lanes) orTiny(y, x reg.Register, tiny float64) reg.Register {
	return l.blend(l.is(l.abs(x), isLess, number(tiny)), x, y)
}

func (l lanes) sin32(x reg.Register) reg.Register {
	return l.orTiny(l.pick(l.turnSingle(x)), x, tinySingle)
}

func (l lanes) cos32(x reg.Register) reg.Register {
	s, c, q := l.turnSingle(x)
	return l.pick(s, c, l.iadd(q, word(1)))
}

func (l lanes) tan32(x reg.Register) reg.Register {
	s, c, q := l.turnSingle(x)
	odd := l.signs(l.shl(q, 63))
	return l.orTiny(l.div(l.blend(odd, l.neg(c), s), l.blend(odd, s, c)), x, tinySingle)
}

func (l lanes) sin64(x reg.Register) reg.Register {
	s, c, q := l.turn(x)
	return l.orTiny(l.pick(l.total(s), l.total(c), q), x, tinyDouble)
}

func (l lanes) cos64(x reg.Register) reg.Register {
	s, c, q := l.turn(x)
	return l.pick(l.total(s), l.total(c), l.iadd(q, word(1)))
}

func (l lanes) rounded(s sum) sum {
	high := l.total(s)
	return sum{high, l.sub(s.low, l.sub(high, s.high))}
}

func (l lanes) tan64(x reg.Register) reg.Register {
	s, c, q := l.turn(x)
	odd := l.signs(l.shl(q, 63))
	top := l.rounded(sum{l.blend(odd, l.neg(c.high), s.high), l.blend(odd, l.neg(c.low), s.low)})
	bottom := l.rounded(sum{l.blend(odd, s.high, c.high), l.blend(odd, s.low, c.low)})
	t := l.div(top.high, bottom.high)
	left := l.add(l.fnma(t, bottom.high, top.high), l.fnma(t, bottom.low, top.low))
	return l.orTiny(l.add(t, l.div(left, bottom.high)), x, tinyDouble)
}

func (l lanes) tanh32(x reg.Register) reg.Register {
	p, scale := l.expParts(l.clamp(l.add(x, x), -20, 20))
	t := l.fma(p, scale, l.sub(scale, number(1)))
	return l.copysign(l.div(t, l.add(t, number(2))), x)
}

func (l lanes) tanh64(x reg.Register) reg.Register {
	a := l.atMost(l.abs(x), 20)
	high, low := l.expm1Half(l.add(a, a))
	d := l.add(high, number(1))
	q := l.div(high, d)
	rest := l.add(l.sub(high, l.sub(d, number(1))), low)
	left := l.add(l.fnma(q, d, high), l.fnma(q, rest, low))
	return l.orTiny(l.copysign(l.add(q, l.div(left, d)), x), x, tinyDouble)
}

// logistic is z/(1+z) for negative x, 1/(1+z) for others.
func (l lanes) logistic(z, x reg.Register) reg.Register {
	top := l.blend(l.is(x, isLess, number(0)), z, l.held(number(1)))
	return l.div(top, l.add(z, number(1)))
}

func (l lanes) sigmoid32(x reg.Register) reg.Register {
	p, scale := l.expParts(l.neg(l.atMost(l.abs(x), -expLeast)))
	return l.logistic(l.fma(p, scale, scale), x)
}

func (l lanes) sigmoid64(x reg.Register) reg.Register {
	return l.logistic(l.exp64(l.neg(l.abs(x))), x)
}

func (l lanes) erf32(x reg.Register) reg.Register {
	a := l.atMost(l.abs(x), 4)
	small := l.mul(l.horner(l.mul(a, a), erfSmall), a)
	p, scale := l.expParts(l.horner(a, erfLarge))
	large := l.from(number(1), l.fma(p, scale, scale))
	return l.copysign(l.blend(l.is(a, isGreater, number(1)), large, small), x)
}

func (l lanes) octant(y, x reg.Register) (num, den, k, flip reg.Register) {
	a, b := l.abs(y), l.abs(x)
	steep := l.is(a, isGreater, b)
	small, large := l.emit(VMINPD, a, b), l.emit(VMAXPD, b, a) // a and b if one is NaN
	infinite := l.both(l.is(small, isEqual, number(math.Inf(1))), l.is(large, isEqual, number(math.Inf(1))))
	small = l.choose(infinite, 1, small)
	large = l.choose(infinite, 1, large)
	large = l.choose(l.is(large, isEqual, number(0)), 1, large)
	wide := l.is(small, isGreater, l.mul(large, number(tanEighth)))
	num = l.blend(wide, l.sub(small, large), small)
	den = l.blend(wide, l.add(small, large), large)
	k = l.only(wide, number(1))
	k = l.blend(steep, l.from(number(2), k), k)
	flip = l.only(steep, word(signMask))
	behind := l.signs(x)
	k = l.blend(behind, l.from(number(4), k), k)
	return num, den, k, l.xor(flip, l.and(x, word(signMask)))
}

// arc is the arc tangent of num/den, its sign flipped.
func (l lanes) arc(num, den, flip reg.Register, c []float64) reg.Register {
	t := l.div(num, den)
	z := l.mul(t, t)
	return l.xor(l.fma(l.mul(t, z), l.horner(z, c), t), flip)
}

func (l lanes) atan232(y, x reg.Register) reg.Register {
	num, den, k, flip := l.octant(y, x)
	return l.copysign(l.fmaBy(k, number(0.5*piHigh), l.arc(num, den, flip, atanSingle)), y)
}

func (l lanes) atan264(y, x reg.Register) reg.Register {
	large := l.emit(VMAXPD, l.abs(y), l.abs(x))
	by := l.choose(l.is(large, isGreater, number(0x1p1000)), 0x1p-10, l.held(number(1)))
	by = l.choose(l.is(large, isLess, number(0x1p-900)), 0x1p100, by)
	num, den, k, flip := l.octant(l.mul(y, by), l.mul(x, by))
	arc := l.arc(num, den, flip, atanDouble)
	high := l.mul(k, number(0.5*piHigh))
	low := l.fmaBy(k, number(0.5*piMid), l.fmaBy(k, number(0.5*piHigh), l.neg(high)))
	return l.copysign(l.add(high, l.add(low, arc)), y)
}
