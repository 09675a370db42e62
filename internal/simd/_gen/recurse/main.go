// Command recurse writes the kernels of internal/simd/recurse, from the folder
// above this one:
//
//	go run ./recurse
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
	"github.com/twiddle-go/twiddle/internal/simd/_gen/width"
)

// lanes is how many lines are filtered at a time, on every level.
const lanes = 8

// kept is the highest order whose state stays in registers: of AVX2, with 16 of
// them, eight hold the states of order 4.
const kept = 4

func main() {
	generate := func(isas ...isa) func() {
		return func() {
			for _, i := range isas {
				for order := 1; order <= kept; order++ {
					i.section(order)
				}
				i.long()
				if i.bytes > 16 {
					i.cascade()
				}
			}
		}
	}
	files.Write("recurse", "recurse", "go run ./recurse", generate(isa{"AVX2", 32}, isa{"AVX512", 64}), nil)
	files.WriteNEON("recurse", "recurse", "go run ./recurse", generate(isa{"NEON", 16}), nil)
}

type isa struct {
	name  string
	bytes int // of a vector
}

// rows is vectors of all lanes.
func (i isa) rows() []reg.VecVirtual {
	v := make([]reg.VecVirtual, 8*lanes/i.bytes)
	for k := range v {
		v[k] = width.Vector(i.bytes)
	}
	return v
}

func (i isa) load(from Mem, to []reg.VecVirtual) {
	for k, v := range to {
		VMOVUPD(from.Offset(k*i.bytes), v)
	}
}

func (i isa) store(from []reg.VecVirtual, to Mem) {
	for k, v := range from {
		VMOVUPD(v, to.Offset(k*i.bytes))
	}
}

// times calls do with a coefficient, spread over a vector, for every vector.
func (i isa) times(c Mem, count int, plain, spread func(...Op), do func(k int, f func(...Op), c Op)) {
	if i.bytes == 64 {
		do(0, spread, c)
		return
	}
	v := i.rows()[0]
	if i.bytes == 16 {
		VMOVDDUP(c, v)
	} else {
		VBROADCASTSD(c, v)
	}
	for k := range count {
		do(k, plain, v)
	}
}

// add is to += c*x, and less to -= c*x.
func (i isa) add(c Mem, x, to []reg.VecVirtual) {
	i.times(c, len(x), VFMADD231PD, VFMADD231PD_BCST, func(k int, f func(...Op), c Op) { f(c, x[k], to[k]) })
}

func (i isa) less(c Mem, x, to []reg.VecVirtual) {
	i.times(c, len(x), VFNMADD231PD, VFNMADD231PD_BCST, func(k int, f func(...Op), c Op) { f(c, x[k], to[k]) })
}

func (i isa) product(c Mem, x, to []reg.VecVirtual) {
	i.times(c, len(x), VMULPD, VMULPD_BCST, func(k int, f func(...Op), c Op) { f(c, x[k], to[k]) })
}

func (i isa) start(name, doc string) (block, n, c, taps, state reg.GPVirtual) {
	full := name + i.name
	TEXT(full, NOSPLIT, "func(block *float64, n int, c *float64, taps int, state *float64)")
	Doc(full + " is " + doc)
	Pragma("noescape")
	get := func(p string) reg.GPVirtual { return Load(Param(p), GP64()).(reg.GPVirtual) }
	return get("block"), get("n"), get("c"), get("taps"), get("state")
}

// section keeps the state of an order in registers.
func (i isa) section(order int) {
	block, n, c, _, state := i.start(fmt.Sprintf("section%d", order), fmt.Sprintf("Section of order %d, for one sample or more.", order))
	b := func(j int) Mem { return Mem{Base: c, Disp: 8 * j} }
	a := func(j int) Mem { return Mem{Base: c, Disp: 8 * (order + 1 + j)} }
	z := make([][]reg.VecVirtual, order)
	for j := range z {
		z[j] = i.rows()
		i.load(Mem{Base: state, Disp: 8 * lanes * j}, z[j])
	}
	in, out := i.rows(), i.rows()
	Label("turn")
	i.load(Mem{Base: block}, in)
	for k := range out {
		VMOVAPD(z[0][k], out[k])
	}
	i.add(b(0), in, out)
	i.store(out, Mem{Base: block})
	// What depends on the output comes last: the next sample waits for it.
	for j := 1; j < order; j++ {
		for k := range z[j] {
			VMOVAPD(z[j][k], z[j-1][k])
		}
		i.add(b(j), in, z[j-1])
		i.less(a(j), out, z[j-1])
	}
	i.product(b(order), in, z[order-1])
	i.less(a(order), out, z[order-1])
	ADDQ(U8(8*lanes), block)
	DECQ(n)
	JNZ(LabelRef("turn"))
	for j := range z {
		i.store(z[j], Mem{Base: state, Disp: 8 * lanes * j})
	}
	VZEROUPPER()
	RET()
}

// long keeps the state in memory.
func (i isa) long() {
	block, n, c, taps, state := i.start("section", "Section of any order above 1, for one sample or more.")
	in, out, z := i.rows(), i.rows(), i.rows()
	a, j, left, at := GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: c, Index: taps, Scale: 8}, a)
	SUBQ(U8(2), taps) // states but the last
	Label("turn")
	i.load(Mem{Base: block}, in)
	i.load(Mem{Base: state}, out)
	i.add(Mem{Base: c}, in, out)
	i.store(out, Mem{Base: block})
	MOVQ(taps, left)
	MOVQ(U32(1), j)
	MOVQ(state, at)
	Label("states")
	i.load(Mem{Base: at, Disp: 8 * lanes}, z)
	i.add(Mem{Base: c, Index: j, Scale: 8}, in, z)
	i.less(Mem{Base: a, Index: j, Scale: 8}, out, z)
	i.store(z, Mem{Base: at})
	ADDQ(U8(8*lanes), at)
	INCQ(j)
	DECQ(left)
	JNZ(LabelRef("states"))
	i.product(Mem{Base: c, Index: j, Scale: 8}, in, z)
	i.less(Mem{Base: a, Index: j, Scale: 8}, out, z)
	i.store(z, Mem{Base: at})
	ADDQ(U8(8*lanes), block)
	DECQ(n)
	JNZ(LabelRef("turn"))
	VZEROUPPER()
	RET()
}
