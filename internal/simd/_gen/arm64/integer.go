package arm64

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// conditions are the suffixes of conditional instructions after a comparison or
// subtraction. amd64's carry is a borrow then, arm64's the opposite.
var conditions = map[string]string{
	"EQ": "EQ", "NE": "NE", "Z": "EQ", "NZ": "NE", "LT": "LT", "L": "LT", "LE": "LE", "GT": "GT", "GE": "GE",
	"CS": "LO", "CC": "HS", "HI": "HI", "LS": "LS", "MI": "MI", "PL": "PL",
}

// setsFlags and readsFlags are of integer instructions.
func setsFlags(i *ir.Instruction) bool {
	switch i.Opcode {
	case "ADDQ", "SUBQ", "ANDQ", "ORQ", "XORQ", "CMPQ", "TESTQ", "TESTL", "TESTB", "CMPL", "CMPB", "NEGQ", "INCQ", "DECQ", "SHLQ", "SHRQ", "SARQ", "IMULQ", "IMUL3Q", "XORL":
		return true
	}
	return false
}

func readsFlags(i *ir.Instruction) bool {
	return i.IsConditional || strings.HasPrefix(i.Opcode, "CMOVQ") || strings.HasPrefix(i.Opcode, "SET") || i.Opcode == "SBBQ"
}

// flagsRead reports whether the flags of node at are read.
func (f *function) flagsRead(at int) bool {
	for _, n := range f.nodes[at+1:] {
		i, ok := n.(*ir.Instruction)
		switch {
		case !ok:
		case readsFlags(i):
			return true
		case setsFlags(i), i.IsBranch, i.IsTerminal:
			return false
		}
	}
	return false
}

// integer is the general register with an operand, loaded if need be.
func (f *function) integer(op operand.Op, temp int) string {
	switch o := op.(type) {
	case reg.Register:
		return fmt.Sprintf("R%d", f.gp(o))
	case operand.Mem:
		if r, ok := f.local(o); ok {
			return fmt.Sprintf("R%d", r)
		}
		f.put("MOVD %s, R%d", f.address(o), f.temp[temp])
		return fmt.Sprintf("R%d", f.temp[temp])
	case operand.Constant:
		return fmt.Sprintf("$%d", number(o))
	}
	f.fail("not an integer: %v", op)
	return ""
}

// local is the register that a word of the stack has become.
func (f *function) local(m operand.Mem) (int, bool) {
	if m.Base != reg.StackPointer || m.Index != nil {
		return 0, false
	}
	r, ok := f.locals[m.Disp]
	return r, ok
}

// number is the value of a constant. Those of 8 and 32 bits are extended as
// amd64 does.
func number(c operand.Constant) int64 {
	switch c := c.(type) {
	case operand.U8:
		return int64(c)
	case operand.U16:
		return int64(c)
	case operand.U32:
		return int64(c)
	case operand.U64:
		return int64(c)
	case operand.I8:
		return int64(c)
	case operand.I16:
		return int64(c)
	case operand.I32:
		return int64(c)
	case operand.I64:
		return int64(c)
	}
	panic(failed{fmt.Errorf("constant %v", c)})
}

func (f *function) address(m operand.Mem) string {
	p := f.locate(m)
	if p.g < 0 && p.base != "RSP" {
		return p.base
	}
	return p.String()
}

// arithmetic is dst = dst op src, where dst may be a word in memory.
func (f *function) arithmetic(name, flagged string, i *ir.Instruction, src string, dst operand.Op) {
	read := f.flagsRead(f.at)
	to, memory := f.destination(dst)
	op := name
	if read && flagged != "" {
		op = flagged
	}
	f.put("%s %s, %s, %s", op, src, to, to)
	if memory != nil {
		f.put("MOVD %s, %s", to, f.address(*memory))
	}
	if read && flagged == "" {
		f.put("CMP $0, %s", to)
	}
	f.changed(dst)
}

// destination is the register of a destination that is read as well; it has to
// be stored if it was in memory.
func (f *function) destination(dst operand.Op) (string, *operand.Mem) {
	r := f.integer(dst, 0)
	if m, ok := dst.(operand.Mem); ok {
		if _, promoted := f.local(m); !promoted {
			return r, &m
		}
	}
	return r, nil
}

// changed forgets what was known of a destination.
func (f *function) changed(dst operand.Op) {
	if g, ok := dst.(reg.Register); ok {
		f.wroteGP(f.gp(g))
	}
}

// scalar translates integer instructions and jumps; it reports whether it knows
// the instruction.
func (f *function) scalar(i *ir.Instruction) bool {
	ops := i.Operands
	switch i.Opcode {
	case "MOVQ":
		f.moveWord(ops[0], ops[1])
	case "MOVL", "MOVW", "MOVB", "MOVBQZX", "MOVBLZX", "MOVWQZX", "MOVLQSX", "MOVWLZX":
		f.movePart(i.Opcode, ops[0], ops[1])
	case "ADDQ", "SUBQ", "ANDQ", "ORQ", "XORQ":
		if i.Opcode == "XORQ" && ops[0] == ops[1] {
			f.put("MOVD ZR, %s", f.integer(ops[0], 0))
			f.changed(ops[1])
			break
		}
		names := map[string][2]string{"ADDQ": {"ADD", "ADDS"}, "SUBQ": {"SUB", "SUBS"}, "ANDQ": {"AND", "ANDS"}, "ORQ": {"ORR", ""}, "XORQ": {"EOR", ""}}[i.Opcode]
		f.arithmetic(names[0], names[1], i, f.integer(ops[0], 1), ops[1])
	case "INCQ":
		f.arithmetic("ADD", "ADDS", i, "$1", ops[0])
	case "DECQ":
		f.arithmetic("SUB", "SUBS", i, "$1", ops[0])
	case "SHLQ", "SHRQ", "SARQ":
		name := map[string]string{"SHLQ": "LSL", "SHRQ": "LSR", "SARQ": "ASR"}[i.Opcode]
		f.arithmetic(name, "", i, f.integer(ops[0], 1), ops[1])
	case "SHLXQ":
		f.put("LSL %s, %s, %s", f.integer(ops[0], 0), f.integer(ops[1], 1), f.integer(ops[2], 0))
		f.changed(ops[2])
	case "IMULQ":
		f.arithmetic("MUL", "", i, f.integer(ops[0], 1), ops[1])
	case "IMUL3Q":
		f.put("MOVD %s, R%d", f.integer(ops[0], 0), f.temp[0])
		f.put("MUL R%d, %s, %s", f.temp[0], f.integer(ops[1], 1), f.integer(ops[2], 0))
		f.changed(ops[2])
	case "NEGQ":
		to, memory := f.destination(ops[0])
		if memory != nil {
			f.fail("NEGQ of memory")
		}
		name := "NEG"
		if f.flagsRead(f.at) {
			name = "NEGS"
		}
		f.put("%s %s, %s", name, to, to)
		f.changed(ops[0])
	case "LEAQ":
		f.lea(ops[0].(operand.Mem), ops[1])
	case "CMPQ":
		f.compare(ops[0], ops[1])
	case "TESTQ", "TESTL":
		f.test(ops[0], ops[1])
	case "SBBQ":
		f.put("CSETM LO, %s", f.integer(ops[1], 0))
		f.changed(ops[1])
	case "JMP":
		f.put("JMP %s", ops[0].(operand.LabelRef))
	case "RET":
		f.put("RET")
	case "PREFETCHT0", "PREFETCHT1", "PREFETCHNTA":
		f.prefetch(ops[0].(operand.Mem), map[string]string{"PREFETCHT0": "PLDL1KEEP", "PREFETCHT1": "PLDL2KEEP", "PREFETCHNTA": "PLDL1STRM"}[i.Opcode])
	case "SFENCE", "VZEROUPPER":
	default:
		switch {
		case i.IsConditional:
			f.put("B%s %s", f.condition(i.Opcode[1:]), ops[0].(operand.LabelRef))
		case strings.HasPrefix(i.Opcode, "CMOVQ"):
			to := f.integer(ops[1], 0)
			f.put("CSEL %s, %s, %s, %s", f.condition(i.Opcode[5:]), f.integer(ops[0], 1), to, to)
			f.changed(ops[1])
		case strings.HasPrefix(i.Opcode, "SET"):
			f.put("CSET %s, %s", f.condition(i.Opcode[3:]), f.integer(ops[0], 0))
			f.changed(ops[0])
		default:
			return false
		}
	}
	return true
}

func (f *function) condition(suffix string) string {
	c, ok := conditions[suffix]
	if !ok {
		f.fail("no condition %s", suffix)
	}
	return c
}

func (f *function) moveWord(src, dst operand.Op) {
	switch {
	case isVec(src) && isVec(dst):
		f.put("FMOVD F%d, F%d", f.vec(src), f.vec(dst))
		f.scratch.wrote(f.vec(dst))
	case isVec(src):
		if m, ok := dst.(operand.Mem); ok {
			f.store(f.vec(src), m, 8)
			return
		}
		f.put("FMOVD F%d, %s", f.vec(src), f.integer(dst, 0))
		f.changed(dst)
	case isVec(dst):
		if m, ok := src.(operand.Mem); ok {
			f.load(m, f.vec(dst), 8)
			return
		}
		f.put("FMOVD %s, F%d", f.integer(src, 0), f.vec(dst))
		f.scratch.wrote(f.vec(dst))
	default:
		if m, ok := dst.(operand.Mem); ok {
			if r, promoted := f.local(m); promoted {
				f.read(src, r)
				return
			}
			from := f.integer(src, 0)
			if from[0] == '$' {
				f.put("MOVD %s, R%d", from, f.temp[0])
				from = fmt.Sprintf("R%d", f.temp[0])
			}
			f.put("MOVD %s, %s", from, f.address(m))
			f.scratch.forget()
			return
		}
		f.read(src, f.gp(dst.(reg.Register)))
		f.changed(dst)
	}
}

// read moves an integer into a register.
func (f *function) read(src operand.Op, g int) {
	if m, ok := src.(operand.Mem); ok {
		if _, promoted := f.local(m); !promoted {
			f.put("MOVD %s, R%d", f.address(m), g)
			return
		}
	}
	f.put("MOVD %s, R%d", f.integer(src, 0), g)
}

// movePart moves 8, 16 or 32 bits.
func (f *function) movePart(opcode string, src, dst operand.Op) {
	width := opcode[3]
	signed := strings.HasSuffix(opcode, "SX")
	load := map[byte]string{'B': "MOVBU", 'W': "MOVHU", 'L': "MOVWU"}[width]
	if signed {
		load = strings.TrimSuffix(load, "U")
	}
	store := map[byte]string{'B': "MOVB", 'W': "MOVH", 'L': "MOVW"}[width]
	switch d := dst.(type) {
	case operand.Mem:
		f.put("%s %s, %s", store, f.integer(src, 0), f.address(d))
		f.scratch.forget()
		return
	case reg.Register:
		g := f.gp(d)
		switch s := src.(type) {
		case operand.Mem:
			f.put("%s %s, R%d", load, f.address(s), g)
		case operand.Constant:
			f.put("MOVD $%d, R%d", number(s), g)
		default:
			f.put("%s %s, R%d", load, f.integer(src, 0), g)
		}
		f.wroteGP(g)
		return
	}
	f.fail("%s %v, %v", opcode, src, dst)
}

func (f *function) lea(m operand.Mem, dst operand.Op) {
	to := f.gp(dst.(reg.Register))
	defer f.wroteGP(to)
	switch m.Base {
	case reg.StaticBase:
		f.pool.take(m.Symbol.Name)
		f.put("MOVD $%s<>+%d(SB), R%d", m.Symbol.Name, m.Disp, to)
		return
	case reg.StackPointer:
		f.put("MOVD RSP, R%d", to)
		f.put("ADD $%d, R%d, R%d", m.Disp+8, to, to)
		return
	}
	base := f.gp(m.Base)
	if m.Index == nil {
		f.put("ADD $%d, R%d, R%d", m.Disp, base, to)
		return
	}
	f.put("ADD R%d<<%d, R%d, R%d", f.gp(m.Index), log2(int(m.Scale)), base, to)
	if m.Disp != 0 {
		f.put("ADD $%d, R%d, R%d", m.Disp, to, to)
	}
}

// jumpAfter is the next node if it jumps on zero or not, and nothing else reads
// the flags.
func (f *function) jumpAfter() (jump string, label operand.LabelRef, ok bool) {
	if f.at+1 >= len(f.nodes) {
		return "", "", false
	}
	i, isInstruction := f.nodes[f.at+1].(*ir.Instruction)
	if !isInstruction || !i.IsConditional || f.flagsRead(f.at+1) {
		return "", "", false
	}
	switch i.Opcode {
	case "JEQ", "JZ":
		jump = "CBZ"
	case "JNE", "JNZ":
		jump = "CBNZ"
	default:
		return "", "", false
	}
	return jump, i.Operands[0].(operand.LabelRef), true
}

func (f *function) compare(a, b operand.Op) {
	left := f.integer(a, 0)
	if left[0] == '$' {
		f.put("MOVD %s, R%d", left, f.temp[0])
		left = fmt.Sprintf("R%d", f.temp[0])
	}
	right := f.integer(b, 1)
	if jump, label, ok := f.jumpAfter(); ok && right == "$0" {
		f.put("%s %s, %s", jump, left, label)
		f.skip = f.at + 1
		return
	}
	f.put("CMP %s, %s", right, left)
}

func (f *function) test(a, b operand.Op) {
	x, y := f.integer(a, 0), f.integer(b, 1)
	if jump, label, ok := f.jumpAfter(); ok && x == y {
		f.put("%s %s, %s", jump, x, label)
		f.skip = f.at + 1
		return
	}
	f.put("TST %s, %s", x, y)
}

func (f *function) prefetch(m operand.Mem, kind string) {
	p := f.locate(m)
	if p.index >= 0 || p.disp < 0 || p.disp%8 != 0 {
		if p.index >= 0 {
			f.put("ADD R%d, %s, R%d", p.index, p.base, f.temp[0])
		} else {
			f.put("ADD $%d, %s, R%d", p.disp, p.base, f.temp[0])
		}
		p = place{base: fmt.Sprintf("R%d", f.temp[0]), index: -1}
	}
	f.put("PRFM %s, %s", p, kind)
}
