package arm64

import (
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// exchanges are shuffles of two vectors: the order of the operands is the same.
var exchanges = map[string]string{
	"VUNPCKLPS": "zip1.4s", "VUNPCKHPS": "zip2.4s", "VUNPCKLPD": "zip1.2d", "VUNPCKHPD": "zip2.2d",
	"VPUNPCKLBW": "zip1.16b", "VPUNPCKHBW": "zip2.16b", "VPUNPCKLWD": "zip1.8h", "VPUNPCKHWD": "zip2.8h",
	"VPUNPCKLDQ": "zip1.4s", "VPUNPCKHDQ": "zip2.4s", "VPUNPCKLQDQ": "zip1.2d", "VPUNPCKHQDQ": "zip2.2d",
}

// conversions are of one vector.
var conversions = map[string][]string{
	"VCVTPS2PD": {"fcvtl.2d"}, "VCVTPD2PS": {"fcvtn.2s"}, "VCVTPD2PSX": {"fcvtn.2s"}, "VCVTPH2PS": {"fcvtl.4s"},
	"VCVTDQ2PS": {"scvtf.4s"}, "VCVTTPS2DQ": {"fcvtzs.4s"}, "VCVTDQ2PD": {"sxtl.2d", "scvtf.2d"},
	"VPMOVZXBW": {"uxtl.8h"}, "VPMOVZXBD": {"uxtl.8h", "uxtl.4s"}, "VPMOVZXBQ": {"uxtl.8h", "uxtl.4s", "uxtl.2d"}, "VPMOVZXWD": {"uxtl.4s"}, "VPMOVZXDQ": {"uxtl.2d"},
	"VPMOVSXBW": {"sxtl.8h"}, "VPMOVSXBD": {"sxtl.8h", "sxtl.4s"}, "VPMOVSXBQ": {"sxtl.8h", "sxtl.4s", "sxtl.2d"},
	"VPMOVSXWD": {"sxtl.4s"}, "VPMOVSXWQ": {"sxtl.4s", "sxtl.2d"}, "VPMOVSXDQ": {"sxtl.2d"},
}

// sourceBytes is what a conversion reads.
var sourceBytes = map[string]int{"VCVTPS2PD": 8, "VCVTPH2PS": 8, "VCVTDQ2PD": 8, "VPMOVZXBW": 8, "VPMOVZXBD": 4, "VPMOVZXBQ": 4, "VPMOVZXWD": 8, "VPMOVZXDQ": 8,
	"VPMOVSXBW": 8, "VPMOVSXBD": 4, "VPMOVSXBQ": 4, "VPMOVSXWD": 8, "VPMOVSXWQ": 4, "VPMOVSXDQ": 8}

func (f *function) shuffles(i *ir.Instruction) bool {
	ops := i.Operands
	if name, ok := exchanges[i.Opcode]; ok {
		f.do(name, f.vec(ops[2]), f.vec(ops[1]), f.source(ops[0], 16, false), 0)
		return true
	}
	if steps, ok := conversions[i.Opcode]; ok {
		bytes := sourceBytes[i.Opcode]
		if bytes == 0 {
			bytes = 16
		}
		x, d := f.source(ops[0], bytes, false), f.vec(ops[1])
		for _, s := range steps {
			f.do(s, d, x, 0, 0)
			x = d
		}
		return true
	}
	imm := func() int { return int(number(ops[0].(operand.Constant))) }
	switch i.Opcode {
	case "VSHUFPS":
		name := map[int]string{0x88: "uzp1.4s", 0xdd: "uzp2.4s"}[imm()]
		f.do(name, f.vec(ops[3]), f.vec(ops[2]), f.source(ops[1], 16, false), 0)
	case "VMOVSHDUP":
		x := f.source(ops[0], 16, false)
		f.do("trn2.4s", f.vec(ops[1]), x, x, 0)
	case "VMOVSLDUP":
		x := f.source(ops[0], 16, false)
		f.do("trn1.4s", f.vec(ops[1]), x, x, 0)
	case "VMOVDDUP":
		if m, ok := ops[0].(operand.Mem); ok {
			f.spread(m, f.vec(ops[1]), 8)
			break
		}
		f.do("dup.2d", f.vec(ops[1]), f.vec(ops[0]), 0, 0)
	case "VPERMILPS":
		x, d := f.source(ops[1], 16, false), f.vec(ops[2])
		f.do("rev64.4s", d, x, 0, 0)
		switch imm() {
		case 0xb1:
		case 0x1b:
			f.do("ext.16b", d, d, d, 8)
		default:
			f.fail("VPERMILPS %#x", imm())
		}
	case "VPERMILPD":
		x, d := f.source(ops[1], 16, false), f.vec(ops[2])
		switch imm() & 3 {
		case 1:
			f.do("ext.16b", d, x, x, 8)
		case 3:
			f.do("dup.2d", d, x, 0, 1)
		default:
			f.fail("VPERMILPD %#x", imm())
		}
	case "VPSLLD", "VPSLLQ", "VPSRLD", "VPSRLQ", "VPSRAD", "VPSRAQ":
		name := map[byte]string{'L': "shl.", 'R': "ushr."}[i.Opcode[3]]
		if i.Opcode[4] == 'A' {
			name = "sshr."
		}
		name += map[byte]string{'D': "4s", 'Q': "2d"}[i.Opcode[5]]
		f.do(name, f.vec(ops[2]), f.vec(ops[1]), 0, imm())
	case "VPCMPEQB", "VPCMPEQW", "VPCMPEQD", "VPCMPEQQ":
		if ops[0] == ops[1] {
			f.do("ones", f.vec(ops[2]), 0, 0, 0)
			break
		}
		name := map[byte]string{'B': "cmeq.16b", 'W': "cmeq.8h", 'D': "cmeq.4s", 'Q': "cmeq.2d"}[i.Opcode[7]]
		f.do(name, f.vec(ops[2]), f.vec(ops[1]), f.source(ops[0], 16, false), 0)
	case "VCVTPS2PH":
		f.do("fcvtn.4h", f.vec(ops[2]), f.vec(ops[1]), 0, 0)
	default:
		return false
	}
	return true
}

// moves are loads, stores, and moves between registers.
func (f *function) moves(i *ir.Instruction) bool {
	ops := i.Operands
	var bytes int
	switch i.Opcode {
	case "VMOVUPS", "VMOVUPD", "VMOVAPS", "VMOVAPD", "VMOVDQU", "VMOVNTPS", "VMOVNTPD":
		bytes = 16
	case "VMOVSD", "MOVSD", "VMOVQ":
		bytes = 8
	case "VMOVSS", "MOVSS", "VMOVD":
		bytes = 4
	case "VBROADCASTSS", "VPBROADCASTD":
		f.broadcast(ops, "4s", 4)
		return true
	case "VBROADCASTSD", "VPBROADCASTQ":
		f.broadcast(ops, "2d", 8)
		return true
	case "VMOVHPS":
		f.upper(ops)
		return true
	case "CVTSD2SS":
		f.do("fcvt.s", f.vec(ops[1]), f.source(ops[0], 8, false), 0, 0)
		return true
	case "VCVTSD2SS":
		f.do("fcvt.s", f.vec(ops[2]), f.source(ops[0], 8, false), 0, 0)
		return true
	default:
		return false
	}
	src, dst := ops[0], ops[len(ops)-1]
	from, isLoad := src.(operand.Mem)
	to, isStore := dst.(operand.Mem)
	switch {
	case isLoad:
		f.load(from, f.vec(dst), bytes)
	case isStore:
		f.store(f.vec(src), to, bytes)
	case isGP(src) || isGP(dst):
		f.moveWord(src, dst)
	case f.vec(src) == f.vec(dst):
	case bytes == 16:
		f.do("mov.16b", f.vec(dst), f.vec(src), 0, 0)
	default:
		return false
	}
	return true
}

func (f *function) broadcast(ops []operand.Op, arrangement string, size int) {
	d := f.vec(ops[1])
	if m, ok := ops[0].(operand.Mem); ok {
		f.spread(m, d, size)
	} else if isGP(ops[0]) {
		f.do("dupx."+arrangement, d, f.gp(ops[0].(reg.Register)), 0, 0)
	} else {
		f.do("dup."+arrangement, d, f.vec(ops[0]), 0, 0)
	}
}

// upper stores the upper half of a vector.
func (f *function) upper(ops []operand.Op) {
	t := f.fresh()
	f.do("dup.2d", t, f.vec(ops[0]), 0, 1)
	f.store(t, ops[1].(operand.Mem), 8)
}

// Op is an instruction of NEON that AVX2 has no counterpart of, for generators
// to add to what avo builds: its operands are registers, the last the result,
// after which comes a number where there is one.
func Op(name string, number int, reads []reg.Register, d reg.Register) *ir.Instruction {
	i := &ir.Instruction{Opcode: own + name, Outputs: []operand.Op{d}}
	for _, r := range reads {
		i.Operands, i.Inputs = append(i.Operands, r), append(i.Inputs, r)
	}
	if strings.HasPrefix(name, "fml") {
		i.Inputs = append(i.Inputs, d)
	}
	i.Operands = append(i.Operands, d, operand.Imm(uint64(number)))
	return i
}

// own marks such instructions.
const own = "NEON."

func (f *function) own(i *ir.Instruction) bool {
	name, ok := strings.CutPrefix(i.Opcode, own)
	if !ok {
		return false
	}
	ops := i.Operands
	x := int(number(ops[len(ops)-1].(operand.Constant)))
	d := f.vec(ops[len(ops)-2])
	var n, m int
	if len(ops) > 2 {
		if isGP(ops[0]) {
			n = f.gp(ops[0].(reg.Register))
		} else {
			n = f.vec(ops[0])
		}
	}
	if len(ops) > 3 {
		m = f.vec(ops[1])
	}
	f.do(name, d, n, m, x)
	return true
}
