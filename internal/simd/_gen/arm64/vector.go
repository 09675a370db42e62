package arm64

import (
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
)

// instruction translates one instruction.
func (f *function) instruction(i *ir.Instruction) {
	if f.scalar(i) || f.arithmetics(i) || f.shuffles(i) || f.moves(i) || f.own(i) {
		return
	}
	f.fail("no translation of %s %v", i.OpcodeWithSuffixes(), i.Operands)
}

// shape is the arrangement that the suffix of an instruction means, the bytes of
// an operand in memory and those of a component.
func shape(suffix string) (arrangement string, bytes, size int) {
	switch suffix {
	case "PS":
		return "4s", 16, 4
	case "PD":
		return "2d", 16, 8
	case "SS":
		return "s", 4, 4
	case "SD":
		return "d", 8, 8
	}
	return "", 0, 0
}

var binaries = map[string]string{"VADD": "fadd", "VSUB": "fsub", "VMUL": "fmul", "VDIV": "fdiv", "VMAX": "fmax", "VMIN": "fmin"}

// integers are instructions on integers in lanes.
var integers = map[string]string{
	"VPADDB": "add.16b", "VPADDW": "add.8h", "VPADDD": "add.4s", "VPADDQ": "add.2d",
	"VPSUBB": "sub.16b", "VPSUBW": "sub.8h", "VPSUBD": "sub.4s", "VPSUBQ": "sub.2d",
	"VPMULLW": "mul.8h", "VPMULLD": "mul.4s",
	"VPMAXSB": "smax.16b", "VPMAXSW": "smax.8h", "VPMAXSD": "smax.4s", "VPMAXUB": "umax.16b", "VPMAXUD": "umax.4s",
	"VPMINSB": "smin.16b", "VPMINSW": "smin.8h", "VPMINSD": "smin.4s", "VPMINUB": "umin.16b", "VPMINUD": "umin.4s",
	"VPCMPGTB": "cmgt.16b", "VPCMPGTW": "cmgt.8h", "VPCMPGTD": "cmgt.4s", "VPCMPGTQ": "cmgt.2d",
	"VPAND": "and.16b", "VPOR": "orr.16b", "VPXOR": "eor.16b", "VPXORD": "eor.16b",
	"VANDPS": "and.16b", "VANDPD": "and.16b", "VORPS": "orr.16b", "VORPD": "orr.16b", "VXORPS": "eor.16b", "VXORPD": "eor.16b",
}

// arithmetics are instructions of the form dst = a op b, and fused ones.
func (f *function) arithmetics(i *ir.Instruction) bool {
	ops, spread := i.Operands, spreads(i)
	if name, ok := integers[i.Opcode]; ok {
		d, a := f.vec(ops[2]), f.vec(ops[1])
		if name == "eor.16b" && ops[0] == ops[1] {
			f.do("zero", d, 0, 0, 0)
			return true
		}
		f.do(name, d, a, f.source(ops[0], integerBytes(i, spread), spread), 0)
		return true
	}
	if strings.HasPrefix(i.Opcode, "VANDN") {
		f.do("bic.16b", f.vec(ops[2]), f.source(ops[0], 16, false), f.vec(ops[1]), 0)
		return true
	}
	n := len(i.Opcode)
	if n < 4 {
		return false
	}
	stem, suffix := i.Opcode[:n-2], i.Opcode[n-2:]
	arrangement, bytes, size := shape(suffix)
	if arrangement == "" {
		return false
	}
	if spread {
		bytes = size
	}
	switch {
	case binaries[stem] != "":
		f.binary(binaries[stem]+"."+arrangement, i, bytes, size)
	case strings.HasPrefix(stem, "VFMADD"), strings.HasPrefix(stem, "VFMSUB"), strings.HasPrefix(stem, "VFNMADD"), strings.HasPrefix(stem, "VFNMSUB"):
		if stem == "VFMADDSUB213" {
			return false
		}
		f.fused(stem[:len(stem)-3], stem[len(stem)-3:], arrangement, i, bytes, size)
	case stem == "VSQRT":
		x, d := f.source(ops[0], bytes, spread), f.vec(ops[len(ops)-1])
		f.do("fsqrt."+arrangement, d, x, 0, 0)
	case stem == "VROUND":
		mode := map[int64]string{0: "frintn.", 1: "frintm.", 2: "frintp."}[number(ops[0].(operand.Constant))&3]
		f.do(mode+arrangement, f.vec(ops[2]), f.source(ops[1], bytes, spread), 0, 0)
	case stem == "VCMP":
		f.comparison(arrangement, i, bytes, spread)
	case stem == "VBLENDV":
		f.blend(ops)
	default:
		return false
	}
	return true
}

func integerBytes(i *ir.Instruction, spread bool) int {
	if spread {
		if strings.HasSuffix(i.Opcode, "D") && !strings.HasSuffix(i.Opcode, "PD") || strings.HasSuffix(i.Opcode, "PS") {
			return 4
		}
		return 8
	}
	return 16
}

func (f *function) binary(name string, i *ir.Instruction, bytes, size int) {
	ops, spread := i.Operands, spreads(i)
	d, a := f.vec(ops[2]), f.vec(ops[1])
	if m, ok := ops[0].(operand.Mem); ok && spread && picks[i.Opcode] {
		l := f.pick(m, size)
		f.do(name+"[]", d, a, l.register, l.index)
		return
	}
	f.do(name, d, a, f.source(ops[0], bytes, spread), 0)
}

// fused is d = +-x*y +- z, where which operands are x, y and z follows from the
// numbers in the instruction's name.
func (f *function) fused(stem, order, arrangement string, i *ir.Instruction, bytes, size int) {
	ops, spread := i.Operands, spreads(i)
	d := f.vec(ops[2])
	negateProduct, negateSum := strings.HasPrefix(stem, "VFN"), strings.HasSuffix(stem, "SUB")
	// Operand 1 of the name is the destination, 3 the first in Go's order.
	by := map[byte]operand.Op{'1': ops[2], '2': ops[1], '3': ops[0]}
	x, y, z := by[order[0]], by[order[1]], by[order[2]]
	if len(arrangement) == 1 {
		reg := func(o operand.Op) int { return f.source(o, bytes, spread) }
		name := map[[2]bool]string{{false, false}: "fmadd.", {true, false}: "fmsub.", {true, true}: "fnmadd.", {false, true}: "fnmsub."}[[2]bool{negateProduct, negateSum}]
		a, b, c := reg(x), reg(y), reg(z)
		f.do(name+arrangement, d, a, b, c)
		return
	}
	name := "fmla." + arrangement
	if negateProduct {
		name = "fmls." + arrangement
	}
	to := d
	if z != ops[2] {
		// The sum goes to the register of a factor: it is made elsewhere.
		if m, ok := z.(operand.Mem); ok {
			to = f.source(m, bytes, spread)
			if !f.isScratch(to) {
				v := f.fresh()
				f.do("mov.16b", v, to, 0, 0)
				to = v
			}
		} else {
			to = f.fresh()
			f.do("mov.16b", to, f.vec(z), 0, 0)
		}
	}
	if negateSum {
		f.do("fneg."+arrangement, to, to, 0, 0)
	}
	factor := func(o operand.Op) bool { _, ok := o.(operand.Mem); return ok }
	if factor(x) {
		x, y = y, x
	}
	if m, ok := y.(operand.Mem); ok && spread {
		l := f.pick(m, size)
		f.do(name+"[]", to, f.vec(x), l.register, l.index)
	} else {
		f.do(name, to, f.vec(x), f.source(y, bytes, spread), 0)
	}
	if to != d {
		f.do("mov.16b", d, to, 0, 0)
	}
}

func (f *function) isScratch(v int) bool {
	for _, r := range f.scratch.registers {
		if r == v {
			return true
		}
	}
	return false
}

// comparison gives ones where it holds, else zeros.
func (f *function) comparison(arrangement string, i *ir.Instruction, bytes int, spread bool) {
	ops := i.Operands
	a, b, d := f.vec(ops[2]), f.source(ops[1], bytes, spread), f.vec(ops[3])
	eq, gt, ge := "fcmeq."+arrangement, "fcmgt."+arrangement, "fcmge."+arrangement
	not := func() { f.do("mvn.16b", d, d, 0, 0) }
	switch p := number(ops[0].(operand.Constant)); p {
	case 0x00:
		f.do(eq, d, a, b, 0)
	case 0x04:
		f.do(eq, d, a, b, 0)
		not()
	case 0x11:
		f.do(gt, d, b, a, 0)
	case 0x12:
		f.do(ge, d, b, a, 0)
	case 0x1e:
		f.do(gt, d, a, b, 0)
	case 0x1d:
		f.do(ge, d, a, b, 0)
	case 0x19:
		f.do(ge, d, a, b, 0)
		not()
	case 0x16:
		f.do(ge, d, b, a, 0)
		not()
	case 0x03, 0x07:
		// A number equals itself.
		if a == b {
			f.do(eq, d, a, a, 0)
		} else {
			t := f.fresh()
			f.do(eq, t, b, b, 0)
			f.do(eq, d, a, a, 0)
			f.do("and.16b", d, d, t, 0)
		}
		if p == 0x03 {
			not()
		}
	default:
		f.fail("no comparison %#x", p)
	}
}

// blend is dst = yes where mask, else no.
func (f *function) blend(ops []operand.Op) {
	mask, yes, no, d := f.vec(ops[0]), f.source(ops[1], 16, false), f.vec(ops[2]), f.vec(ops[3])
	switch d {
	case no:
		f.do("bit.16b", d, yes, mask, 0)
	case yes:
		f.do("bif.16b", d, no, mask, 0)
	case mask:
		f.do("bsl.16b", d, yes, no, 0)
	default:
		f.do("mov.16b", d, mask, 0, 0)
		f.do("bsl.16b", d, yes, no, 0)
	}
}
