package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// block is one number of the 2x2 blocks of a vector of pairs. Of complex
// numbers it is the real parts, twice each, and the imaginary parts.
type block struct{ re, im reg.VecVirtual }

// order says in which order a vector has its pairs.
type order bool

const (
	natural order = false
	crossed order = true // the two middle quarters exchanged
)

// blocks loads the blocks of the next vector of pairs, row by row.
func (f frame) blocks(o order) (w [4]block) {
	below := GP64()
	LEAQ(Mem{Base: f.w, Index: f.row, Scale: 1}, below)
	for i, at := range [4]Mem{{Base: f.w}, {Base: f.w, Index: f.col, Scale: 1}, {Base: below}, {Base: below, Index: f.col, Scale: 1}} {
		var from Op = at
		if o == crossed {
			v := f.vector()
			VPERMPD(U8(0xd8), at, v)
			from = v
		}
		w[i] = f.parts(from)
	}
	return w
}

func (f frame) parts(from Op) block {
	b := block{re: f.vector()}
	if !f.complex {
		f.move(from, b.re)
		return b
	}
	b.im = f.vector()
	if f.double {
		VMOVDDUP(from, b.re)
		VPERMILPD(U8(f.dupHigh()), from, b.im)
	} else {
		VMOVSLDUP(from, b.re)
		VMOVSHDUP(from, b.im)
	}
	return b
}

// dupHigh takes the upper of each two float64.
func (k kernel) dupHigh() uint8 { return uint8(1<<(k.bytes/8) - 1) }

// swap takes the two float64 of each pair the other way round.
func (k kernel) swap() uint8 { return k.dupHigh() / 3 }

// mix is the two sums of every pair. A row is
//
//	a.im*swapped(u), then + b.im*swapped(v), then a.re*u -+ that, then + b.re*v
//
// of complex numbers, or a*u and then + b*v: one rounding at every step.
func (f frame) mix(w [4]block, u, v reg.VecVirtual) (s, t reg.VecVirtual) {
	var us, vs reg.VecVirtual
	if f.complex {
		us, vs = f.swapped(u), f.swapped(v)
	}
	row := func(a, b block) reg.VecVirtual {
		s := f.vector()
		if !f.complex {
			f.mul(a.re, u, s)
			f.fma(b.re, v, s)
			return s
		}
		f.mul(a.im, us, s)
		f.fma(b.im, vs, s)
		switch {
		case f.bytes == 16:
			VXORPS(signs(f.double), s, s)
			f.fma(a.re, u, s)
		case f.double:
			VFMADDSUB231PD(a.re, u, s)
		default:
			VFMADDSUB231PS(a.re, u, s)
		}
		f.fma(b.re, v, s)
		return s
	}
	return row(w[0], w[1]), row(w[2], w[3])
}

// signs changes the signs of real parts, for NEON: there is no sum that subtracts in
// every second lane.
func signs(double bool) Mem {
	name, bits := "signs32", []uint64{1 << 31, 1 << 31}
	if double {
		name, bits = "signs64", []uint64{1 << 63, 0}
	}
	m := Mem{Symbol: Symbol{Name: name, Static: true}, Base: reg.StaticBase}
	if !signsMade[name] {
		signsMade[name] = true
		m = GLOBL(name, RODATA|NOPTR)
		for i, b := range bits {
			DATA(8*i, U64(b))
		}
	}
	return m
}

var signsMade = map[string]bool{}

func (f frame) swapped(u reg.VecVirtual) reg.VecVirtual {
	s := f.vector()
	if f.double {
		VPERMILPD(U8(f.swap()), u, s)
	} else {
		VPERMILPS(U8(0xb1), u, s)
	}
	return s
}

func (k kernel) move(from, to Op) {
	if k.double {
		VMOVUPD(from, to)
	} else {
		VMOVUPS(from, to)
	}
}

func (k kernel) mul(a, b, to Op) {
	if k.double {
		VMULPD(a, b, to)
	} else {
		VMULPS(a, b, to)
	}
}

func (k kernel) fma(a, b, to Op) {
	if k.double {
		VFMADD231PD(a, b, to)
	} else {
		VFMADD231PS(a, b, to)
	}
}
