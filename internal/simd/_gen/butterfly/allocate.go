package main

import "math"

// allocate walks a block once, in order, and hands machine instructions to
// the emitter. A value that must leave its register goes to a stack slot; the
// one whose next use is furthest away goes first (Belady).
type allocator struct {
	*block
	e      *emitter
	uses   [][]int // positions, per value
	at     []int   // register per value, or -1
	slot   []int   // stack slot per value, or -1
	holds  []int   // value per register, or -1
	locked []bool  // registers in use by the current instruction
	pinned int     // registers at the end that hold constants throughout
	slots  []bool  // slot taken
	pos    int
	cache  *cache // or nil
}

// allocate emits the block and returns the number of stack slots it needs.
// The last pinned registers are left alone.
func allocate(b *block, e *emitter, pinned int) int {
	a := &allocator{block: b, e: e, pinned: pinned, cache: newCache(b)}
	a.uses = make([][]int, b.values)
	a.at, a.slot = fill(b.values), fill(b.values)
	a.holds = fill(b.regs - pinned)
	a.locked = make([]bool, b.regs-pinned)
	for pos, i := range b.code {
		for _, v := range i.in {
			a.uses[v] = append(a.uses[v], pos)
		}
	}
	for pos, i := range b.code {
		a.pos = pos
		a.step(i)
	}
	return len(a.slots)
}

func fill(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// next is the position of the first use of v after the current instruction.
func (a *allocator) next(v value) int {
	for _, u := range a.uses[v] {
		if u > a.pos {
			return u
		}
	}
	return math.MaxInt
}

func (a *allocator) dies(v value) bool { return a.next(v) == math.MaxInt }

// take frees a register and locks it.
func (a *allocator) take() int {
	if r := a.empty(); r >= 0 {
		if a.cache != nil {
			a.cache.holds[r] = nil
		}
		a.locked[r] = true
		return r
	}
	best, bestUse := -1, -1
	for r, v := range a.holds {
		if a.locked[r] {
			continue
		}
		// A value used by this very instruction is locked by the caller.
		if u := a.next(value(v)); u > bestUse {
			best, bestUse = r, u
		}
	}
	if best < 0 {
		panic("allocate: an instruction needs more registers than there are")
	}
	a.spill(best)
	a.locked[best] = true
	return best
}

func (a *allocator) spill(r int) {
	v := a.holds[r]
	if a.slot[v] < 0 {
		a.slot[v] = a.freeSlot()
		a.e.spill(a.slot[v], r)
	}
	a.holds[r], a.at[v] = -1, -1
}

func (a *allocator) freeSlot() int {
	for s, taken := range a.slots {
		if !taken {
			a.slots[s] = true
			return s
		}
	}
	a.slots = append(a.slots, true)
	return len(a.slots) - 1
}

// bring makes sure v is in a register, and locks it.
func (a *allocator) bring(v value) int {
	if a.at[v] < 0 {
		if a.slot[v] < 0 {
			panic("allocate: value used before it is made")
		}
		r := a.take()
		a.e.reload(r, a.slot[v])
		a.at[v], a.holds[r] = r, int(v)
	}
	a.locked[a.at[v]] = true
	return a.at[v]
}

// release ends the values that have no further use, and all locks.
func (a *allocator) release(ins []value) {
	for _, v := range ins {
		if a.dies(v) {
			if r := a.at[v]; r >= 0 {
				a.holds[r], a.at[v] = -1, -1
			}
			if s := a.slot[v]; s >= 0 {
				a.slots[s], a.slot[v] = false, -1
			}
		}
	}
	for r := range a.locked {
		a.locked[r] = false
	}
}

// define puts v into register r.
func (a *allocator) define(v value, r int) { a.at[v], a.holds[r] = r, int(v) }

// reuse picks a register for the result: one of the dying inputs if there is
// one, else a free one.
func (a *allocator) reuse(ins []value) int {
	for _, v := range ins {
		if a.dies(v) && a.at[v] >= 0 {
			return a.at[v]
		}
	}
	return a.take()
}

func (a *allocator) step(i instruction) {
	switch i.kind {
	case load:
		r := a.take()
		a.e.load(r, i.mem)
		a.release(nil)
		a.define(i.out[0], r)
	case gathered:
		r := a.take()
		a.e.gathered(r, i.mem, i.more)
		a.release(nil)
		a.define(i.out[0], r)
	case collected:
		r := a.take()
		a.e.collected(r, i.parts)
		a.release(nil)
		a.define(i.out[0], r)
	case scattered:
		r := a.bring(i.in[0])
		a.e.scattered(i.mem, i.more, r)
		a.release(i.in)
	case store:
		r := a.bring(i.in[0])
		a.e.store(i.mem, r)
		a.release(i.in)
	case piece:
		r := a.bring(i.in[0])
		a.e.piece(i.mem, r, i.imm)
		a.release(i.in)
	case halfway:
		r := a.bring(i.in[0])
		a.e.half(i.mem, r, i.imm)
		a.release(i.in)
	case loadLowest:
		r := a.take()
		a.e.op("VMOVS"+a.e.suffix()[1:], a.e.resolve(i.mem), xmm[r])
		a.release(nil)
		a.define(i.out[0], r)
	case lowest:
		r := a.bring(i.in[0])
		a.e.op("VMOVS"+a.e.suffix()[1:], xmm[r], a.e.resolve(i.mem))
		a.release(i.in)
	case binary, shuffle:
		x := a.bring(i.in[0])
		// A spilled second operand that is not needed again is read in place.
		if y := i.in[1]; a.at[y] < 0 && a.dies(y) {
			r := a.reuse(i.in[:1])
			a.e.spilledOperand(i, r, x, a.slot[y])
			a.release(i.in)
			a.define(i.out[0], r)
			return
		}
		y := a.bring(i.in[1])
		r := a.reuse(i.in)
		a.e.binary(i, r, x, y)
		a.release(i.in)
		a.define(i.out[0], r)
	case binaryM, unary:
		x := a.bring(i.in[0])
		c := a.constant(i)
		r := a.reuse(i.in)
		if c >= 0 {
			a.e.binary(instruction{kind: binary, op: i.op}, r, x, c)
		} else {
			a.e.unary(i, r, x)
		}
		a.release(i.in)
		a.define(i.out[0], r)
	case fusedM:
		x, acc := a.bring(i.in[0]), a.bring(i.in[1])
		c := a.constant(i)
		fused := func(form string, y, r int) {
			if c >= 0 {
				a.e.fusedRegs(i.op+form, c, y, r)
			} else {
				a.e.fused(i.op+form, i.mem, y, r)
			}
		}
		var r int
		switch {
		case a.dies(i.in[1]):
			r = acc
			fused("231", x, r)
		case a.dies(i.in[0]) && !a.neon:
			r = x
			fused("132", acc, r)
		default:
			r = a.take()
			a.e.move(r, acc)
			fused("231", x, r)
		}
		a.release(i.in)
		a.define(i.out[0], r)
	case fused:
		x, y, acc := a.bring(i.in[0]), a.bring(i.in[1]), a.bring(i.in[2])
		var r int
		switch {
		case a.dies(i.in[2]):
			r = acc
			a.e.fusedRegs(i.op+"231", y, x, r)
		case a.dies(i.in[0]) && !a.neon: // whose fused instructions add to their result
			r = x
			a.e.fusedRegs(i.op+"213", acc, y, r)
		case a.dies(i.in[1]) && !a.neon:
			r = y
			a.e.fusedRegs(i.op+"213", acc, x, r)
		default:
			r = a.take()
			a.e.move(r, acc)
			a.e.fusedRegs(i.op+"231", y, x, r)
		}
		a.release(i.in)
		a.define(i.out[0], r)
	case chosen:
		x, y := a.bring(i.in[0]), a.bring(i.in[1])
		r := a.take()
		a.e.load(r, i.mem)
		a.e.op("VPERMI2PD", a.e.vec(y), a.e.vec(x), a.e.vec(r))
		a.release(i.in)
		a.define(i.out[0], r)
	case select2:
		x, y := a.bring(i.in[0]), a.bring(i.in[1])
		r := x
		if !a.dies(i.in[0]) {
			r = a.take()
			a.e.move(r, x)
		}
		a.e.select2(i.index, r, y)
		a.release(i.in)
		a.define(i.out[0], r)
	case inplace:
		regs := make([]int, len(i.in))
		for k, v := range i.in {
			if !a.dies(v) {
				panic("allocate: value used after an in-place change")
			}
			regs[k] = a.bring(v)
		}
		temps := make([]int, i.temps)
		for k := range temps {
			temps[k] = a.take()
		}
		i.emit(a.e, regs, temps)
		a.release(i.in)
		for k, v := range i.out {
			a.define(v, regs[k])
		}
	}
}
