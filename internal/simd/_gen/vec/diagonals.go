package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// diagonalKernels adds rows to a line, each an element further on than the one
// before. A vector of the line takes what belongs to it of all rows before it
// is stored: row by row, every row would wait for the one before it.
func diagonalKernels(i isa) {
	for _, f := range []struct {
		name, goType string
		size         int
		add          func(...Op)
	}{{"F32", "float32", 4, VADDPS}, {"F64", "float64", 8, VADDPD}} {
		name := "addDiagonals" + f.name + i.name
		TEXT(name, NOSPLIT, fmt.Sprintf("func(dst, x *%s, rows, n, step int)", f.goType))
		Pragma("noescape")
		Doc(name+" is for r := rows-1; r >= 0; r-- { for i := range n { dst[r+i] += x[r][i] } },",
			"with rows that lie step bytes apart and have zeros around them; see AddDiagonals.")
		dst, x := Load(Param("dst"), GP64()), Load(Param("x"), GP64())
		rows, n, step := Load(Param("rows"), GP64()), Load(Param("n"), GP64()), Load(Param("step"), GP64())
		lanes := i.bytes / f.size
		at, total, first, last, from, back := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
		MOVQ(rows, total)
		ADDQ(n, total)
		DECQ(total) // elements of dst
		MOVQ(step, back)
		SUBQ(I8(f.size), back)
		XORQ(at, at)
		label := func(s string) string { return s + f.name + i.name }

		Label(label("vector"))
		CMPQ(at, total)
		JGE(LabelRef(label("done")))
		// The last row that reaches the vector, and how many do.
		LEAQ(Mem{Base: at, Disp: lanes - 1}, last)
		CMPQ(last, rows)
		JL(LabelRef(label("inside")))
		MOVQ(rows, last)
		DECQ(last)
		Label(label("inside"))
		MOVQ(at, first)
		SUBQ(n, first)
		INCQ(first)
		JGE(LabelRef(label("behind")))
		XORQ(first, first)
		Label(label("behind"))
		MOVQ(last, from)
		IMULQ(back, from)
		ADDQ(x, from)
		offset := Mem{Base: from, Index: at, Scale: uint8(f.size)}
		LEAQ(offset, from)
		SUBQ(first, last)
		sum := load(Mem{Base: dst, Index: at, Scale: uint8(f.size)}, i.bytes)
		Label(label("row"))
		f.add(Mem{Base: from}, sum, sum)
		SUBQ(back, from)
		DECQ(last)
		JGE(LabelRef(label("row")))
		store(sum, Mem{Base: dst, Index: at, Scale: uint8(f.size)}, i.bytes)
		ADDQ(I8(lanes), at)
		JMP(LabelRef(label("vector")))
		Label(label("done"))
		VZEROUPPER()
		RET()
	}
}
