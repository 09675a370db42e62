// Command row writes the kernels of internal/simd/row, from the folder above
// this one:
//
//	go run ./row
package main

import (
	"strconv"

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
				i.rotate()
				i.addScaled()
				i.products()
				i.four()
				i.poles()
				i.exchange()
				i.eliminate()
				i.substitute()
			}
		}
	}
	files.Write("row", "row", "go run ./row", generate(isa{"AVX2", 32}, isa{"AVX512", 64}), nil)
	files.WriteNEON("row", "row", "go run ./row", generate(isa{"NEON", 16}), nil)
}

// step is the bytes of a row that one turn of a loop takes, on every level.
const step = 128

type isa struct {
	name  string
	bytes int // of a vector
}

func (i isa) vector() reg.VecVirtual { return width.Vector(i.bytes) }

// vectors is how many a step takes.
func (i isa) vectors() int { return step / i.bytes }

// start begins a kernel over rows of n elements, a multiple of a step: it loads
// pointers, and n in bytes.
func (i isa) start(name, signature, doc string, pointers ...string) (bases []reg.GPVirtual, n reg.GPVirtual) {
	full := name + i.name
	TEXT(full, NOSPLIT, signature)
	Doc(full + " is " + doc)
	Pragma("noescape")
	for _, p := range pointers {
		bases = append(bases, Load(Param(p), GP64()).(reg.GPVirtual))
	}
	n = Load(Param("n"), GP64()).(reg.GPVirtual)
	SHLQ(U8(3), n)
	return bases, n
}

// over loops body over the steps; at counts bytes.
func over(n reg.GPVirtual, body func(at reg.GPVirtual)) {
	at := GP64()
	XORQ(at, at)
	Label("turn")
	CMPQ(at, n)
	JGE(LabelRef("done"))
	body(at)
	ADDQ(U32(step), at)
	JMP(LabelRef("turn"))
	Label("done")
}

func (i isa) broadcast(name string) reg.VecVirtual {
	v := i.vector()
	a, err := Param(name).Resolve()
	files.Check(err)
	if i.bytes == 16 {
		VMOVDDUP(a.Addr, v)
	} else {
		VBROADCASTSD(a.Addr, v)
	}
	return v
}

func (i isa) rotate() {
	p, n := i.start("rotate", "func(x, y *float64, n int, c, s float64)", "Rotate, for multiples of 16 elements.", "x", "y")
	c, s := i.broadcast("c"), i.broadcast("s")
	over(n, func(at reg.GPVirtual) {
		for k := range i.vectors() {
			place := func(base reg.GPVirtual) Mem { return Mem{Base: base, Index: at, Scale: 1, Disp: k * i.bytes} }
			x, y, u, v := i.vector(), i.vector(), i.vector(), i.vector()
			VMOVUPD(place(p[0]), x)
			VMOVUPD(place(p[1]), y)
			VMULPD(s, y, u)
			VFMADD231PD(c, x, u)
			VMULPD(s, x, v)
			VFMSUB231PD(c, y, v)
			VMOVUPD(u, place(p[0]))
			VMOVUPD(v, place(p[1]))
		}
	})
	VZEROUPPER()
	RET()
}

func (i isa) addScaled() {
	p, n := i.start("addScaled", "func(dst, x *float64, n int, a float64)", "AddScaled, for multiples of 16 elements.", "dst", "x")
	a := i.broadcast("a")
	over(n, func(at reg.GPVirtual) {
		for k := range i.vectors() {
			place := func(base reg.GPVirtual) Mem { return Mem{Base: base, Index: at, Scale: 1, Disp: k * i.bytes} }
			d := i.vector()
			VMOVUPD(place(p[0]), d)
			VFMADD231PD(place(p[1]), a, d)
			VMOVUPD(d, place(p[0]))
		}
	})
	VZEROUPPER()
	RET()
}

func (i isa) products() {
	p, n := i.start("products", "func(x, y *float64, n int) (xx, xy, yy float64)", "Products, for multiples of 16 elements.", "x", "y")
	// Two running sums of each hide the latency of an addition.
	var sums [2][3]reg.VecVirtual
	for half := range sums {
		for k := range sums[half] {
			sums[half][k] = i.vector()
			VXORPD(sums[half][k], sums[half][k], sums[half][k])
		}
	}
	over(n, func(at reg.GPVirtual) {
		for k := range i.vectors() {
			s := sums[k%2]
			x, y := i.vector(), i.vector()
			VMOVUPD(Mem{Base: p[0], Index: at, Scale: 1, Disp: k * i.bytes}, x)
			VMOVUPD(Mem{Base: p[1], Index: at, Scale: 1, Disp: k * i.bytes}, y)
			VFMADD231PD(x, x, s[0])
			VFMADD231PD(x, y, s[1])
			VFMADD231PD(y, y, s[2])
		}
	})
	for k := range 3 {
		s := sums[0][k]
		VADDPD(sums[1][k], s, s)
		Store(i.total(s).AsX(), ReturnIndex(k))
	}
	VZEROUPPER()
	RET()
}

// total adds up the elements of s, which is then lost.
func (i isa) total(s reg.VecVirtual) reg.VecVirtual {
	rest := YMM()
	if i.bytes == 64 {
		VEXTRACTF64X4(U8(1), s, rest)
		VADDPD(rest, s.AsY(), s.AsY())
	}
	if i.bytes > 16 {
		VEXTRACTF128(U8(1), s.AsY(), rest.AsX())
		VADDPD(rest.AsX(), s.AsX(), s.AsX())
	}
	VPERMILPD(U8(1), s.AsX(), rest.AsX())
	VADDSD(rest.AsX(), s.AsX(), s.AsX())
	return s
}

func (i isa) four() {
	p, n := i.start("four", "func(a *float64, stride int, x, y *float64, n int, by0, by1, by2, by3 float64) (dot0, dot1, dot2, dot3 float64)", "Four, for multiples of 16 elements.", "a", "x", "y")
	stride := Load(Param("stride"), GP64())
	SHLQ(U8(3), stride)
	rows := []reg.GPVirtual{p[0], GP64(), GP64(), GP64()}
	var by, dots [4]reg.VecVirtual
	for k := range rows {
		if k > 0 {
			MOVQ(rows[k-1], rows[k])
			ADDQ(stride, rows[k])
		}
		by[k], dots[k] = i.broadcast("by"+strconv.Itoa(k)), i.vector()
		VXORPD(dots[k], dots[k], dots[k])
	}
	over(n, func(at reg.GPVirtual) {
		for v := range i.vectors() {
			place := func(base reg.GPVirtual) Mem { return Mem{Base: base, Index: at, Scale: 1, Disp: v * i.bytes} }
			x, y := i.vector(), i.vector()
			VMOVUPD(place(p[1]), x)
			VMOVUPD(place(p[2]), y)
			for k, row := range rows {
				a := i.vector()
				VMOVUPD(place(row), a)
				VFMADD231PD(a, x, dots[k])
				VFMADD231PD(a, by[k], y)
			}
			VMOVUPD(y, place(p[2]))
		}
	})
	for k := range rows {
		Store(i.total(dots[k]).AsX(), ReturnIndex(k))
	}
	VZEROUPPER()
	RET()
}

func (i isa) poles() {
	p, n := i.start("poles", "func(weights, poles *float64, n int, at, one float64) (sum, size, slope float64)", "Poles, for multiples of 16 elements.", "weights", "poles")
	place, one := i.broadcast("at"), i.broadcast("one")
	var sums [3]reg.VecVirtual
	zero := i.vector()
	VXORPD(zero, zero, zero)
	for k := range sums {
		sums[k] = i.vector()
		VXORPD(sums[k], sums[k], sums[k])
	}
	over(n, func(at reg.GPVirtual) {
		for k := range i.vectors() {
			w, d, negative := i.vector(), i.vector(), i.vector()
			VMOVUPD(Mem{Base: p[0], Index: at, Scale: 1, Disp: k * i.bytes}, w)
			VMOVUPD(Mem{Base: p[1], Index: at, Scale: 1, Disp: k * i.bytes}, d)
			VSUBPD(place, d, d)
			VDIVPD(d, one, d) // dividing is most of the work
			VMULPD(d, w, w)
			VADDPD(w, sums[0], sums[0])
			VSUBPD(w, zero, negative)
			VMAXPD(w, negative, negative)
			VADDPD(negative, sums[1], sums[1])
			VFMADD231PD(d, w, sums[2])
		}
	})
	for k, s := range sums {
		Store(i.total(s).AsX(), ReturnIndex(k))
	}
	VZEROUPPER()
	RET()
}
