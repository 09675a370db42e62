package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// loadIndex picks the index vectors of an interleaved side; RCX is 1 when the
// planes are exchanged.
func (k *kernel) loadIndex(side int) {
	c := k.ctx
	name, first, shift := k.apartName, indexEven, 6
	if side == to {
		name, first, shift = k.together, indexLow, 7
	}
	c.SHLQ(operand.U8(shift), reg.RCX)
	c.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol(name), 0), reg.RDX)
	c.ADDQ(reg.RDX, reg.RCX)
	c.VMOVUPS(operand.Mem{Base: reg.RCX}, zmm[first])
	c.VMOVUPS(operand.Mem{Base: reg.RCX, Disp: 64}, zmm[first-1])
}

// defineIndices writes the tables that loadIndex reads: components in their
// places (and, for exchanged planes, the other way round).
func defineIndices(e *emitter) {
	n := e.lanes()
	var even, odd, natural []int
	for i := range n {
		even, odd, natural = append(even, 2*i), append(odd, 2*i+1), append(natural, i)
	}
	e.indices("apart", even, odd, even)
	e.indices("together", interleaving(natural)...)
}

// interleaving is the low and the high index vector that put real and
// imaginary parts together, elements taken from the given lanes, and the same
// with the parts exchanged.
func interleaving(lanes []int) [][]int {
	n := len(lanes)
	v := make([][]int, 4)
	for i, l := range lanes {
		at := 2 * i / n
		v[at], v[2+at] = append(v[at], l, n+l), append(v[2+at], n+l, l)
	}
	return v
}

func (e *emitter) indices(name string, vectors ...[]int) {
	e.ctx.StaticGlobal(name)
	e.ctx.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, v := range vectors {
		for _, i := range v {
			if e.bits == 32 {
				e.ctx.AppendDatum(operand.U32(i))
			} else {
				e.ctx.AppendDatum(operand.U64(i))
			}
		}
	}
}

// pattern writes a constant vector of the given components.
func (e *emitter) pattern(name string, values []float64) {
	e.ctx.StaticGlobal(name)
	e.ctx.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, v := range values {
		e.datum(v)
	}
}
