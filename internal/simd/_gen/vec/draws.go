package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// drawKernels makes those of package philox; what they compute, and why in these steps, is
// in its portable functions of the same names. A counter is a lane of 64 bits, and so is
// each word of its block: what is above the word is left as it comes.
func drawKernels(i isa) {
	for _, d := range []struct {
		name, result string
		goType       string
		size         int
		body         func(drawing) reg.Register
	}{
		{"words", "the first two words of block(key, counters[i])", "uint64", 8, drawing.words},
		{"uniform32", "Float32(key, counters[i])", "float32", 4, drawing.uniform32},
		{"uniform64", "Float64(key, counters[i])", "float64", 8, drawing.uniform64},
		{"normal32", "float32(Normal(key, counters[i]))", "float32", 4, drawing.normal32},
		{"normal64", "Normal(key, counters[i])", "float64", 8, drawing.normal64},
	} {
		k := kernel{
			isa: i, name: d.name, doc: "for i := range dst { dst[i] = " + d.result + " }, for the keys of all rounds",
			lanes: i.bytes / 8, outType: d.goType, outSize: d.size,
			inputs: []input{
				{name: "counters", goType: "uint64", size: 8},
				{name: "keys", goType: "*[20]uint64", pointer: true},
			},
			consts: func() any { return newMultipliers(lanes{isa: i}) },
		}
		k.body = func(c *code, in []reg.Register) reg.Register {
			return d.body(drawing{lanes{isa: i}, c.consts.(multipliers), in[0], in[1]})
		}
		k.generate()
	}
}

// multipliers are what loops hold in registers.
type multipliers struct {
	low, high reg.Register
	upper     reg.Register // AVX-512: a mask of the upper words of lanes
}

func newMultipliers(l lanes) multipliers {
	m := multipliers{low: l.held(word(0xD2511F53)), high: l.held(word(0xCD9E8D57))}
	switch {
	case l.isa.neon:
		m.low, m.high = own("xtn.2s", 0, m.low), own("xtn.2s", 0, m.high)
	case l.isa.wide:
		g, k := GP32(), K()
		MOVL(U32(0xaaaa), g)
		KMOVW(g, k)
		m.upper = k
	}
	return m
}

// drawing is a vector of draws.
type drawing struct {
	lanes
	multipliers
	counter reg.Register
	keys    reg.Register // where the keys of the rounds are, two of each
}

// product is of the lower words of lanes.
func (d drawing) product(c, by reg.Register) reg.Register {
	if d.isa.neon {
		return own("umull.2d", 0, own("xtn.2s", 0, c), by)
	}
	return d.emit(VPMULUDQ, by, c)
}

// mixed is a product's upper word, a word and a key; a product or a word that is nil is 0.
func (d drawing) mixed(product, word reg.Register, key int) reg.Register {
	at := Mem{Base: d.keys.(reg.GPVirtual), Disp: 8 * key}
	if product == nil {
		return d.xor(word, d.held(at))
	}
	var v reg.Register
	if d.isa.neon {
		v = d.shr(product, 32)
	} else {
		v = d.emit(VPSHUFD, Imm(0xf5), product) // not a shift, which waits for the port of products
	}
	switch {
	case word == nil:
		return d.xor(v, d.held(at))
	case d.isa.wide:
		VPTERNLOGQ_BCST(U8(0x96), at, word, v)
		return v
	}
	return d.xor(d.xor(v, word), d.held(at))
}

// block is the words of the counter's block; the last two only if all are wanted.
func (d drawing) block(all bool) (words [4]reg.Register) {
	c := [4]reg.Register{d.counter, d.shr(d.counter, 32)}
	const rounds = 10
	for r := range rounds {
		var low, high, first, third reg.Register
		if all || r < rounds-1 {
			low = d.product(c[0], d.low)
		}
		if c[2] != nil {
			high = d.product(c[2], d.high)
		}
		if all || r != rounds-2 {
			first = d.mixed(high, c[1], 2*r)
		}
		if low != nil {
			third = d.mixed(low, c[3], 2*r+1)
		}
		c = [4]reg.Register{first, high, third, low}
	}
	return c
}

// joined is two words in a lane.
func (d drawing) joined(low, high reg.Register) reg.Register {
	switch {
	case d.isa.wide:
		r := d.held(low)
		VMOVSLDUP(high, d.upper, r)
		return r
	case d.isa.neon:
		return own("trn1.4s", 0, low, high)
	}
	r := YMM()
	VPBLENDD(Imm(0xaa), d.shl(high, 32), low, r)
	return r
}

// float is of an integer of up to 53 bits, exact.
func (d drawing) float(v reg.Register) reg.Register {
	switch {
	case d.isa.wide:
		return d.emit(VCVTQQ2PD, v)
	case d.isa.neon:
		return own("scvtf.2d", 0, v)
	}
	// The halves are the fractions of 2^84 and 2^52.
	low := YMM()
	VPBLENDD(Imm(0xaa), word(0x433<<52), v, low)
	high := d.sub(d.or(d.shr(v, 32), word(0x453<<52)), number(0x1p84+0x1p52))
	return d.add(high, low)
}

func (d drawing) words() reg.Register {
	c := d.block(false)
	return d.joined(c[0], c[1])
}

func (d drawing) uniform32() reg.Register {
	c := d.block(false)
	return d.narrow(d.mul(d.float(d.shr(d.shl(c[0], 32), 40)), number(0x1p-24)))
}

func (d drawing) uniform64() reg.Register {
	return d.mul(d.float(d.shr(d.words(), 11)), number(0x1p-53))
}

func (d drawing) normal32() reg.Register { return d.narrow(d.normal64()) }

func (d drawing) normal64() reg.Register {
	c := d.block(true)
	first, second := d.joined(c[0], c[1]), d.joined(c[2], c[3])
	u := d.mul(d.float(d.iadd(d.shr(first, 11), word(1))), number(0x1p-53))
	root := d.emit(VSQRTPD, d.mul(d.unitLog(u), number(-2)))
	v := d.mul(d.float(d.shr(second, 11)), number(0x1p-53))
	return d.mul(root, d.turnCos(d.mul(v, number(0x1.921fb54442d18p2))))
}

// rounded is a polynomial whose products are rounded, its coefficients from the greatest power
// down.
func (d drawing) rounded(x reg.Register, c []float64) reg.Register {
	p := d.mul(x, number(c[0]))
	for _, a := range c[1 : len(c)-1] {
		p = d.mul(d.add(p, number(a)), x)
	}
	return d.add(p, number(c[len(c)-1]))
}

var (
	unitLogOdd  = []float64{1.479819860511658591e-01, 1.818357216161805012e-01, 2.857142874366239149e-01, 6.666666666666735130e-01}
	unitLogEven = []float64{1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01}
	turnSine    = []float64{
		1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6,
		-1.98412698295895385996e-4, 8.33333333332211858878e-3, -1.66666666666666307295e-1,
	}
	turnCosine = []float64{
		-1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7,
		2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2,
	}
)

func (d drawing) unitLog(x reg.Register) reg.Register {
	f := d.or(d.and(x, word(fraction)), word(0x3fe<<52))
	n := d.sub(d.or(d.shr(x, 52), word(0x433<<52)), number(0x1p52+0x3fe))
	low := d.is(f, isLess, number(0x1.6a09e667f3bcdp-1))
	f = d.sub(d.add(f, d.masked(low, f)), number(1))
	n = d.sub(n, d.only(low, number(1)))
	s := d.div(f, d.add(f, number(2)))
	s2 := d.mul(s, s)
	s4 := d.mul(s2, s2)
	r := d.add(d.mul(s2, d.rounded(s4, unitLogOdd)), d.mul(s4, d.rounded(s4, unitLogEven)))
	h := d.mul(d.mul(f, number(0.5)), f)
	rest := d.add(d.mul(s, d.add(h, r)), d.mul(n, number(1.90821492927058770002e-10)))
	return d.sub(d.mul(n, number(6.93147180369123816490e-01)), d.sub(d.sub(h, rest), f))
}

// masked is x where a comparison is true, else 0.
func (d drawing) masked(t truth, x reg.Register) reg.Register {
	if d.isa.wide {
		v := ZMM()
		VMOVAPD_Z(x, t, v)
		return v
	}
	return d.and(x, t)
}

func (d drawing) turnCos(x reg.Register) reg.Register {
	// The number of quarters is the lowest bits of the sum's.
	whole := vector(d.isa.bytes)
	if product := d.mul(x, number(1.27323954473516268615)); d.isa.wide {
		VRNDSCALEPD(Imm(9), product, whole)
	} else {
		VROUNDPD(Imm(9), product, whole)
	}
	j := d.add(whole, number(0x1p52))
	j = d.iadd(j, d.and(j, word(1)))
	y := d.sub(j, number(0x1p52))
	z := d.sub(x, d.mul(y, number(7.85398125648498535156e-1)))
	z = d.sub(z, d.mul(y, number(3.77489470793079817668e-8)))
	z = d.sub(z, d.mul(y, number(2.69515142907905952645e-15)))
	zz := d.mul(z, z)
	negative := d.xor(d.shl(j, 62), d.shl(j, 61))
	sine := d.signs(d.shl(j, 62))
	first := d.blend(sine, z, d.from(number(1), d.mul(zz, number(0.5))))
	last := d.mul(d.blend(sine, z, zz), zz)
	p := d.mul(zz, d.either(j, sine, turnSine[0], turnCosine[0]))
	for i := 1; i < len(turnSine)-1; i++ {
		p = d.mul(d.add(p, d.either(j, sine, turnSine[i], turnCosine[i])), zz)
	}
	p = d.add(p, d.either(j, sine, turnSine[len(turnSine)-1], turnCosine[len(turnCosine)-1]))
	v := d.add(first, d.mul(last, p))
	return d.xor(v, d.and(negative, word(signMask)))
}

// either is one of two numbers in each lane: yes if bit 1 of by is set, whose truth is t.
func (d drawing) either(by reg.Register, t truth, yes, no float64) reg.Register {
	if d.isa.neon {
		return d.blend(t, d.held(number(yes)), d.held(number(no)))
	}
	both, r := vector(d.isa.bytes), vector(d.isa.bytes)
	if d.isa.wide {
		VBROADCASTF64X2(pairOf(no, yes), both)
	} else {
		VBROADCASTF128(pairOf(no, yes), both)
	}
	VPERMILPD(by, both, r)
	return r
}

// pairOf is two numbers in memory.
func pairOf(a, b float64) Mem {
	key := [2]float64{a, b}
	if m, ok := pairs[key]; ok {
		return m
	}
	m := GLOBL(fmt.Sprintf("pair%d", len(pairs)), RODATA|NOPTR)
	DATA(0, U64(math.Float64bits(a)))
	DATA(8, U64(math.Float64bits(b)))
	pairs[key] = m
	return m
}

var pairs = map[[2]float64]Mem{}
