package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The first stage of the way back tangles the bins that it loads. A vector of interleaved bins and that of
// their mirrored ones, which begins a bin off, make one vector of the half line. Both are loaded twice, once
// for each, which takes 8 instructions that compute or shuffle for 8 bins.

// mirroredReg points at the mirrored bins of the current columns.
var mirroredReg = reg.RCX

// backwardsIndex is pinned: the index that turns the order of complex numbers round.
const backwardsIndex = indexEven

// defineBackwards writes that index, in words of 64 bits.
func defineBackwards(e *emitter) {
	var index []int
	for i := range e.lanes() / 2 {
		index = append(index, e.lanes()/2-1-i, 0)
	}
	e.indices("backwards", index)
	conjugate := make([]float64, e.lanes())
	for i := range conjugate {
		conjugate[i] = float64(1 - i%2*2)
	}
	e.pattern("conjugate", conjugate)
}

// spreadAddress is a vector of the table, one component of each complex number spread over both.
type spreadAddress struct{ disp, part int }

func (spreadAddress) isAddress() {}

// tangledRow is the vector of the half line at an offset of the source, with components exchanged: a
// forward transform is an inverse one if they are on both sides. With s and d the sum and difference of bins
// and conjugates of mirrored ones, it is s + i*w*d, and roots w are in the table.
func (k *kernel) tangledRow(at, table int) value {
	b := &k.b
	a, z := b.load(legAddress{from, 1, 0, at}), b.load(registerAddress{mirroredReg, -at})
	z = b.inplace(0, func(e *emitter, r, _ []int) {
		e.op("VPERMPD", e.vec(r[0]), e.vec(backwardsIndex), e.vec(r[0]))
	}, z)[0]
	if at == 0 {
		// The first and the last bin of the line are real.
		v := b.inplace(0, func(e *emitter, r, _ []int) {
			for _, v := range r {
				e.op("VMOVAPS_Z", e.vec(v), reg.K1, e.vec(v))
			}
		}, a, z)
		a, z = v[0], v[1]
	}
	across, mirrored := b.crossed(a), b.crossed(z)
	d := b.fmsM(a, patternAddress{"conjugate"}, z) // conjugate
	crossed := b.alternate("VFMSUBADD", across, 1, mirrored)
	s := b.alternate("VFMADDSUB", across, 1, mirrored)
	s = b.fma(d, b.load(spreadAddress{table, 0}), s)
	return b.fnma(crossed, b.load(spreadAddress{table, 1}), s)
}

// beginTangled points at the mirrored bins of the first columns, and masks the imaginary part of the first.
func (d deep) beginTangled(k *kernel) {
	c, n := k.ctx, d.columns()*k.lanes()
	c.LEAQ(operand.Mem{Base: planes[from][0], Disp: 2 * k.size() * (n - k.lanes()/2 + 1)}, mirroredReg)
	c.MOVQ(operand.U32(1<<k.lanes()-1-2), scratchReg)
	c.KMOVW(scratchReg.As32(), reg.K1)
}

func (d deep) nextTangled(k *kernel) {
	k.ctx.SUBQ(operand.U32(2*k.bytes), mirroredReg)
	k.ctx.KXNORW(reg.K1, reg.K1, reg.K1)
}
