package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func reduceKernels(i isa) {
	for _, f := range []float{f32, f64} {
		sumOf(i, f, false)
		sumOf(i, f, true)
		extremeOf(i, f, "largest", true)
		extremeOf(i, f, "least", false)
	}
}

// sumBytes is the width of all running sums together, on every level.
const sumBytes = 256

// sumOf adds up the elements, or their products with others, in as many running sums as sumBytes
// holds, then folds them down to two. Products are rounded before they are added.
func sumOf(i isa, f float, products bool) {
	full, operands, element := "sumBlock"+f.name+i.name, "x", "x[i]"
	if products {
		full, operands, element = "dotBlock"+f.name+i.name, "x, y", "x[i]*y[i]"
	}
	TEXT(full, NOSPLIT, fmt.Sprintf("func(%s []%s) (even, odd %s)", operands, f.goType, f.goType))
	Doc(full+" is the sums of the even and the odd elements of "+strings.ReplaceAll(element, "[i]", "")+",",
		fmt.Sprintf("for i := range x { s[i%%%d] += %s }, the halves of s added until two are left.", sumBytes/f.size, element))
	Pragma("noescape")
	n := Load(Param("x").Len(), GP64()).(reg.GPVirtual)
	x := Load(Param("x").Base(), GP64()).(reg.GPVirtual)
	from := []reg.GPVirtual{x}
	if products {
		from = append(from, Load(Param("y").Base(), GP64()).(reg.GPVirtual))
	}
	elements := func(s int, load func(m Mem) reg.Register) reg.Register {
		v := load(Mem{Base: x, Disp: s * i.bytes})
		if products {
			f.emit(mul, load(Mem{Base: from[1], Disp: s * i.bytes}), v, v)
		}
		return v
	}
	lanes := i.bytes / f.size
	sums := make([]reg.VecVirtual, sumBytes/i.bytes)
	for s := range sums {
		sums[s] = vector(i.bytes)
		VXORPS(sums[s], sums[s], sums[s])
	}
	Label("many")
	CMPQ(n, U32(uint32(sumBytes/f.size)))
	JLT(LabelRef("few"))
	for s := range sums {
		f.emit(add, elements(s, func(m Mem) reg.Register { return load(m, i.bytes) }), sums[s], sums[s])
	}
	for _, p := range from {
		ADDQ(U32(sumBytes), p)
	}
	SUBQ(U32(uint32(sumBytes/f.size)), n)
	JMP(LabelRef("many"))

	// What is left falls into the first sums; the missing elements count as
	// +0, which changes no sum that started at +0.
	Label("few")
	for s := range sums {
		TESTQ(n, n)
		JLE(LabelRef("fold"))
		part := fmt.Sprintf("part%d", s)
		f.emit(add, elements(s, func(m Mem) reg.Register {
			v := vector(i.bytes)
			if i.neon {
				f.loadFirst(m, n, v, part)
				part += "y"
			} else {
				turn{i, f.size, lanes}.loadEdge(m, firstLanes(i, f, n, lanes), v)
			}
			return v
		}), sums[s], sums[s])
		if s < len(sums)-1 {
			SUBQ(U32(uint32(lanes)), n)
		}
	}
	Label("fold")
	for half := len(sums) / 2; half > 0; half /= 2 {
		for s := range half {
			f.emit(add, sums[s+half], sums[s], sums[s])
		}
	}
	even, odd := foldRegister(i, f, sums[0], func(y, x, r reg.Register) { f.emit(add, y, x, r) })
	Store(even, Return("even"))
	Store(odd, Return("odd"))
	VZEROUPPER()
	RET()
}

// loadFirst loads the first n elements of a vector of 16 bytes, or all of them if
// there are as many, and zeros for the others.
func (f float) loadFirst(m Mem, n reg.GPVirtual, v reg.VecVirtual, label string) {
	lanes := 16 / f.size
	CMPQ(n, U32(uint32(lanes)))
	JLT(LabelRef(label + "_few"))
	VMOVUPS(m, v)
	JMP(LabelRef(label))
	Label(label + "_few")
	if f.size == 8 {
		VMOVSD(m, v)
		Label(label)
		return
	}
	CMPQ(n, U32(2))
	JGE(LabelRef(label + "_two"))
	VMOVSS(m, v)
	JMP(LabelRef(label))
	Label(label + "_two")
	VMOVSD(m, v)
	CMPQ(n, U32(2))
	JEQ(LabelRef(label))
	third := XMM()
	VMOVSS(m.Offset(8), third)
	VUNPCKLPD(third, v, v)
	Label(label)
}

// firstLanes is a mask of min(n, lanes) lanes.
func firstLanes(i isa, f float, n reg.GPVirtual, lanes int) reg.Register {
	return turn{i, f.size, lanes}.mask(n)
}

// foldRegister combines the halves of a register until two elements are left.
func foldRegister(i isa, f float, v reg.VecVirtual, combine func(y, x, r reg.Register)) (even, odd reg.Register) {
	if i.wide {
		high := YMM()
		VEXTRACTF64X4(Imm(1), v, high)
		combine(high, v.AsY(), v.AsY())
	}
	high := XMM()
	if !i.neon {
		VEXTRACTF128(Imm(1), v.AsY(), high)
		combine(high, v.AsX(), v.AsX())
	}
	if f.size == 4 {
		VPERMILPD(Imm(1), v.AsX(), high)
		combine(high, v.AsX(), v.AsX())
		odd := XMM()
		VMOVSHDUP(v.AsX(), odd)
		return v.AsX(), odd
	}
	second := XMM()
	VPERMILPD(Imm(1), v.AsX(), second)
	return v.AsX(), second
}

// extremeOf is the largest or the least element. The order of comparing does
// not matter: NaN wins, and the zeros are ordered.
func extremeOf(i isa, f float, name string, largest bool) {
	full := name + f.name + i.name
	TEXT(full, NOSPLIT, fmt.Sprintf("func(x []%s) %s", f.goType, f.goType))
	word := "max"
	if !largest {
		word = "min"
	}
	Doc(fmt.Sprintf("%s is for _, v := range x { m = %s(m, v) }.", full, word))
	Pragma("noescape")
	n := Load(Param("x").Len(), GP64()).(reg.GPVirtual)
	x := Load(Param("x").Base(), GP64()).(reg.GPVirtual)
	lanes := i.bytes / f.size
	const runs = 4
	inf := map[bool]uint64{true: 0x7f800000, false: 0x7ff0000000000000}[f.size == 4]
	if largest {
		inf |= f.signBit()
	}
	start := f.broadcast(i, inf)
	best := make([]reg.VecVirtual, runs)
	for r := range best {
		best[r] = vector(i.bytes)
		VMOVAPS(start, best[r])
	}
	take := func(r int, v reg.Register) {
		VMOVAPS(f.extreme(i, best[r], v, largest), best[r])
	}
	Label("many")
	CMPQ(n, U32(uint32(runs*lanes)))
	JLT(LabelRef("single"))
	for r := range best {
		take(r, load(Mem{Base: x, Disp: r * i.bytes}, i.bytes))
	}
	ADDQ(U32(uint32(runs*i.bytes)), x)
	SUBQ(U32(uint32(runs*lanes)), n)
	JMP(LabelRef("many"))
	Label("single")
	CMPQ(n, U32(uint32(lanes)))
	JLT(LabelRef("few"))
	take(0, load(Mem{Base: x}, i.bytes))
	ADDQ(U32(uint32(i.bytes)), x)
	SUBQ(U32(uint32(lanes)), n)
	JMP(LabelRef("single"))
	Label("few")
	TESTQ(n, n)
	JZ(LabelRef("fold"))
	if i.neon {
		// One element at a time, in every lane.
		v := XMM()
		if f.size == 4 {
			VBROADCASTSS(Mem{Base: x}, v)
		} else {
			VMOVDDUP(Mem{Base: x}, v)
		}
		take(1, v)
		ADDQ(U32(uint32(f.size)), x)
		DECQ(n)
		JMP(LabelRef("few"))
	} else {
		m, v := firstLanes(i, f, n, lanes), vector(i.bytes)
		if i.wide {
			VMOVAPS(start, v)
			if f.size == 4 {
				VMOVUPS(Mem{Base: x}, m, v)
			} else {
				VMOVUPD(Mem{Base: x}, m, v)
			}
		} else {
			turn{i, f.size, lanes}.loadEdge(Mem{Base: x}, m, v)
			f.blend(m, v, start, v)
		}
		take(1, v)
	}
	Label("fold")
	for half := runs / 2; half > 0; half /= 2 {
		for r := range half {
			take(r, best[r+half])
		}
	}
	even, odd := foldRegister(i, f, best[0], func(y, x, r reg.Register) { f.narrowExtreme(i, y, x, r, largest) })
	f.narrowExtreme(i, odd, even, even, largest)
	Store(even, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// narrowExtreme is extreme on registers of at most 32 bytes, as AVX2 does it.
func (f float) narrowExtreme(i isa, y, x, r reg.Register, largest bool) {
	i.bytes, i.wide = int(r.Size()), false
	VMOVAPS(f.extreme(i, x, y, largest), r)
}
