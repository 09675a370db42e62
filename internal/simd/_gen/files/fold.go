package files

import (
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fold gives the only instruction that reads a loaded register the memory itself, where it
// has a form for that: a load and an operation then take one slot of the front end, which
// is what short loops over vectors of 32 bytes wait for.
func fold(f *ir.Function) {
	uses := map[reg.ID]int{}
	for _, i := range f.Instructions() {
		for _, r := range i.InputRegisters() {
			uses[r.ID()]++
		}
	}
	for at, node := range f.Nodes {
		load, ok := node.(*ir.Instruction)
		if !ok || !strings.HasPrefix(load.Opcode, "VMOV") || len(load.Operands) != 2 {
			continue
		}
		m, fromMemory := load.Operands[0].(operand.Mem)
		v, toVector := load.Operands[1].(reg.VecVirtual)
		if !fromMemory || !toVector || uses[v.ID()] != 1 {
			continue
		}
		if user := reader(f.Nodes[at+1:], m, v); user != nil && replace(user, load.Opcode, m, v) {
			f.Nodes[at] = nil
		}
	}
	f.Nodes = slices.DeleteFunc(f.Nodes, func(n ir.Node) bool { return n == nil })
}

// reader is the instruction of this block that reads v, if m is still what it was.
func reader(nodes []ir.Node, m operand.Mem, v reg.VecVirtual) *ir.Instruction {
	for _, n := range nodes {
		i, ok := n.(*ir.Instruction)
		if !ok || i.IsBranch {
			return nil
		}
		if slices.Contains(i.Operands, operand.Op(v)) {
			return i
		}
		for _, o := range i.Outputs {
			if _, stores := o.(operand.Mem); stores || o == operand.Op(m.Base) || o == operand.Op(m.Index) {
				return nil
			}
		}
	}
	return nil
}

// replace puts m where an instruction reads v, if it can read memory there: the first
// operand that is no immediate number, of all that a kernel's element takes.
func replace(i *ir.Instruction, loaded string, m operand.Mem, v reg.VecVirtual) bool {
	place := slices.IndexFunc(i.Operands, func(o operand.Op) bool { return !operand.IsIMM8(o) })
	widens := strings.HasPrefix(i.Opcode, "VPMOVZX") || slices.Contains([]string{"VCVTPS2PD", "VCVTPH2PS", "VCVTDQ2PD"}, i.Opcode)
	whole := loaded == "VMOVUPS" && slices.Contains([]string{"VADD", "VSUB", "VMUL", "VDIV", "VMAX", "VMIN", "VCMP", "VAND", "VANDN", "VOR", "VXOR", "VPSUBD"},
		strings.TrimSuffix(strings.TrimSuffix(i.Opcode, "PS"), "PD"))
	if !widens && !whole || i.Operands[place] != operand.Op(v) {
		return false
	}
	i.Operands[place] = m
	i.Inputs[slices.Index(i.Inputs, operand.Op(v))] = m
	return true
}
