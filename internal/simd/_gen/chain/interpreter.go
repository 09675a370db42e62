package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

// counters are the registers of the interpreter.
type counters struct{ code, end, at, limit, pc, id, addr, slots reg.Register }

// slot is the bytes between handlers that are jumped to by their number, 1<<slotBits.
const (
	slotBits = 9
	slot     = 1 << slotBits
)

// slotted says that handlers lie a slot apart: to find one by comparing can take longer than
// to run it on the largest bank. arm64's translation has no word for where a handler is.
func (m machine) slotted() bool { return !m.narrow() && m.bank == m.banks[0] }

// outgrows says that a handler is longer than a slot.
func (m machine) outgrows(h handler) bool {
	switch h.name {
	case "sqrt", "max", "maxScalar", "min", "minScalar":
		return m.wide
	}
	return false
}

// generate writes the interpreter of a bank.
func (m machine) generate(bank int) {
	m.bank = bank
	name := fmt.Sprintf("run%d%s%s", bank, m.float.name, m.isa.name)
	TEXT(name, NOSPLIT, "func(code *byte, count, from, bytes int)")
	Doc(fmt.Sprintf("%s is, for groups of %d registers,", name, m.bank),
		"for at := from; at < bytes; at += group { for i := range count { code[i] on the elements from at } }.")
	Pragma("noescape")
	r := counters{GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), nil}
	if m.slotted() {
		// By name: avo does not see where handlers come from.
		r = counters{reg.RSI, reg.RDI, reg.R8, reg.R9, reg.R10, reg.R11, reg.R12, reg.R13}
		LEAQ(Mem{Symbol: Symbol{Name: "·" + name}, Base: reg.StaticBase, Disp: slot}, r.slots)
	}
	for i, to := range []reg.Register{r.code, r.end, r.at, r.limit} {
		Load(Param([]string{"code", "count", "from", "bytes"}[i]), to)
	}
	SHLQ(U8(4), r.end)
	ADDQ(r.code, r.end)

	m.goOn = func() { JMP(LabelRef("next")) }
	if m.slotted() && !m.wide {
		m.goOn = r.next
	}
	Label("group")
	CMPQ(r.at, r.limit)
	JGE(LabelRef("done"))
	MOVQ(r.code, r.pc)
	Label("next")
	r.fetch()
	if m.slotted() {
		r.jump()
		body := func(h handler) {
			h.emit(m, r.addr, r.at)
			r.next()
		}
		for _, h := range handlers {
			files.Add(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{U32(slot)}})
			if m.outgrows(h) {
				JMP(LabelRef(h.name))
			} else {
				body(h)
			}
		}
		for _, h := range handlers {
			if m.outgrows(h) {
				Label(h.name)
				body(h)
			}
		}
	} else {
		m.dispatch(0, len(handlers), r.id, func(h handler) {
			h.emit(m, r.addr, r.at)
			JMP(LabelRef("next"))
		})
	}
	Label("endOfGroup")
	ADDQ(U32(uint32(m.bank*m.isa.bytes)), r.at)
	JMP(LabelRef("group"))
	Label("done")
	SFENCE()
	VZEROUPPER()
	RET()
}

// fetch gets the next operation.
func (r counters) fetch() {
	CMPQ(r.pc, r.end)
	JGE(LabelRef("endOfGroup"))
	MOVQ(Mem{Base: r.pc, Disp: instrOp}, r.id)
	MOVQ(Mem{Base: r.pc, Disp: instrAddr}, r.addr)
	ADDQ(U8(16), r.pc)
}

// next fetches an operation and goes on in its slot.
func (r counters) next() {
	r.fetch()
	r.jump()
}

// jump goes on in the slot of the operation.
func (r counters) jump() {
	SHLQ(U8(slotBits), r.id)
	ADDQ(r.slots, r.id)
	files.Add(&ir.Instruction{Opcode: "JMP", Operands: []Op{r.id}, Inputs: []Op{r.id}, IsTerminal: true})
}

// dispatch finds handler id of from..to by halving what is common, and does it there.
// The branches repeat from group to group, so they are predicted, but each that jumps
// takes time: the more common side follows without one.
func (m machine) dispatch(from, to int, id reg.Register, do func(handler)) {
	if to-from == 1 {
		do(handlers[from])
		return
	}
	middle := from + 1
	for middle < to-1 && common(from, middle) < common(middle, to) {
		middle++
	}
	label := fmt.Sprintf("from%d", middle)
	CMPQ(id, U8(uint8(middle)))
	if common(from, middle) >= common(middle, to) {
		JGE(LabelRef(label))
		m.dispatch(from, middle, id, do)
		Label(label)
		m.dispatch(middle, to, id, do)
		return
	}
	JLT(LabelRef(label))
	m.dispatch(middle, to, id, do)
	Label(label)
	m.dispatch(from, middle, id, do)
}

// common is how often handlers run, roughly: sums and products in most chains, which
// all load and store, and the others now and then.
func common(from, to int) int {
	total := 0
	for _, h := range handlers[from:to] {
		switch h.name {
		case "load", "store", "add", "addScalar", "mul", "mulScalar":
			total += 8
		case "sub", "subScalar":
			total += 4
		default:
			total++
		}
	}
	return total
}
