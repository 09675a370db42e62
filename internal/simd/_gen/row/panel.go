package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Panels are eight columns wide, and eight rows high: block of package row.
const block = 8

func (i isa) zero() reg.VecVirtual {
	v := i.vector()
	VXORPD(v, v, v)
	return v
}

// exchange swaps two rows.
func (i isa) exchange() {
	p, n := i.start("exchange", "func(x, y *float64, n int)", "Exchange, for multiples of 16 elements.", "x", "y")
	over(n, func(at reg.GPVirtual) {
		for k := range i.vectors() {
			place := func(base reg.GPVirtual) Mem { return Mem{Base: base, Index: at, Scale: 1, Disp: k * i.bytes} }
			x, y := i.vector(), i.vector()
			VMOVUPD(place(p[0]), x)
			VMOVUPD(place(p[1]), y)
			VMOVUPD(y, place(p[0]))
			VMOVUPD(x, place(p[1]))
		}
	})
	VZEROUPPER()
	RET()
}

// eliminate takes rows by turns, even ones and odd ones, each with its own largest elements: whether
// an element is larger than the one before is known later than the row is done.
func (i isa) eliminate() {
	name := "eliminate" + i.name
	TEXT(name, NOSPLIT, "func(rows *float64, stride, n, column int, keep *[8]uint64, line *[8]float64, by float64, found *[4][8]int64, magnitude, one int64)")
	Doc(name+" takes line out of n rows of eight elements, stride apart: l is by times the element in a column,",
		"of what is in keep l times line is added. found is the largest magnitudes of the columns in even rows, the",
		"pairs of rows that have them first, and those of odd rows.")
	Pragma("noescape")
	pointer := func(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
	rows, stride, n, column := pointer("rows"), pointer("stride"), pointer("n"), pointer("column")
	keep, line, found := pointer("keep"), pointer("line"), pointer("found")
	SHLQ(U8(3), stride)
	by, magnitude, one := i.broadcast("by"), i.broadcast("magnitude"), i.broadcast("one")
	groups := block * 8 / i.bytes
	pair := i.zero()
	var best, place [2][]reg.VecVirtual
	for p := range best {
		for range groups {
			best[p], place[p] = append(best[p], i.zero()), append(place[p], i.zero())
		}
	}
	fixed := func(base reg.GPVirtual, g int) reg.VecVirtual {
		v := i.vector()
		VMOVUPD(Mem{Base: base, Disp: g * i.bytes}, v)
		return v
	}
	var kept, lines []reg.VecVirtual
	if i.bytes == 64 { // others lack the registers
		kept, lines = append(kept, fixed(keep, 0)), append(lines, fixed(line, 0))
	}
	step := func(parity int) {
		l := i.vector()
		m := Mem{Base: rows, Index: column, Scale: 8}
		if i.bytes == 16 {
			VMOVDDUP(m, l)
		} else {
			VBROADCASTSD(m, l)
		}
		VMULPD(by, l, l)
		for g := range groups {
			at := Mem{Base: rows, Disp: g * i.bytes}
			x := i.vector()
			VMOVUPD(at, x)
			if i.bytes == 64 {
				VPANDQ(kept[g], x, x)
				VFMADD231PD(lines[g], l, x)
			} else {
				VANDPD(fixed(keep, g), x, x)
				VFMADD231PD(fixed(line, g), l, x)
			}
			VMOVUPD(x, at)
			b, p := best[parity][g], place[parity][g]
			if i.bytes == 64 {
				VPANDQ(magnitude, x, x)
				k := K()
				VPCMPGTQ(b, x, k)
				VMOVDQA64(x, k, b)
				VMOVDQA64(pair, k, p)
				continue
			}
			VANDPD(magnitude, x, x)
			m := i.vector()
			VPCMPGTQ(b, x, m)
			VBLENDVPD(m, x, b, b)
			VBLENDVPD(m, pair, p, p)
		}
		ADDQ(stride, rows)
	}
	Label("pairs")
	CMPQ(n, U32(2))
	JLT(LabelRef("last"))
	step(0)
	step(1)
	VPADDQ(one, pair, pair)
	SUBQ(U32(2), n)
	JMP(LabelRef("pairs"))
	Label("last")
	CMPQ(n, U32(1))
	JLT(LabelRef("done"))
	step(0)
	Label("done")
	for p := range best {
		for g := range groups {
			VMOVUPD(best[p][g], Mem{Base: found, Disp: (2*p*block)*8 + g*i.bytes})
			VMOVUPD(place[p][g], Mem{Base: found, Disp: (2*p+1)*block*8 + g*i.bytes})
		}
	}
	VZEROUPPER()
	RET()
}

// substitute has eight rows of a vector in registers.
func (i isa) substitute() {
	name := "substitute" + i.name
	TEXT(name, NOSPLIT, "func(rows *float64, stride, n int, by *[64]float64)")
	Doc(fmt.Sprintf("%s is Substitute, for multiples of %d elements.", name, block))
	Pragma("noescape")
	rows := Load(Param("rows"), GP64()).(reg.GPVirtual)
	stride := Load(Param("stride"), GP64()).(reg.GPVirtual)
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	by := Load(Param("by"), GP64()).(reg.GPVirtual)
	SHLQ(U8(3), stride)
	// Three pointers and multiples of the stride are eight rows.
	third, sixth := GP64(), GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, sixth)
	MOVQ(rows, third)
	ADDQ(sixth, third)
	ADDQ(third, sixth)
	at := [block]Mem{
		{Base: rows}, {Base: rows, Index: stride, Scale: 1}, {Base: rows, Index: stride, Scale: 2}, {Base: third},
		{Base: rows, Index: stride, Scale: 4}, {Base: third, Index: stride, Scale: 2}, {Base: sixth}, {Base: third, Index: stride, Scale: 4},
	}
	Label("turn")
	CMPQ(n, U32(1))
	JLT(LabelRef("done"))
	var x [block]reg.VecVirtual
	for r := range x {
		x[r] = i.vector()
		VMOVUPD(at[r], x[r])
	}
	spread := func(r, k int) reg.VecVirtual {
		v, m := i.vector(), Mem{Base: by, Disp: (r*block + k) * 8}
		if i.bytes == 16 {
			VMOVDDUP(m, v)
		} else {
			VBROADCASTSD(m, v)
		}
		return v
	}
	for k := range x {
		VMULPD(spread(k, k), x[k], x[k])
		VMOVUPD(x[k], at[k])
		for r := k + 1; r < block; r++ {
			VFMADD231PD(spread(r, k), x[k], x[r])
		}
	}
	for _, p := range []reg.GPVirtual{rows, third, sixth} {
		ADDQ(U32(uint32(i.bytes)), p)
	}
	SUBQ(U32(uint32(i.bytes/8)), n)
	JMP(LabelRef("turn"))
	Label("done")
	VZEROUPPER()
	RET()
}
