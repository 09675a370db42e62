package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/arm64"
	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

// isa is an instruction set: its registers and what they hold.
type isa struct {
	name  string
	bytes int
	regs  []reg.VecPhysical
	wide  bool // AVX-512
	// banks are how many registers the accumulator has: many, so that operations
	// wait for none before them and cost more than finding out which comes next,
	// and fewer for what is left at the end.
	banks []int
}

var (
	avx2 = isa{"AVX2", 32, []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
		reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}, false, []int{12, 4, 1}}
	avx512 = isa{"AVX512", 64, []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
		reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	}, true, []int{16, 8, 2, 1}}
	neon = isa{"NEON", 16, []reg.VecPhysical{
		reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7,
		reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15,
		reg.X16, reg.X17, reg.X18, reg.X19, reg.X20, reg.X21, reg.X22, reg.X23,
	}, false, []int{16, 4, 1}}
)

// narrow says that vectors have 16 bytes, which is what NEON has: its maximum and
// minimum are Go's.
func (i isa) narrow() bool { return i.bytes == 16 }

// float is an element type; op picks the instruction for it.
type float struct {
	name string
	size int
}

var f32, f64 = float{"F32", 4}, float{"F64", 8}

type op struct{ single, double func(...Op) }

func (f float) do(o op, ops ...Op) {
	if f.size == 4 {
		o.single(ops...)
	} else {
		o.double(ops...)
	}
}

// two, three and four make instructions of fixed arity look like the others.
func two(f func(a, b Op)) func(...Op)        { return func(o ...Op) { f(o[0], o[1]) } }
func three(f func(a, b, c Op)) func(...Op)   { return func(o ...Op) { f(o[0], o[1], o[2]) } }
func four(f func(a, b, c, d Op)) func(...Op) { return func(o ...Op) { f(o[0], o[1], o[2], o[3]) } }

var (
	add       = op{VADDPS, VADDPD}
	sub       = op{VSUBPS, VSUBPD}
	mul       = op{VMULPS, VMULPD}
	div       = op{VDIVPS, VDIVPD}
	root      = op{VSQRTPS, VSQRTPD}
	greater   = op{VMAXPS, VMAXPD}
	lesser    = op{VMINPS, VMINPD}
	within    = op{VRANGEPS, VRANGEPD}
	compare   = op{VCMPPS, VCMPPD}
	blend     = op{four(VBLENDVPS), four(VBLENDVPD)}
	move      = op{VMOVUPS, VMOVUPD}
	stream    = op{two(VMOVNTPS), two(VMOVNTPD)}
	and       = op{VANDPS, VANDPD}
	or        = op{VORPS, VORPD}
	xor       = op{VXORPS, VXORPD}
	roundTo   = op{three(VROUNDPS), three(VROUNDPD)}
	scaleTo   = op{VRNDSCALEPS, VRNDSCALEPD}
	broadcast = op{VBROADCASTSS, VBROADCASTSD}
)

// Offsets of the fields of chain.Instr.
const (
	instrOp   = 0
	instrAddr = 8
)

// machine writes the interpreter for one instruction set and type.
type machine struct {
	isa
	float
	bank int
	goOn func() // to the next operation
}

// free is register i of those that hold no part of an accumulator.
func (m machine) free(i int) reg.VecPhysical { return m.regs[m.banks[0]+i] }

// handler is the code of one operation. The order is that of the constants in
// package chain.
type handler struct {
	name string
	emit func(m machine, addr, at reg.Register)
}

var handlers = []handler{
	{"load", func(m machine, addr, at reg.Register) {
		for i := range m.bank {
			m.do(move, m.element(addr, at, i), m.regs[i])
		}
	}},
	{"fill", func(m machine, addr, _ reg.Register) {
		m.spread(addr, m.regs[0])
		for i := 1; i < m.bank; i++ {
			m.do(move, m.regs[0], m.regs[i])
		}
	}},
	{"store", func(m machine, addr, at reg.Register) {
		for i := range m.bank {
			m.do(move, m.regs[i], m.element(addr, at, i))
		}
	}},
	{"stream", func(m machine, addr, at reg.Register) {
		for i := range m.bank {
			m.do(stream, m.regs[i], m.element(addr, at, i))
		}
	}},
	{"neg", func(m machine, _, _ reg.Register) { m.withMask(xor, m.signBit) }},
	{"abs", func(m machine, _, _ reg.Register) { m.withMask(and, m.allButSign) }},
	{"sqrt", func(m machine, _, _ reg.Register) { m.roots() }},
	{"square", func(m machine, _, _ reg.Register) { m.each(func(x reg.VecPhysical) { m.do(mul, x, x, x) }) }},
	{"floor", func(m machine, _, _ reg.Register) { m.round(1) }},
	{"ceil", func(m machine, _, _ reg.Register) { m.round(2) }},
	{"round", func(m machine, _, _ reg.Register) { m.round(0) }},
}

// extremeOf is max or min with one number in a register. The instruction gives
// its second operand if one is no number or both are zero, which is right but for
// numbers of that kind.
func (m machine) extremeOf(y reg.VecPhysical, addr reg.Register, o op, most bool) {
	if m.narrow() {
		m.each(func(x reg.VecPhysical) { m.do(o, y, x, x) })
		return
	}
	name := fmt.Sprintf("extreme%t", most)
	zero := m.free(1).AsX()
	if m.wide {
		VPXORD(m.free(1), m.free(1), m.free(1))
	} else {
		VPXOR(zero, zero, zero)
	}
	if m.size == 4 {
		VUCOMISS(Mem{Base: addr}, zero)
	} else {
		VUCOMISD(Mem{Base: addr}, zero)
	}
	JEQ(LabelRef(name)) // or unordered
	m.each(func(x reg.VecPhysical) { m.do(o, x, y, x) })
	m.goOn()
	Label(name)
	m.each(func(x reg.VecPhysical) { m.extreme(x, y, most) })
}

// binaries combine the accumulator x with an operand y in a free register, the
// first or the fourth; they leave the result in x and may use those between.
var binaries = []struct {
	name string
	emit func(m machine, x, y reg.VecPhysical)
}{
	{"add", func(m machine, x, y reg.VecPhysical) { m.do(add, y, x, x) }},
	{"sub", func(m machine, x, y reg.VecPhysical) { m.do(sub, y, x, x) }},
	{"subFrom", func(m machine, x, y reg.VecPhysical) { m.do(sub, x, y, x) }},
	{"mul", func(m machine, x, y reg.VecPhysical) { m.do(mul, y, x, x) }},
	{"div", func(m machine, x, y reg.VecPhysical) { m.do(div, y, x, x) }},
	{"divInto", func(m machine, x, y reg.VecPhysical) { m.do(div, x, y, x) }},
	{"max", func(m machine, x, y reg.VecPhysical) { m.extreme(x, y, true) }},
	{"min", func(m machine, x, y reg.VecPhysical) { m.extreme(x, y, false) }},
}

// fromMemory are those of binaries that AVX2 does with an operand in memory: one instruction for a
// load and a sum, as long as the address has no index. AVX-512 computes for longer than it takes to
// find out what to do.
var fromMemory = map[string]op{"add": add, "sub": sub, "mul": mul, "div": div}

func init() {
	for _, b := range binaries {
		handlers = append(handlers,
			handler{b.name, func(m machine, addr, at reg.Register) {
				if o, ok := fromMemory[b.name]; ok && m.isa.bytes == 32 {
					LEAQ(Mem{Base: addr, Index: at, Scale: 1}, addr)
					for i := range m.bank {
						m.do(o, Mem{Base: addr, Disp: i * m.isa.bytes}, m.regs[i], m.regs[i])
					}
					return
				}
				for i := range m.bank {
					y := m.free(i % 2 * 3) // alternate, so that loads overlap
					m.do(move, m.element(addr, at, i), y)
					b.emit(m, m.regs[i], y)
				}
			}},
			handler{b.name + "Scalar", func(m machine, addr, _ reg.Register) {
				y := m.free(0)
				m.spread(addr, y)
				switch b.name {
				case "max":
					m.extremeOf(y, addr, greater, true)
				case "min":
					m.extremeOf(y, addr, lesser, false)
				default:
					m.each(func(x reg.VecPhysical) { b.emit(m, x, y) })
				}
			}})
	}
}

func (m machine) element(addr, at reg.Register, i int) Mem {
	return Mem{Base: addr, Index: at, Scale: 1, Disp: i * m.isa.bytes}
}

// spread fills a register with the number at addr.
func (m machine) spread(addr reg.Register, x reg.VecPhysical) {
	if m.narrow() && m.size == 8 {
		VMOVDDUP(Mem{Base: addr}, x)
		return
	}
	m.do(broadcast, Mem{Base: addr}, x)
}

func (m machine) each(f func(x reg.VecPhysical)) {
	for i := range m.bank {
		f(m.regs[i])
	}
}

// withMask combines every register with a mask that set makes.
func (m machine) withMask(o op, set func(mask reg.VecPhysical)) {
	set(m.free(0))
	m.each(func(x reg.VecPhysical) { m.do(o, m.free(0), x, x) })
}

// ones sets every bit.
func (m machine) ones(x reg.VecPhysical) {
	switch {
	case m.wide:
		VPTERNLOGD(U8(0xff), x, x, x)
	case m.narrow():
		files.Add(arm64.Op("ones", 0, nil, x))
	default:
		VPCMPEQD(x, x, x)
	}
}

func (m machine) signBit(x reg.VecPhysical) {
	m.ones(x)
	if m.size == 4 {
		VPSLLD(U8(31), x, x)
	} else {
		VPSLLQ(U8(63), x, x)
	}
}

func (m machine) allButSign(x reg.VecPhysical) {
	m.ones(x)
	if m.size == 4 {
		VPSRLD(U8(1), x, x)
	} else {
		VPSRLQ(U8(1), x, x)
	}
}

// Ordinary numbers are those whose square root needs no care: from 2^-100, where
// the remainder of the root has all its digits, to the largest.
const (
	ordinaryFrom = 27 << 23
	ordinarySpan = 0x7f7fffff - ordinaryFrom
)

// roots are square roots. Those of 512 bits of float32 take the divider 12
// cycles; from an estimate to 14 bits it is half of that: Goldschmidt's step
// makes it 23, and a Newton step with the exact remainder rounds it as the
// instruction does. Tests hold it to that for every mantissa, and for estimates
// of other processors.
func (m machine) roots() {
	if !m.wide || m.size != 4 {
		m.each(func(x reg.VecPhysical) { m.do(root, x, x) })
		return
	}
	from, most, half := m.free(0), m.free(1), m.free(4)
	spread := func(bits uint32, to reg.VecPhysical) {
		c := GP32()
		MOVL(U32(bits), c)
		VPBROADCASTD(c, to)
	}
	spread(ordinaryFrom, from)
	VPXORD(most, most, most)
	m.each(func(x reg.VecPhysical) {
		VPSUBD(from, x, m.free(2))
		VPMAXUD(m.free(2), most, most)
	})
	spread(ordinarySpan, from)
	VPCMPUD(U8(6), from, most, reg.K1) // above it
	KORTESTW(reg.K1, reg.K1)
	JNE(LabelRef("divider"))
	spread(0x3f000000, half)
	m.each(func(x reg.VecPhysical) {
		s, h, e := m.free(0), m.free(1), m.free(2)
		VRSQRT14PS(x, h)
		VMULPS(h, x, s)
		VMULPS(half, h, h)
		VMOVAPS(half, e)
		VFNMADD231PS(h, s, e)
		VFMADD231PS(e, s, s)
		VFMADD231PS(e, h, h)
		VFNMADD231PS(s, s, x)
		VFMADD213PS(s, h, x)
	})
	JMP(LabelRef("next"))
	Label("divider")
	m.each(func(x reg.VecPhysical) { m.do(root, x, x) })
}

// round rounds in a mode: 0 to even, 1 down, 2 up.
func (m machine) round(mode uint8) {
	o := roundTo
	if m.wide {
		o = scaleTo
	}
	m.each(func(x reg.VecPhysical) { m.do(o, U8(mode), x, x) })
}

// extreme is Go's max or min: NaN wins, and -0 is below +0.
func (m machine) extreme(x, y reg.VecPhysical, most bool) {
	if m.wide {
		// VRANGE orders zeros; sums of what is unordered are NaN.
		mode := uint8(4) // min
		if most {
			mode = 5
		}
		t := m.free(1)
		m.do(compare, U8(3), y, x, reg.K1)
		m.do(within, U8(mode), y, x, t)
		if m.size == 4 {
			VADDPS(y, x, reg.K1, t)
		} else {
			VADDPD(y, x, reg.K1, t)
		}
		m.do(move, t, x)
		return
	}
	o := lesser
	if most {
		o = greater
	}
	if m.narrow() {
		m.do(o, y, x, x)
		return
	}
	// Each order of operands gives one of two zeros and of a number and NaN. Or takes
	// the lesser zero, and NaN or anything is NaN; and takes the greater zero, but NaN
	// has to be put back.
	s, nan := m.free(1), m.free(2)
	m.do(o, y, x, s)
	if most {
		m.do(compare, U8(3), y, x, nan)
	}
	m.do(o, x, y, x)
	if most {
		m.do(and, s, x, x)
		m.do(or, nan, x, x)
	} else {
		m.do(or, s, x, x)
	}
}
