package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/arm64"
	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

// Offsets of the fields of pair.Rows, and of a loop in it.
const (
	rowsRow    = 0
	rowsCol    = 8
	rowsSpans  = 16
	rowsNext   = 32
	rowsCross  = 40
	rowsInner  = 56
	rowsOuter  = 88
	loopCount  = 0
	loopRows   = 8
	loopBlocks = 16
)

var rowsFields = []files.Field{
	{Struct: "Rows", Name: "Row", Offset: rowsRow},
	{Struct: "Rows", Name: "Col", Offset: rowsCol},
	{Struct: "Rows", Name: "Spans", Offset: rowsSpans},
	{Struct: "Rows", Name: "Next", Offset: rowsNext},
	{Struct: "Rows", Name: "Cross", Offset: rowsCross},
	{Struct: "Rows", Name: "Inner", Offset: rowsInner},
	{Struct: "Rows", Name: "Outer", Offset: rowsOuter},
	{Struct: "Rows", Name: "Inner.Count", Offset: rowsInner + loopCount},
	{Struct: "Rows", Name: "Inner.Rows", Offset: rowsInner + loopRows},
	{Struct: "Rows", Name: "Inner.Blocks", Offset: rowsInner + loopBlocks},
}

func (k kernel) rowsName(factors int) string {
	return fmt.Sprintf("rows%d%s%s", factors, k.element.name, k.isa.name)
}

// planes is how many vectors an element of all lines is.
func (k kernel) planes() int {
	if k.complex {
		return 2
	}
	return 1
}

// part is the bytes of a real number.
func (k kernel) part() int { return k.size / k.planes() }

// beside is how many lines lie side by side.
func (k kernel) beside() int { return k.bytes / k.part() }

// rows is the kernel for lines that lie side by side, of one factor or of two.
func (k kernel) rows(factors int) {
	TEXT(k.rowsName(factors), NOSPLIT, "func(x, w *byte, r uintptr)")
	Doc(fmt.Sprintf("%s is a RowFactor of %d.", k.rowsName(factors), factors))
	Pragma("noescape")
	r := Load(Param("r"), GP64()).(reg.GPVirtual)
	scaled := func(offset, unit int) reg.GPVirtual {
		v := GP64()
		MOVQ(Mem{Base: r, Disp: offset}, v)
		SHLQ(U8(bits.TrailingZeros(uint(unit))), v)
		return v
	}
	kept := func(v Op) Mem {
		m := AllocLocal(8)
		MOVQ(v, m)
		return m
	}
	whole := k.planes() * k.bytes
	// steps is how far the pointers move from turn to turn of a loop.
	steps := func(loop int) (list []Mem) {
		list = append(list, kept(scaled(loop+loopRows, whole)))
		for f := range factors {
			list = append(list, kept(scaled(loop+loopBlocks+8*f, k.size)))
		}
		return list
	}
	inner, outer := steps(rowsInner), steps(rowsOuter)
	var cross []Mem
	if factors == 2 {
		cross = []Mem{kept(scaled(rowsCross, k.size)), kept(scaled(rowsCross+8, k.size))}
	}
	start := []Mem{kept(Load(Param("x"), GP64())), {}}
	first := Load(Param("w"), GP64()).(reg.GPVirtual)
	start[1] = kept(first)
	if factors == 2 {
		ADDQ(scaled(rowsNext, k.size), first)
		start = append(start, kept(first))
	}
	row, col := scaled(rowsRow, k.size), scaled(rowsCol, k.size)
	var spans []reg.GPVirtual
	for f := range factors {
		spans = append(spans, scaled(rowsSpans+8*f, whole))
	}
	left := GP64()
	MOVQ(Mem{Base: r, Disp: rowsOuter + loopCount}, left)
	turns := kept(left)

	Label("outer")
	at := make([]reg.GPVirtual, len(start))
	for i, m := range start {
		at[i] = GP64()
		MOVQ(m, at[i])
	}
	MOVQ(Mem{Base: r, Disp: rowsInner + loopCount}, left)
	Label("inner")
	if factors == 1 {
		k.mixOne(at, spans, row, col)
	} else {
		k.mixTwo(at, spans, row, col, cross)
	}
	for i, p := range at {
		ADDQ(inner[i], p)
	}
	DECQ(left)
	JNZ(LabelRef("inner"))
	for i, m := range start {
		p := GP64()
		MOVQ(outer[i], p)
		ADDQ(p, m)
	}
	DECQ(turns)
	JNZ(LabelRef("outer"))
	VZEROUPPER()
	RET()
}

// values is an element of all lines.
type values []reg.VecVirtual

func (k kernel) loadRow(m Mem) values {
	v := make(values, k.planes())
	for i := range v {
		v[i] = k.vector()
		k.move(Mem{Base: m.Base, Index: m.Index, Scale: m.Scale, Disp: m.Disp + i*k.bytes}, v[i])
	}
	return v
}

func (k kernel) storeRow(v values, m Mem) {
	for i := range v {
		k.move(v[i], Mem{Base: m.Base, Index: m.Index, Scale: m.Scale, Disp: m.Disp + i*k.bytes})
	}
}

// mixOne mixes one pair of rows.
func (k kernel) mixOne(at, spans []reg.GPVirtual, row, col reg.GPVirtual) {
	x, y := Mem{Base: at[0]}, Mem{Base: at[0], Index: spans[0], Scale: 1}
	s, t := k.mixRows(k.loadRow(x), k.loadRow(y), at[1], row, col)
	k.storeRow(s, x)
	k.storeRow(t, y)
}

// mixTwo mixes four rows by two factors.
func (k kernel) mixTwo(at, spans []reg.GPVirtual, row, col reg.GPVirtual, cross []Mem) {
	across := GP64()
	LEAQ(Mem{Base: at[0], Index: spans[1], Scale: 1}, across)
	places := []Mem{{Base: at[0]}, {Base: at[0], Index: spans[0], Scale: 1}, {Base: across}, {Base: across, Index: spans[0], Scale: 1}}
	v := make([]values, 4)
	for i, m := range places {
		v[i] = k.loadRow(m)
	}
	for f, pairs := range [2][2][2]int{{{0, 1}, {2, 3}}, {{0, 2}, {1, 3}}} {
		base := at[1+f]
		for i, p := range pairs {
			if i == 1 {
				base = GP64()
				MOVQ(cross[f], base)
				ADDQ(at[1+f], base)
			}
			v[p[0]], v[p[1]] = k.mixRows(v[p[0]], v[p[1]], base, row, col)
		}
	}
	for i, m := range places {
		k.storeRow(v[i], m)
	}
}

// mixRows is mix with a block for all lanes, and the parts of complex numbers in
// vectors of their own: the same operations in the same order.
func (k kernel) mixRows(u, v values, w, row, col reg.GPVirtual) (s, t values) {
	below := GP64()
	LEAQ(Mem{Base: w, Index: row, Scale: 1}, below)
	return k.mixRow(u, v, w, col), k.mixRow(u, v, below, col)
}

// mixRow is the sums with one row of the block.
func (k kernel) mixRow(u, v values, w, col reg.GPVirtual) values {
	if k.bytes == 16 {
		return k.mixRowElements(u, v, w, col)
	}
	spread := func(m Mem) reg.VecVirtual {
		s := k.vector()
		if k.double {
			VBROADCASTSD(m, s)
		} else {
			VBROADCASTSS(m, s)
		}
		return s
	}
	a, b := spread(Mem{Base: w}), spread(Mem{Base: w, Index: col, Scale: 1})
	if !k.complex {
		s := k.vector()
		k.mul(a, u[0], s)
		k.fma(b, v[0], s)
		return values{s}
	}
	aIm, bIm := spread(Mem{Base: w, Disp: k.part()}), spread(Mem{Base: w, Index: col, Scale: 1, Disp: k.part()})
	re, im := k.vector(), k.vector()
	k.mul(aIm, u[1], re)
	k.fma(bIm, v[1], re)
	k.fms(a, u[0], re)
	k.fma(b, v[0], re)
	k.mul(aIm, u[0], im)
	k.fma(bIm, v[0], im)
	k.fma(a, u[1], im)
	k.fma(b, v[1], im)
	return values{re, im}
}

// mixRowElements is mixRow for NEON, whose products take elements as they are.
func (k kernel) mixRowElements(u, v values, w, col reg.GPVirtual) values {
	lane, load := ".4s", VMOVSS
	if k.double {
		lane, load = ".2d", VMOVSD
	}
	number := func(m Mem) reg.VecVirtual {
		s := XMM()
		load(m, s)
		return s
	}
	by := func(op string, a, x, to reg.VecVirtual) {
		files.Add(arm64.Op(op+lane+"[]", 0, []reg.Register{x, a}, to))
	}
	a, b := number(Mem{Base: w}), number(Mem{Base: w, Index: col, Scale: 1})
	if !k.complex {
		s := XMM()
		by("fmul", a, u[0], s)
		by("fmla", b, v[0], s)
		return values{s}
	}
	aIm, bIm := number(Mem{Base: w, Disp: k.part()}), number(Mem{Base: w, Index: col, Scale: 1, Disp: k.part()})
	re, im, less := XMM(), XMM(), XMM()
	by("fmul", aIm, u[1], re)
	by("fmla", bIm, v[1], re)
	files.Add(arm64.Op("fneg"+lane, 0, []reg.Register{re}, less))
	by("fmla", a, u[0], less)
	by("fmla", b, v[0], less)
	by("fmul", aIm, u[0], im)
	by("fmla", bIm, v[0], im)
	by("fmla", a, u[1], im)
	by("fmla", b, v[1], im)
	return values{less, im}
}

// fms is to = a*b - to.
func (k kernel) fms(a, b, to Op) {
	if k.double {
		VFMSUB231PD(a, b, to)
	} else {
		VFMSUB231PS(a, b, to)
	}
}
