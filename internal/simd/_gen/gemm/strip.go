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
	copyRows(i, vectors, filled)
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
	copyRows(i, 2, squeezed)
}

// patch copies rows that are at most two vectors wide and lie anywhere.
func patch(i isa) {
	name := "patch" + i.name
	TEXT(name, NOSPLIT, "func(dst, src *float32, offsets *int, step, rows, cols int)")
	most := fmt.Sprintf(", which is at most %d,", 2*i.bytes/4)
	if i.neon {
		most = ","
	}
	Doc(fmt.Sprintf("%s is, for p < rows and j < cols%s", name, most),
		"dst[p*step+j] = src[j], offsets[p] bytes further.")
	copyRows(i, 2, patched)
}

// packing is how rows are copied.
type packing int

const (
	filled   packing = iota // up to whole vectors, with zeros
	squeezed                // without gaps
	patched                 // from anywhere, and as far apart as the caller wants
)

// copyRows is the loop over rows. It counts in float32; a float64 is two of
// them. Unless rows are filled up, only what exists is written.
func copyRows(i isa, vectors int, how packing) {
	lanes := i.bytes / 4
	Pragma("noescape")
	dst := Load(Param("dst"), GP64()).(reg.GPVirtual)
	src := Load(Param("src"), GP64()).(reg.GPVirtual)
	var stride, offsets, step reg.GPVirtual
	if how == patched {
		offsets = Load(Param("offsets"), GP64()).(reg.GPVirtual)
		step = Load(Param("step"), GP64()).(reg.GPVirtual)
		SHLQ(U8(2), step)
	} else {
		stride = Load(Param("stride"), GP64()).(reg.GPVirtual)
		SHLQ(U8(2), stride)
	}
	rows := Load(Param("rows"), GP64()).(reg.GPVirtual)
	cols := Load(Param("cols"), GP64()).(reg.GPVirtual)
	begin := func() reg.GPVirtual { // of a row of src
		if how != patched {
			return src
		}
		from := GP64()
		MOVQ(Mem{Base: offsets}, from)
		ADDQ(src, from)
		return from
	}
	next := func() {
		switch how {
		case filled:
			ADDQ(U32(uint32(vectors*i.bytes)), dst)
		case squeezed:
			LEAQ(Mem{Base: dst, Index: cols, Scale: 4}, dst)
		case patched:
			ADDQ(step, dst)
			ADDQ(U32(8), offsets)
		}
		if how != patched {
			ADDQ(stride, src)
		}
		DECQ(rows)
		JMP(LabelRef("row"))
	}
	if i.neon {
		copyElements(i, vectors, how, dst, rows, cols, begin, next)
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
	line := begin()
	for v, m := range masks {
		x := i.vector()
		from, to := Mem{Base: line, Disp: v * i.bytes}, Mem{Base: dst, Disp: v * i.bytes}
		if i.bytes == 64 {
			VMOVUPS_Z(from, m, x)
		} else {
			VMASKMOVPS(from, m, x)
		}
		switch {
		case how == filled:
			VMOVUPS(x, to)
		case i.bytes == 64:
			VMOVUPS(x, m, to)
		default:
			VMASKMOVPS(x, m, to)
		}
	}
	next()
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
