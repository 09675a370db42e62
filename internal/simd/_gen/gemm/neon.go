package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/arm64"
	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

// byElements is a step of k for NEON, whose products take elements of a from a
// vector of them. Nothing past the rows is read.
func (t tile) byElements(a reg.GPVirtual, at int, columns []reg.VecVirtual, sums [][]reg.VecVirtual) {
	lanes := 16 / t.float.size
	name := map[int]string{4: "fmla.4s[]", 8: "fmla.2d[]"}[t.float.size]
	for i := 0; i < t.rows; {
		count := lanes
		for count > t.rows-i {
			count /= 2
		}
		x := XMM()
		m := Mem{Base: a, Disp: (at*t.rows + i) * t.float.size}
		switch count * t.float.size {
		case 16:
			VMOVUPS(m, x)
		case 8:
			VMOVSD(m, x)
		case 4:
			VMOVSS(m, x)
		}
		for lane := range count {
			for v := range columns {
				files.Add(arm64.Op(name, lane, []reg.Register{columns[v], x}, sums[i+lane][v]))
			}
		}
		i += count
	}
}

// storeElements stores cols columns of the sums, fewer than there are.
func (t tile) storeElements(c, stride, cols, adds reg.GPVirtual, sums [][]reg.VecVirtual) {
	row := AllocLocal(16 * t.vectors)
	move := t.float.op(func(o ...Op) { VMOVSS(o...) }, func(o ...Op) { VMOVSD(o...) })
	vadd := t.float.op(func(o ...Op) { VADDSS(o...) }, func(o ...Op) { VADDSD(o...) })
	size := uint8(t.float.size)
	for i := range sums {
		for v, s := range sums[i] {
			VMOVUPS(s, row.Offset(16*v))
		}
		j, x := GP64(), XMM()
		XORQ(j, j)
		next, plain := fmt.Sprintf("edge%d", i), fmt.Sprintf("plain%d", i)
		Label(next)
		move(row.Idx(j, size), x)
		at := Mem{Base: c, Index: j, Scale: size}
		TESTQ(adds, adds)
		JZ(LabelRef(plain))
		vadd(at, x, x)
		Label(plain)
		move(x, at)
		INCQ(j)
		CMPQ(j, cols)
		JLT(LabelRef(next))
		ADDQ(stride, c)
	}
}

// copyElements is copyRows without masks: vectors as long as there are columns
// for them, then one by one. Rows of any length can be squeezed or patched.
func copyElements(i isa, vectors int, how packing, dst, rows, cols reg.GPVirtual, begin func() reg.GPVirtual, next func()) {
	lanes := i.bytes / 4
	zero, whole, j := XMM(), GP64(), GP64()
	VXORPS(zero, zero, zero)
	MOVQ(cols, whole)
	SUBQ(U32(uint32(lanes)), whole) // where the last vector may start
	Label("row")
	TESTQ(rows, rows)
	JLE(LabelRef("done"))
	src := begin()
	if how == filled {
		for v := range vectors {
			VMOVUPS(zero, Mem{Base: dst, Disp: v * i.bytes})
		}
	}
	XORQ(j, j)
	Label("vector")
	CMPQ(j, whole)
	JGT(LabelRef("element"))
	x := XMM()
	VMOVUPS(Mem{Base: src, Index: j, Scale: 4}, x)
	VMOVUPS(x, Mem{Base: dst, Index: j, Scale: 4})
	ADDQ(U32(uint32(lanes)), j)
	JMP(LabelRef("vector"))
	Label("element")
	CMPQ(j, cols)
	JGE(LabelRef("next"))
	one := GP32()
	MOVL(Mem{Base: src, Index: j, Scale: 4}, one)
	MOVL(one, Mem{Base: dst, Index: j, Scale: 4})
	INCQ(j)
	JMP(LabelRef("element"))
	Label("next")
	next()
	Label("done")
	RET()
}
