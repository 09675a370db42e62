// Command outer writes the kernels of internal/simd/outer, from the folder above
// this one:
//
//	go run ./outer
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
	"github.com/twiddle-go/twiddle/internal/simd/_gen/width"
)

func main() {
	generate := func(isas ...isa) func() {
		return func() {
			for _, i := range isas {
				i.gather()
				for columns := 1; columns <= i.columns; columns++ {
					i.tile(columns)
				}
			}
		}
	}
	files.Write("outer", "outer", "go run ./outer", generate(isa{"AVX2", 32, 2}, isa{"AVX512", 64, 6}), nil)
	files.WriteNEON("outer", "outer", "go run ./outer", generate(isa{"NEON", 16, 4}), nil)
}

type isa struct {
	name    string
	bytes   int // of a vector
	columns int // of the widest tile: two sums for each of two rows stay in registers
}

// line is the bytes from one window to the next.
const line = 64

func (i isa) vector() reg.VecVirtual { return width.Vector(i.bytes) }

// tile adds up conj(a) b over windows, for two rows a and some columns b. The real
// and the imaginary parts of a are multiplied by all of b; only the sums of the
// imaginary ones are then swapped:
//
//	conj(a) b = (a.re b.re + a.im b.im, a.re b.im - a.im b.re)
func (i isa) tile(columns int) {
	name := fmt.Sprintf("tile2x%d%s", columns, i.name)
	TEXT(name, NOSPLIT, "func(dst0, dst1 *complex64, step int, a, b *complex64, channel, windows int)")
	Doc(fmt.Sprintf("%s is tile for %d columns and one vector of bins. Step and channel are in bytes.", name, columns))
	Pragma("noescape")
	get := func(p string) reg.GPVirtual { return Load(Param(p), GP64()).(reg.GPVirtual) }
	dst := []reg.GPVirtual{get("dst0"), get("dst1")}
	step, a, b, channel, windows := get("step"), get("a"), get("b"), get("channel"), get("windows")
	// Columns are a multiple of 0, 1 or 2 behind one of two addresses.
	bases := []reg.GPVirtual{b}
	if columns > 3 {
		next := GP64()
		LEAQ(Mem{Base: b, Index: channel, Scale: 2}, next)
		ADDQ(channel, next)
		bases = append(bases, next)
	}
	place := func(base reg.GPVirtual, times int) Mem {
		if times == 0 {
			return Mem{Base: base}
		}
		return Mem{Base: base, Index: channel, Scale: uint8(times)}
	}
	var sums [2][][2]reg.VecVirtual // rows, columns: times the real and the imaginary part
	for r := range sums {
		sums[r] = make([][2]reg.VecVirtual, columns)
		for c := range sums[r] {
			for part := range 2 {
				v := i.vector()
				VXORPS(v, v, v)
				sums[r][c][part] = v
			}
		}
	}
	Label("window")
	var factors [2][2]reg.VecVirtual
	for r := range factors {
		re, im := i.vector(), i.vector()
		VMOVSLDUP(place(a, r), re)
		VMOVSHDUP(place(a, r), im)
		factors[r] = [2]reg.VecVirtual{re, im}
	}
	for c := range columns {
		x := i.vector()
		VMOVUPS(place(bases[c/3], c%3), x)
		for r := range sums {
			for part := range 2 {
				VFMADD231PS(x, factors[r][part], sums[r][c][part])
			}
		}
	}
	ADDQ(U32(line), a)
	for _, base := range bases {
		ADDQ(U32(line), base)
	}
	DECQ(windows)
	JNZ(LabelRef("window"))
	bits, sign := GP64(), i.vector()
	MOVQ(U64(1<<63), bits) // the sign of imaginary parts
	VMOVQ(bits, sign.AsX())
	VPBROADCASTQ(sign.AsX(), sign)
	for r := range sums {
		for c, s := range sums[r] {
			VPERMILPS(U8(0xb1), s[1], s[1])
			VXORPS(sign, s[1], s[1])
			VADDPS(s[1], s[0], s[0])
			VMOVUPS(s[0], Mem{Base: dst[r]})
			if c+1 < columns {
				ADDQ(step, dst[r])
			}
		}
	}
	VZEROUPPER()
	RET()
}

// gather copies a few cache lines of each of n rows that are far apart. No
// hardware expects the next, so that of eight rows on is asked for: this took a
// quarter of the time of plain copies.
func (i isa) gather() {
	name := "gather" + i.name
	TEXT(name, NOSPLIT, "func(dst *complex64, channel, slice int, src *complex64, row, n int)")
	Doc(name + " is Gather of one row or more. Distances are in bytes.")
	Pragma("noescape")
	get := func(p string) reg.GPVirtual { return Load(Param(p), GP64()).(reg.GPVirtual) }
	dst, channel, slice, src, row, n := get("dst"), get("channel"), get("slice"), get("src"), get("row"), get("n")
	third, next := GP64(), GP64()
	LEAQ(Mem{Base: slice, Index: slice, Scale: 2}, third)
	MOVQ(row, next)
	SHLQ(U8(3), next) // eight rows
	ADDQ(src, next)
	Label("row")
	for s := range 4 {
		PREFETCHT0(Mem{Base: next, Disp: line * s})
		for at := 0; at < line; at += i.bytes {
			x := i.vector()
			VMOVUPS(Mem{Base: src, Disp: line*s + at}, x)
			to := Mem{Base: dst, Disp: at}
			switch s {
			case 1, 2:
				to.Index, to.Scale = slice, uint8(s)
			case 3:
				to.Index, to.Scale = third, 1
			}
			VMOVUPS(x, to)
		}
	}
	ADDQ(row, src)
	ADDQ(row, next)
	ADDQ(channel, dst)
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
