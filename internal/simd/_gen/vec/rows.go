package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowsKernels multiplies matrices whose rows are short and lie anywhere: a call
// for each would cost more than the row.
func rowsKernels(i isa) {
	for _, f := range []struct {
		name, goType string
		size         int
		mul          func(...Op)
		mulMasked    func(mxyz, xyz, k, xyz1 Op)
		mulOne       func(...Op)
	}{
		{"F32", "float32", 4, VMULPS, VMULPS_Z, VMULSS},
		{"F64", "float64", 8, VMULPD, VMULPD_Z, VMULSD},
	} {
		TEXT("mulRows"+f.name+i.name, NOSPLIT, fmt.Sprintf("func(dst, x, y *%s, rows, n, dstStep, xStep, yStep int)", f.goType))
		Pragma("noescape")
		Doc("mulRows"+f.name+i.name+" is for r := range rows { for i := range n { dst[r][i] = x[r][i] * y[r][i] } },",
			"with rows that lie steps of so many bytes apart.")
		dst, x, y := Load(Param("dst"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
		rows, end := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
		dstStep, xStep, yStep := Load(Param("dstStep"), GP64()), Load(Param("xStep"), GP64()), Load(Param("yStep"), GP64())
		at := func(base reg.Register, off reg.Register) Mem { return Mem{Base: base, Index: off, Scale: 1} }
		label := func(s string) string { return s + f.name + i.name }

		full, off := GP64(), GP64()
		var mask reg.Register
		if i.wide {
			rest, bits := GP64(), GP64()
			MOVQ(end, rest)
			ANDQ(I32(i.bytes/f.size-1), rest)
			MOVQ(U32(1), bits)
			SHLXQ(rest, bits, bits)
			DECQ(bits)
			k := K()
			KMOVW(bits.As32(), k)
			mask = k
		}
		IMUL3Q(I32(f.size), end, end)
		MOVQ(end, full)
		ANDQ(I32(-i.bytes), full)

		Label(label("row"))
		CMPQ(rows, Imm(0))
		JLE(LabelRef(label("done")))
		XORQ(off, off)
		Label(label("vector"))
		CMPQ(off, full)
		JGE(LabelRef(label("tail")))
		v := load(at(x, off), i.bytes)
		f.mul(at(y, off), v, v)
		store(v, at(dst, off), i.bytes)
		ADDQ(I32(i.bytes), off)
		JMP(LabelRef(label("vector")))
		Label(label("tail"))
		CMPQ(off, end)
		JGE(LabelRef(label("next")))
		if i.wide {
			v, w := loadMasked(at(x, off), i.bytes, f.size, mask), loadMasked(at(y, off), i.bytes, f.size, mask)
			f.mulMasked(w, v, mask, v)
			storeMasked(v, at(dst, off), f.size, mask)
		} else {
			v := load(at(x, off), f.size)
			f.mulOne(at(y, off), v, v)
			store(v, at(dst, off), f.size)
			ADDQ(I32(f.size), off)
			JMP(LabelRef(label("tail")))
		}
		Label(label("next"))
		ADDQ(dstStep, dst)
		ADDQ(xStep, x)
		ADDQ(yStep, y)
		DECQ(rows)
		JMP(LabelRef(label("row")))
		Label(label("done"))
		VZEROUPPER()
		RET()
	}
}
