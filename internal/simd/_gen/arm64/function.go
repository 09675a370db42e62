package arm64

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// function translates one function.
type function struct {
	*ir.Function
	pool  *pool
	nodes []ir.Node
	lines []line

	free    []int // general registers that the description does not use
	vfree   []int // vector registers likewise
	at      int   // the node being translated
	skip    int   // the node that was translated together with the one before
	temp    [2]int
	sums    sums
	scaled  map[scaledIndex]int
	locals  map[int]int // register per word of the stack
	held    constants
	scratch scratch
}

// line is a line of assembly; vector loads and stores keep what pairs them.
type line struct {
	text  string
	label bool
	move  *move
}

// move is a load or store of a vector.
type move struct {
	store    bool
	register int
	base     string
	disp     int
}

// failed ends the translation of a file.
type failed struct{ error }

func (f *function) fail(format string, args ...any) {
	panic(failed{fmt.Errorf("%s: %s", f.Name, fmt.Sprintf(format, args...))})
}

func (f *function) put(format string, args ...any) {
	f.lines = append(f.lines, line{text: fmt.Sprintf(format, args...)})
}

// do adds a vector instruction.
func (f *function) do(name string, d, n, m, x int) {
	w, ok := words[name]
	if !ok {
		f.fail("no instruction %s", name)
	}
	f.scratch.wrote(d)
	f.lines = append(f.lines, line{text: w.line(d, n, m, x)})
}

// generals is how many general registers amd64 has; each stands for the one of
// the same number. spare is what arm64 has beyond them: not 18, the platform's,
// nor 27 to 30, which have uses in Go.
const generals = 16

var spare = []int{16, 17, 19, 20, 21, 22, 23, 24, 25, 26}

// gp is the number of a general register.
func (f *function) gp(r reg.Register) int {
	p, ok := r.(reg.Physical)
	if !ok || r.Kind() != reg.KindGP || r == reg.StackPointer {
		f.fail("not a general register: %v", r)
	}
	return int(p.PhysicalIndex())
}

// vec is the number of a vector register.
func (f *function) vec(op operand.Op) int {
	p, ok := op.(reg.Physical)
	if !ok || p.Kind() != reg.KindVector {
		f.fail("not a vector register: %v", op)
	}
	if p.Size() > 16 {
		f.fail("%s has more than 16 bytes", p.Asm())
	}
	return int(p.PhysicalIndex())
}

func isVec(op operand.Op) bool { return isOf(op, reg.KindVector) }

func isGP(op operand.Op) bool { return isOf(op, reg.KindGP) }

func isOf(op operand.Op, kind reg.Kind) bool {
	r, ok := op.(reg.Register)
	return ok && r.Kind() == kind
}

// translate is the function as assembly.
func (f *function) translate() string {
	f.nodes = f.Nodes
	f.registers()
	f.skip = -1
	for i, n := range f.nodes {
		f.at = i
		if i == f.held.before {
			f.loadConstants()
		}
		if i == f.prologue() {
			f.scaleIndices()
		}
		switch n := n.(type) {
		case ir.Label:
			f.forget()
			f.lines = append(f.lines, line{text: string(n) + ":", label: true})
		case *ir.Comment:
			for _, l := range n.Lines {
				f.put("// %s", l)
			}
		case *ir.Instruction:
			if i != f.skip {
				f.instruction(n)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\nTEXT ·%s(SB), %s, $%d-%d\n", f.Stub(), f.Name, attributes(f.Function), frameOf(f.LocalSize), f.ArgumentBytes())
	for _, l := range pairs(f.lines) {
		if !l.label {
			b.WriteByte('\t')
		}
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}

func attributes(f *ir.Function) string {
	if a := f.Attributes.Asm(); a != "" {
		return a
	}
	return "0"
}

// frameOf keeps the stack pointer aligned: Go adds a word for the link register.
func frameOf(locals int) int {
	if locals == 0 {
		return 0
	}
	return (locals+8+15)/16*16 - 8
}

// forget is for labels, where control comes from elsewhere.
func (f *function) forget() {
	f.sums.forget()
	f.scratch.forget()
}

// prologue is the node before which everything runs once and in order.
func (f *function) prologue() int {
	for i, n := range f.nodes {
		switch n := n.(type) {
		case ir.Label:
			return i
		case *ir.Instruction:
			if n.IsBranch || n.IsTerminal {
				if i > 0 && f.sets(i-1) {
					i-- // a test may become part of the jump
				}
				return i
			}
		}
	}
	return len(f.nodes)
}

// sets reports whether node i is an instruction that sets flags.
func (f *function) sets(i int) bool {
	n, ok := f.nodes[i].(*ir.Instruction)
	return ok && setsFlags(n)
}

// registers finds out which registers the description leaves, and gives them to
// what is worth it.
func (f *function) registers() {
	usedG, usedV := map[int]bool{}, map[int]bool{}
	for _, n := range f.nodes {
		i, ok := n.(*ir.Instruction)
		if !ok {
			continue
		}
		for _, r := range append(i.Registers(), i.OutputRegisters()...) {
			switch {
			case r == reg.StackPointer || r == reg.FramePointer || r == reg.StaticBase:
			case r.Kind() == reg.KindGP:
				usedG[f.gp(r)] = true
			case r.Kind() == reg.KindVector:
				usedV[f.vec(r)] = true
			}
		}
	}
	for g := range generals {
		if !usedG[g] {
			f.free = append(f.free, g)
		}
	}
	f.free = append(f.free, spare...)
	for v := range 32 {
		if !usedV[v] {
			f.vfree = append(f.vfree, v)
		}
	}
	f.temp = [2]int{f.takeGP(), f.takeGP()}
	f.sums.registers = []int{f.takeGP(), f.takeGP(), f.takeGP()}
	f.planScratch()
	f.planConstants()
	f.planScaled()
	f.planLocals()
}

func (f *function) takeGP() int {
	if len(f.free) == 0 {
		f.fail("no general register is left")
	}
	r := f.free[len(f.free)-1]
	f.free = f.free[:len(f.free)-1]
	return r
}

// each visits the instructions.
func (f *function) each(visit func(at int, i *ir.Instruction)) {
	for at, n := range f.nodes {
		if i, ok := n.(*ir.Instruction); ok {
			visit(at, i)
		}
	}
}

// memories lists the memory operands of an instruction.
func memories(i *ir.Instruction) []operand.Mem {
	var list []operand.Mem
	for _, op := range i.Operands {
		if m, ok := op.(operand.Mem); ok {
			list = append(list, m)
		}
	}
	return list
}

// writes reports whether an instruction changes a general register.
func (f *function) writes(i *ir.Instruction, g int) bool {
	return slices.ContainsFunc(i.OutputRegisters(), func(r reg.Register) bool {
		return r.Kind() == reg.KindGP && f.gp(r) == g
	})
}
