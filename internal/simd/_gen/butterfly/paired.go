package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// Paired kernels transform two lines at once whose lead has half the lanes: half of every
// vector is one line, the other half the other. Between the lead and the last pass both are
// one line of whole vectors.

func pairedLeadName(t target) string { return "pairedLead" + t.name }

func pairedName(t target, radix int) string { return fmt.Sprintf("paired%d%s", radix, t.name) }

// halfTableAddress is half a vector of the twiddle table, for each of two lines.
type halfTableAddress struct{ disp int }

func (halfTableAddress) isAddress() {}

// pairedLead writes the lead of two lines.
func pairedLead(c *build.Context, t target, done map[string]bool) {
	k := newKernel(c, t, interleaved, split)
	k.turns, k.pairs, k.paired[from] = true, "linePairs", true
	radix := t.lanes() / 2
	var planesOut [2]*transposed
	for plane := range planesOut {
		planesOut[plane] = newTransposed(&k.b, radix, func(col, disp int) address { return legAddress{to, plane, 0, col*t.bytes + disp} })
		planesOut[plane].paired = true
	}
	k.b.dft(radix, k.get, func(j int, p pair) {
		if j > 0 {
			at := (j - 1) * t.bytes
			p = k.b.times(p, k.b.load(halfTableAddress{at}), k.b.load(halfTableAddress{at + t.bytes/2}))
		}
		planesOut[0].row(j, p.re)
		planesOut[1].row(j, p.im)
	})
	slots := allocate(&k.b, k.emitter, k.pinned())
	k.defineConsts(done)
	k.begin(pairedLeadName(t), slots, radix, 1)
	k.overColumns(radix, func() {}, func() {
		c.ADDQ(operand.U32((radix-1)*t.bytes), tableReg)
	}, func() {
		k.moveBack(from, k.unit(from))
		k.moveBack(to, t.bytes)
	})
	k.end()
}

// paired writes the last pass of two lines over rows of one vector.
func paired(c *build.Context, t target, radix int, done map[string]bool) {
	k := newKernel(c, t, split, interleaved)
	k.paired[to] = true
	k.b.dft(radix, k.get, func(j int, p pair) { k.put(j, k.finish(0, p)) })
	slots := allocate(&k.b, k.emitter, k.pinned())
	k.defineConsts(done)
	k.begin(pairedName(t, radix), slots, radix, radix)
	k.overRows(func() {})
	k.end()
}

// definePaired writes the index vectors that join two groups of a transpose of two lines:
// lanes 0 and 2 of both in turn, then lanes 1 and 3.
func definePaired(e *emitter) {
	n, per := e.lanes(), e.perLane()
	var all [2][]int
	for lane := range 4 {
		for half := range 2 {
			for i := range per {
				all[lane%2] = append(all[lane%2], half*n+lane*per+i)
			}
		}
	}
	e.indices("linePairs", all[:]...)
}
