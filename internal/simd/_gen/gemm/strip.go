package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// strip packs rows to one or two vectors.
func strip(i isa, vectors int) {
	width := vectors * i.bytes / 4
	name := fmt.Sprintf("strip%d%s", vectors, i.name)
	TEXT(name, NOSPLIT, "func(dst, src *float32, stride, rows, cols int)")
	Doc(fmt.Sprintf("%s is, for p < rows and j < %d,", name, width),
		fmt.Sprintf("dst[p*%d+j] = src[p*stride+j] if j < cols, else 0.", width))
	copyRows(i, vectors, false)
}

// squeeze packs rows that are at most two vectors wide, without gaps.
func squeeze(i isa) {
	name := "squeeze" + i.name
	TEXT(name, NOSPLIT, "func(dst, src *float32, stride, rows, cols int)")
	most := fmt.Sprintf(", which is at most %d,", 2*i.bytes/4)
	if i.neon {
		most = ","
	}
	Doc(fmt.Sprintf("%s is, for p < rows and j < cols%s", name, most),
		"dst[p*cols+j] = src[p*stride+j].")
	copyRows(i, 2, true)
}

// copyRows is the loop over rows. It counts in float32; a float64 is two of
// them. Squeezed, only what exists is written.
func copyRows(i isa, vectors int, squeezed bool) {
	lanes := i.bytes / 4
	Pragma("noescape")
	dst := Load(Param("dst"), GP64()).(reg.GPVirtual)
	src := Load(Param("src"), GP64()).(reg.GPVirtual)
	stride := Load(Param("stride"), GP64()).(reg.GPVirtual)
	rows := Load(Param("rows"), GP64()).(reg.GPVirtual)
	cols := Load(Param("cols"), GP64()).(reg.GPVirtual)
	SHLQ(U8(2), stride)
	if i.neon {
		copyElements(i, vectors, squeezed, dst, src, stride, rows, cols)
		return
	}
	masks := make([]reg.Register, vectors)
	if i.bytes == 64 {
		bits := GP64()
		MOVQ(I32(-1), bits)
		BZHIQ(cols, bits, bits)
		for v := range masks {
			k := K()
			KMOVW(bits.As32(), k)
			masks[v] = k
			SHRQ(U8(uint8(lanes)), bits)
		}
	} else {
		for v := range masks {
			masks[v] = window(f32, cols, (v+1)*lanes)
		}
	}
	Label("row")
	TESTQ(rows, rows)
	JLE(LabelRef("done"))
	for v, m := range masks {
		x := i.vector()
		from, to := Mem{Base: src, Disp: v * i.bytes}, Mem{Base: dst, Disp: v * i.bytes}
		if i.bytes == 64 {
			VMOVUPS_Z(from, m, x)
		} else {
			VMASKMOVPS(from, m, x)
		}
		switch {
		case !squeezed:
			VMOVUPS(x, to)
		case i.bytes == 64:
			VMOVUPS(x, m, to)
		default:
			VMASKMOVPS(x, m, to)
		}
	}
	ADDQ(stride, src)
	if squeezed {
		LEAQ(Mem{Base: dst, Index: cols, Scale: 4}, dst)
	} else {
		ADDQ(U32(uint32(vectors*i.bytes)), dst)
	}
	DECQ(rows)
	JMP(LabelRef("row"))
	Label("done")
	VZEROUPPER()
	RET()
}

// window is an AVX2 mask of the lanes before end whose column exists: it
// starts end - cols elements into ones followed by zeros.
func window(f float, cols reg.GPVirtual, end int) reg.VecVirtual {
	lanes := 32 / f.size
	at, zero, most, base, m := GP64(), GP64(), GP64(), GP64(), YMM()
	MOVQ(U32(uint32(end)), at)
	SUBQ(cols, at)
	XORQ(zero, zero)
	CMPQ(at, zero)
	CMOVQLT(zero, at)
	MOVQ(U32(uint32(lanes)), most)
	CMPQ(at, most)
	CMOVQGT(most, at)
	LEAQ(maskTable(f), base)
	VMOVDQU(Mem{Base: base, Index: at, Scale: uint8(f.size)}, m)
	return m
}
