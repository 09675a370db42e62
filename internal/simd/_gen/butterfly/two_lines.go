package main

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
)

// lineBodies are the bodies of a kernel without stages: for a line, and for two in turns if
// both have room in the registers. It also says how many slots they spill to.
func lineBodies(two bool, pinned int, done map[string]bool, empty func() *kernel, line func(k *kernel)) (bodies [2]*kernel, slots int) {
	for i := range bodies {
		k := empty()
		k.labels = 1000 * i
		var starts []int
		for k.line = range 1 + i {
			starts = append(starts, len(k.b.code))
			line(k)
		}
		k.b.inTurns(starts, 0.3)
		slots = max(slots, allocate(&k.b, k.emitter, pinned))
		k.defineConsts(done)
		bodies[i] = k
		if !two {
			break
		}
	}
	return bodies, slots
}

// twoLines is the loop over pairs of lines, with what comes after each. It leaves one line, or
// ends the kernel.
func (k *kernel) twoLines(after func()) {
	c := k.ctx
	c.SUBQ(operand.U8(1), k.local(rowsLeft))
	c.JEQ(operand.LabelRef("one"))
	c.Label("two")
	for side, step := range [2]int{rowStepFrom, rowStepTo} {
		c.MOVQ(k.local(step), planes[side][1])
		c.ADDQ(planes[side][0], planes[side][1])
	}
	k.play()
	after()
	for side, step := range [2]int{rowStepFrom, rowStepTo} {
		c.MOVQ(planes[side][1], planes[side][0])
		c.ADDQ(k.local(step), planes[side][0])
	}
	c.SUBQ(operand.U8(2), k.local(rowsLeft))
	c.JGT(operand.LabelRef("two"))
	c.JEQ(operand.LabelRef("one"))
	k.end()
	c.Label("one")
	c.MOVQ(operand.U32(1), k.local(rowsLeft))
}

// inTurns has the instructions of parts of the code, which begin at starts, in turns, each
// behind the one before by a share of a part: so the shuffles of one, which all wait for one
// port, come among the sums of another.
func (b *block) inTurns(starts []int, share float64) {
	parts := make([][]instruction, len(starts))
	left := len(b.code) - starts[0]
	lag := int(share * float64(left/len(starts)))
	for i, at := range starts {
		end := len(b.code)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		parts[i] = slices.Clone(b.code[at:end])
	}
	out := b.code[:starts[0]]
	for turn := 0; left > 0; turn++ {
		for i := range parts {
			if turn >= i*lag && len(parts[i]) > 0 {
				out, parts[i] = append(out, parts[i][0]), parts[i][1:]
				left--
			}
		}
	}
}
