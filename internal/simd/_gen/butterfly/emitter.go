package main

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// General registers of every kernel. There is no other allocation: a kernel
// keeps its counters and row pointers on the stack.
var (
	scratchReg = reg.RAX
	tableReg   = reg.RDX
	spillReg   = reg.R15
	// planes[side][plane] points at leg 0 of the current butterfly.
	planes = [2][2]reg.Register{{reg.R8, reg.R9}, {reg.R10, reg.R11}}
	// strides[side] are 1, 3, 5 and 7 times the bytes from leg to leg.
	strides = [2][4]reg.Register{{reg.RSI, reg.R12, reg.R13, reg.RBX}, {reg.RDI, reg.R14, reg.RBP, reg.RCX}}
)

// The sides of a kernel.
const (
	from = 0
	to   = 1
)

// emitter turns allocated instructions into machine code. Instructions are
// kept until the frame is known, then played into the avo context.
type emitter struct {
	target
	ctx    *build.Context
	queue  []func()
	labels int
	consts map[float64]bool
	// alternating are constants with the other sign in odd lanes.
	alternating map[float64]bool
	// signed are the same as whole vectors.
	signed map[float64]bool
	// masks are the mask registers of loads and stores, per side and half of an
	// interleaved pair of vectors; nil for whole vectors.
	masks *[2][2]reg.Register
	// inScratch is the row whose offset the scratch register holds.
	inScratch rowAddress
	// patterned says that instructions read the table of patterns.
	patterned bool
}

// mask is the mask register of an address, or nil.
func (e *emitter) mask(a address) reg.Register {
	leg, ok := a.(legAddress)
	if e.masks == nil || !ok {
		return nil
	}
	return e.masks[leg.side][min(1, leg.disp)]
}

func (e *emitter) later(f func()) { e.queue = append(e.queue, f) }

// op adds an instruction by name, in Go operand order.
func (e *emitter) op(name string, ops ...operand.Op) {
	e.later(func() { e.now(name, ops...) })
}

func (e *emitter) now(name string, ops ...operand.Op) {
	m := reflect.ValueOf(e.ctx).MethodByName(name)
	if !m.IsValid() {
		panic("no instruction " + name)
	}
	args := make([]reflect.Value, len(ops))
	for i, o := range ops {
		args[i] = reflect.ValueOf(o)
	}
	m.Call(args)
}

func (e *emitter) label() string {
	e.labels++
	return fmt.Sprintf("l%d", e.labels)
}

func (e *emitter) mark(label string) { e.later(func() { e.ctx.Label(label) }) }

// broadcast says whether a memory operand of the address is one component
// that the instruction spreads.
func (e *emitter) broadcast(a address) string {
	switch a.(type) {
	case constAddress, entryAddress:
		if e.spreads() {
			return "_BCST"
		}
	}
	return ""
}

// resolve gives the memory operand of an address; it may first compute part
// of it in the scratch register.
func (e *emitter) resolve(a address) operand.Mem {
	switch a := a.(type) {
	case constAddress:
		e.consts[a.value] = true
		return operand.NewDataAddr(operand.NewStaticSymbol(e.constName(a.value)), 0)
	case alternatingAddress:
		e.alternating[a.value] = true
		return operand.NewDataAddr(operand.NewStaticSymbol("alternating"+e.constName(a.value)), 0)
	case signedAddress:
		e.signed[a.value] = true
		return operand.NewDataAddr(operand.NewStaticSymbol("signed"+e.constName(a.value)), 0)
	case patternAddress:
		if at := slices.Index(patterns, a.name); e.wide() && at >= 0 {
			e.patterned = true
			return operand.Mem{Base: patternReg, Disp: 2 * e.bytes * at}
		}
		return operand.NewDataAddr(operand.NewStaticSymbol(a.name), 0)
	case tableAddress:
		return operand.Mem{Base: tableReg, Disp: a.disp}
	case entryAddress:
		return operand.Mem{Base: tableReg, Disp: a.disp}
	case halfTableAddress:
		return operand.Mem{Base: tableReg, Disp: a.disp}
	case spreadAddress:
		return operand.Mem{Base: tableReg, Disp: a.disp}
	case bufferAddress:
		return operand.Mem{Base: bufferReg, Disp: a.disp}
	case joinAddress:
		return operand.Mem{Base: joinReg, Disp: a.disp}
	case nearAddress:
		return operand.Mem{Base: planes[from][a.plane], Index: nearReg, Scale: 1}
	case farAddress:
		return operand.Mem{Base: planes[from][a.plane], Index: farReg, Scale: 1}
	case afterAddress:
		return operand.Mem{Base: planes[from][a.plane], Index: afterReg, Scale: 1}
	case carriedAddress:
		return operand.Mem{Base: spillReg, Disp: a.plane * e.bytes}
	case registerAddress:
		return operand.Mem{Base: a.base, Disp: a.disp}
	case legAddress:
		return e.leg(a)
	case firstAddress:
		return e.legs(tableReg, strides[from], a.leg, 0) // the legs of the source are side by side
	case rowAddress:
		return e.row(a)
	case localAddress:
		return operand.Mem{Base: reg.StackPointer, Disp: a.disp}
	case scaleAddress:
		return operand.Mem{Base: reg.StackPointer, Disp: scale}
	case factorAddress:
		e.op("MOVQ", operand.Mem{Base: reg.StackPointer, Disp: factors}, scratchReg)
		return operand.Mem{Base: scratchReg, Disp: a.disp}
	}
	panic("unknown address")
}

func (e *emitter) leg(a legAddress) operand.Mem {
	return e.legs(planes[a.side][a.plane], strides[a.side], a.leg, a.disp)
}

// legs is the memory of a leg of what begins at base.
func (e *emitter) legs(base reg.Register, step [4]reg.Register, leg, disp int) operand.Mem {
	if leg == 0 {
		return operand.Mem{Base: base, Disp: disp}
	}
	for leg > 8 && leg%2 == 1 || leg >= 16 {
		e.op("LEAQ", operand.Mem{Base: base, Index: step[0], Scale: 8}, scratchReg)
		base, leg = scratchReg, leg-8
	}
	scale := 1
	for leg%2 == 0 {
		leg, scale = leg/2, scale*2
	}
	return operand.Mem{Base: base, Index: step[leg/2], Scale: uint8(scale), Disp: disp}
}

func (e *emitter) constName(v float64) string {
	if e.bits == 32 {
		return fmt.Sprintf("c%08x", math.Float32bits(float32(v)))
	}
	return fmt.Sprintf("c%016x", math.Float64bits(v))
}

// defineConsts writes the constants that were used: one component where
// instructions can spread it, else a whole vector.
func (e *emitter) defineConsts(done map[string]bool) {
	copies := 1
	if !e.wide() && !e.neon {
		copies = ymmBytes / e.size()
	}
	for _, v := range sortedKeys(e.consts) {
		name := e.constName(v)
		if done[name] {
			continue
		}
		done[name] = true
		e.ctx.StaticGlobal(name)
		e.ctx.DataAttributes(attr.RODATA | attr.NOPTR)
		for range copies {
			e.datum(v)
		}
	}
	for _, v := range sortedKeys(e.signed) {
		name := "signed" + e.constName(v)
		if done[name] {
			continue
		}
		done[name] = true
		var both []float64
		for range ymmBytes / e.size() / 2 {
			both = append(both, v, -v)
		}
		e.pattern(name, both)
	}
}

// defineAlternating writes those with alternating signs: two components, which a load spreads.
func (e *emitter) defineAlternating(done map[string]bool) {
	for _, v := range sortedKeys(e.alternating) {
		name := "alternating" + e.constName(v)
		if done[name] {
			continue
		}
		done[name] = true
		e.ctx.StaticGlobal(name)
		e.ctx.DataAttributes(attr.RODATA | attr.NOPTR)
		e.datum(v)
		e.datum(-v)
	}
}

// datum appends a component to the current global, as bits: the assembler
// takes a float without a fraction for an integer.
func (e *emitter) datum(v float64) {
	if e.bits == 32 {
		e.ctx.AppendDatum(operand.U32(math.Float32bits(float32(v))))
	} else {
		e.ctx.AppendDatum(operand.U64(math.Float64bits(v)))
	}
}

func (e *emitter) slot(i int) operand.Mem {
	return operand.Mem{Base: spillReg, Disp: i * e.slotBytes()}
}

// slotBytes is what a register takes on the stack.
func (t target) slotBytes() int { return max(t.bytes, 16) }

// moves is the instruction that takes vectors from and to memory.
func (t target) moves() string {
	switch {
	case t.lanes() == 1:
		return "VMOV" + t.suffix()
	case t.bytes == 8:
		return "VMOVSD"
	}
	return "VMOVUPS"
}

func (e *emitter) spill(slot, r int)  { e.op("VMOVUPS", e.vec(r), e.slot(slot)) }
func (e *emitter) reload(r, slot int) { e.op("VMOVUPS", e.slot(slot), e.vec(r)) }
func (e *emitter) move(to, from int)  { e.op("VMOVAPS", e.vec(from), e.vec(to)) }

func (e *emitter) load(r int, a address) {
	switch a := a.(type) {
	case factorAddress, scaleAddress, entryAddress:
		e.broadcastTo(e.resolve(a), r)
		return
	case spreadAddress:
		e.op([...]string{"VMOVSLDUP", "VMOVSHDUP"}[a.part], e.resolve(a), e.vec(r))
		return
	case halfTableAddress:
		e.op("VBROADCASTF64X4", e.resolve(a), e.vec(r))
		return
	case alternatingAddress:
		e.op("VBROADCASTSD", e.resolve(a), e.vec(r)) // two components of 32 bits
		return
	case zeroAddress:
		x := xmm[r]
		if r >= 16 {
			e.op("VPXORD", e.vec(r), e.vec(r), e.vec(r))
		} else {
			e.op("VPXOR", x, x, x)
		}
		return
	}
	if m := e.mask(a); m != nil {
		e.op("VMOVU"+e.suffix()+"_Z", e.resolve(a), m, e.vec(r))
		return
	}
	e.op(e.moves(), e.resolve(a), e.vec(r))
}

func (e *emitter) store(a address, r int) {
	if m := e.mask(a); m != nil {
		e.op("VMOVU"+e.suffix(), e.vec(r), m, e.resolve(a))
		return
	}
	e.op(e.moves(), e.vec(r), e.resolve(a))
}

// gathered loads a vector as two halves.
func (e *emitter) gathered(r int, low, high address) {
	if e.bytes == 16 {
		e.op("VMOVSD", e.resolve(low), e.vec(r))
		e.op("VMOVHPS", e.resolve(high), e.vec(r), e.vec(r))
		return
	}
	if e.wide() {
		e.op("VMOVUPS", e.resolve(low), ymm[r])
		e.op("VINSERTF64X4", operand.U8(1), e.resolve(high), e.vec(r), e.vec(r))
		return
	}
	e.op("VMOVUPS", e.resolve(low), xmm[r])
	e.op("VINSERTF128", operand.U8(1), e.resolve(high), e.vec(r), e.vec(r))
}

// collected loads a wide vector as quarters.
func (e *emitter) collected(r int, parts []address) {
	e.op("VMOVUPS", e.resolve(parts[0]), xmm[r])
	for i, a := range parts[1:] {
		e.op("VINSERTF32X4", operand.U8(i+1), e.resolve(a), e.vec(r), e.vec(r))
	}
}

// scattered is the reverse of gathered.
func (e *emitter) scattered(low, high address, r int) {
	if e.bits == 32 {
		e.op("VMOVSD", e.vec(r), e.resolve(low))
		e.op("VMOVHPS", e.vec(r), e.resolve(high))
		return
	}
	e.op("VMOVUPD", xmm[r], e.resolve(low))
	e.op("VEXTRACTF128", operand.U8(1), e.vec(r), e.resolve(high))
}

func (e *emitter) piece(a address, r, lane int) {
	m := e.resolve(a)
	switch {
	case lane == 0:
		e.op("VMOVUPS", xmm[r], m)
	case !e.wide():
		e.op("VEXTRACTF128", operand.U8(lane), e.vec(r), m)
	default:
		e.op("VEXTRACTF32X4", operand.U8(lane), e.vec(r), m)
	}
}

func (e *emitter) half(a address, r, half int) {
	m := e.resolve(a)
	if half == 0 {
		e.op("VMOVUPS", ymm[r], m)
		return
	}
	e.op("VEXTRACTF64X4", operand.U8(1), e.vec(r), m)
}

func (e *emitter) binary(i instruction, r, x, y int) {
	if i.kind == binary {
		e.op(i.op+e.suffix(), e.vec(y), e.vec(x), e.vec(r))
		return
	}
	e.shuffle(i, e.vec(y), x, r)
}

func (e *emitter) shuffle(i instruction, y operand.Op, x, r int) {
	if i.imm < 0 {
		e.op(i.op, y, e.vec(x), e.vec(r))
	} else {
		e.op(i.op, operand.U8(i.imm), y, e.vec(x), e.vec(r))
	}
}

// spilledOperand is binary with the second operand on the stack.
func (e *emitter) spilledOperand(i instruction, r, x, slot int) {
	if i.kind == binary {
		e.op(i.op+e.suffix(), e.slot(slot), e.vec(x), e.vec(r))
		return
	}
	e.shuffle(i, e.slot(slot), x, r)
}

func (e *emitter) unary(i instruction, r, x int) {
	if i.kind == binaryM {
		m := e.resolve(i.mem)
		e.op(i.op+e.suffix()+e.broadcast(i.mem), m, e.vec(x), e.vec(r))
		return
	}
	if i.imm < 0 {
		e.op(i.op, e.vec(x), e.vec(r))
		return
	}
	e.op(i.op, operand.U8(i.imm), e.vec(x), e.vec(r))
}

func (e *emitter) fused(op string, a address, x, r int) {
	m := e.resolve(a)
	e.op(op+e.suffix()+e.broadcast(a), m, e.vec(x), e.vec(r))
}

func (e *emitter) fusedRegs(op string, z, y, r int) {
	e.op(op+e.suffix(), e.vec(z), e.vec(y), e.vec(r))
}

// select2 overwrites r with lanes of r and y, by the index in a pinned
// register.
func (e *emitter) select2(index, r, y int) {
	e.op("VPERMT2"+e.suffix(), e.vec(y), e.vec(index), e.vec(r))
}
