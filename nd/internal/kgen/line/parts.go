package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// source gives the inputs of a transform at a cell. Two neighbours of a real
// line are one number.
type source func(at cell) []number

// readKept is read that keeps what it loads for the transform that follows.
func (k *kernel) readKept(slot ir.SlotID, o ir.Operand, c cell) []kgen.Num {
	k.keeps = true
	v := k.read(slot, o, c)
	k.keeps = false
	return v
}

// prepare puts the barriers that a stage's loop needs before it.
func (k *kernel) prepare(s ir.Stage) {
	for _, slot := range s.Reads {
		k.announce(slot)
	}
	for _, slot := range s.Writes {
		if h, ok := k.homes[slot]; ok {
			k.guard.beforeWrite(h.name)
		}
	}
}

// announce is the barrier before a slot is read.
func (k *kernel) announce(slot ir.SlotID) {
	if m, ok := k.virtual[slot]; ok {
		for _, s := range k.p.Stages[m].Reads {
			k.announce(s)
		}
	}
	if h, ok := k.homes[slot]; ok {
		k.guard.beforeRead(h.name)
	}
}

// loop is a loop of the line's threads over n elements.
func (k *kernel) loop(n int, f func(at cell)) { k.unrolled(n, 0, f) }

func (k *kernel) unrolled(n, unroll int, f func(at cell)) {
	k.guard.quietly(func() {
		k.For("i", k.t, n, k.threads, unroll, func(i build.Val) { f(one(place{at: i})) })
	})
}

// sink takes a result of a transform.
type sink func(at cell, v []number)
