package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

func besideName(t target) string { return "beside" + t.name }
func endsName(t target) string   { return "ends" + t.name }

// beside writes the kernel that joins rows k and m-k of lines that lie side by
// side: an untangle whose lanes are lines. Leg 1 comes nearer by two rows with
// every row.
func beside(c *build.Context, t target, done map[string]bool) {
	k := newKernel(c, t, split, split)
	b := &k.b
	a, z := k.get(0), k.get(1)
	h, wr, wi := b.load(scaleAddress{}), b.load(entryAddress{0}), b.load(entryAddress{k.size()})
	s := pair{b.add(a.re, z.re), b.sub(a.im, z.im)}
	d := pair{b.add(a.im, z.im), b.sub(z.re, a.re)}
	w := b.times(d, wr, wi)
	k.put(0, pair{b.fma(s.re, h, w.re), b.fma(s.im, h, w.im)})
	k.put(1, pair{b.fms(s.re, h, w.re), b.fnma(s.im, h, w.im)})
	if slots := allocate(b, k.emitter, 0); slots > 0 {
		panic("beside spills")
	}
	k.defineConsts(done)
	k.begin(besideName(t), 0, 2, 2)
	k.overRows(func() {
		ax := scratchReg
		for side := range 2 {
			c.MOVQ(k.local([2]int{rowStepFrom, rowStepTo}[side]), ax)
			c.ADDQ(ax, ax)
			c.SUBQ(ax, strides[side][0])
		}
		c.ADDQ(operand.U32(2*k.size()), tableReg)
	})
	k.end()
}

// ends writes the kernel that adds and subtracts two planes.
func ends(c *build.Context, t target, done map[string]bool) {
	k := newKernel(c, t, split, split)
	x := k.get(0)
	k.put(0, pair{k.b.add(x.re, x.im), k.b.sub(x.re, x.im)})
	if slots := allocate(&k.b, k.emitter, 0); slots > 0 {
		panic("ends spills")
	}
	k.defineConsts(done)
	k.begin(endsName(t), 0, 1, 1)
	k.overRows(func() {})
	k.end()
}
