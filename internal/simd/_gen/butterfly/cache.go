package main

import (
	"math"
	"slices"
)

// cache keeps constants and entries of tables in registers that hold no value. Kernels of
// sixteen registers spill so much that the ports of loads decide how fast they are: a
// constant that two instructions read is loaded once. It is dropped, not spilled, when a value
// needs the register.
type cache struct {
	holds []address         // per register, nil for none
	uses  map[address][]int // positions
}

// newCache is nil for targets with many registers, most of which are wide enough to spread
// constants as they read them.
func newCache(b *block) *cache {
	if b.bytes != ymmBytes {
		return nil
	}
	c := &cache{make([]address, b.regs), map[address][]int{}}
	for pos, i := range b.code {
		if readsConstant(i) {
			c.uses[i.mem] = append(c.uses[i.mem], pos)
		}
	}
	return c
}

// readsConstant says that arithmetic reads what no instruction of the block changes.
func readsConstant(i instruction) bool {
	if i.kind != binaryM && i.kind != fusedM {
		return false
	}
	switch i.mem.(type) {
	case constAddress, signedAddress, patternAddress, tableAddress:
		return true
	}
	return false
}

// next is the first use of an address after a position.
func (c *cache) next(m address, pos int) int {
	for _, u := range c.uses[m] {
		if u > pos {
			return u
		}
	}
	return math.MaxInt
}

// empty is the register without a value whose constant is used last, if it has one, or -1.
func (a *allocator) empty() int {
	best, bestUse := -1, -1
	for r, v := range a.holds {
		if v >= 0 || a.locked[r] {
			continue
		}
		use := math.MaxInt
		if a.cache != nil {
			use = a.cache.next(a.cache.holds[r], a.pos)
		}
		if use > bestUse {
			best, bestUse = r, use
		}
	}
	return best
}

// constant is the register that keeps what an instruction reads, locked; -1 if it has to read
// memory.
func (a *allocator) constant(i instruction) int {
	c := a.cache
	if c == nil || !readsConstant(i) {
		return -1
	}
	r := slices.Index(c.holds, i.mem)
	if r < 0 {
		r = a.empty()
		if again := c.next(i.mem, a.pos); r < 0 || again >= c.next(c.holds[r], a.pos) {
			return -1
		}
		c.holds[r] = i.mem
		a.e.load(r, i.mem)
	}
	a.locked[r] = true
	return r
}
