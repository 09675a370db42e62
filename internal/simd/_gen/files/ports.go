package files

import (
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// twoPorts are shuffles of floats, which one port of a Sapphire Rapids does, and the same
// shuffles as integers, which two ports do for vectors of up to 32 bytes.
var twoPorts = map[string]string{
	"VUNPCKLPS": "VPUNPCKLDQ",
	"VUNPCKHPS": "VPUNPCKHDQ",
	"VUNPCKLPD": "VPUNPCKLQDQ",
	"VUNPCKHPD": "VPUNPCKHQDQ",
	"VPERMILPS": "VPSHUFD",
}

// Ports gives shuffles the form that two ports do, in all functions but those named.
// Functions that use vectors of 64 bytes stay as they are: one port does all their shuffles.
func Ports(f *ir.File, but ...string) {
	for _, fn := range f.Functions() {
		all := fn.Instructions()
		if slices.Contains(but, fn.Name) || slices.ContainsFunc(all, func(i *ir.Instruction) bool { return slices.ContainsFunc(i.Operands, wide) }) {
			continue
		}
		for _, i := range all {
			twin, ok := twoPorts[i.Opcode]
			switch {
			case ok && (i.Opcode != "VPERMILPS" || operand.IsIMM8(i.Operands[0])):
				i.Opcode, i.ISA = twin, []string{"AVX2"}
			case i.Opcode == "VPERMILPD" && operand.IsIMM8(i.Operands[0]) && !operand.IsMem(i.Operands[1]):
				// The same register for both operands; a form of integers would need another number.
				i.Opcode = "VSHUFPD"
				i.Operands = slices.Insert(i.Operands, 1, i.Operands[1])
			case i.Opcode == "VMOVDDUP" && !operand.IsMem(i.Operands[0]):
				i.Opcode, i.ISA = "VPUNPCKLQDQ", []string{"AVX2"}
				i.Operands = slices.Insert(i.Operands, 0, i.Operands[0])
			}
		}
	}
}

// wide says that an operand is a vector of 64 bytes.
func wide(o operand.Op) bool {
	r, ok := o.(reg.Register)
	return ok && r.Kind() == reg.KindVector && r.Size() == 64
}
