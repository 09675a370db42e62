package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A turn goes by squares: as many lines as lie side by side, and as many parts
// of each. A vector is pieces of 128 bits.

func (k kernel) perPiece() int { return 16 / k.part() }
func (k kernel) pieces() int   { return k.bytes / 16 }

func (k kernel) inName() string  { return "in" + k.element.name + k.isa.name }
func (k kernel) outName() string { return "out" + k.element.name + k.isa.name }

// square is the loop of a turn: its lines, and the rows of the elements.
type square struct {
	kernel
	lines         []reg.GPVirtual // every fourth
	apart, apart3 reg.GPVirtual
	rows, places  reg.GPVirtual
}

// turn writes a kernel that calls one for each square.
func (k kernel) turn(name, signature, doc string, one func(s square)) {
	TEXT(name, NOSPLIT, signature)
	Doc(name + " is " + doc + ".")
	Pragma("noescape")
	load := func(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
	s := square{kernel: k, lines: []reg.GPVirtual{load("lines")}, rows: load("rows"), places: load("places"), apart: load("apart"), apart3: GP64()}
	squares := load("squares")
	LEAQ(Mem{Base: s.apart, Index: s.apart, Scale: 2}, s.apart3)
	for i := 4; i < k.beside(); i += 4 {
		next := GP64()
		LEAQ(Mem{Base: s.lines[len(s.lines)-1], Index: s.apart, Scale: 4}, next)
		s.lines = append(s.lines, next)
	}
	Label("square")
	one(s)
	for _, l := range s.lines {
		ADDQ(U32(uint32(k.bytes)), l)
	}
	ADDQ(U32(uint32(4*k.beside()/k.planes())), s.places)
	DECQ(squares)
	JNZ(LabelRef("square"))
	VZEROUPPER()
	RET()
}

// line is a piece of a line.
func (s square) line(line, piece int) Mem {
	m := Mem{Base: s.lines[line/4], Disp: 16 * piece}
	switch line % 4 {
	case 1:
		m.Index, m.Scale = s.apart, 1
	case 2:
		m.Index, m.Scale = s.apart, 2
	case 3:
		m.Index, m.Scale = s.apart3, 1
	}
	return m
}

// row is a piece of part i of all lines. Parts of a number follow each other.
func (s square) row(i, piece int) Mem {
	at := GP64()
	MOVLQSX(Mem{Base: s.places, Disp: 4 * (i / s.planes())}, at)
	return Mem{Base: s.rows, Index: at, Scale: 1, Disp: i%s.planes()*s.bytes + 16*piece}
}

// in brings lines side by side. Pieces are put where they belong as they are
// loaded, four lines at a time: more of them might share a set of the cache.
func (k kernel) in() {
	k.turn(k.inName(), "func(rows, lines *byte, apart int, places *int32, squares int)", "a turn of lines to rows", func(s square) {
		z := make([][]reg.VecVirtual, k.pieces())
		for a := range k.perPiece() {
			for q := range z {
				z[q] = append(z[q], k.gather(a, func(line int) Mem { return s.line(line, q) }))
			}
		}
		for q := range z {
			for i, v := range k.inside(z[q]) {
				k.move(v, s.row(q*k.perPiece()+i, 0))
			}
		}
	})
}

// out is the way back: lines of a piece at a time.
func (k kernel) out() {
	k.turn(k.outName(), "func(lines, rows *byte, apart int, places *int32, squares int)", "a turn of rows to lines", func(s square) {
		for q := range k.pieces() {
			z := make([]reg.VecVirtual, k.perPiece())
			for a := range z {
				z[a] = k.gather(a, func(row int) Mem { return s.row(row, q) })
			}
			for i, v := range k.inside(z) {
				k.move(v, s.line(q*k.perPiece()+i, 0))
			}
		}
	})
}

// gather is a vector of the pieces at a, a+perPiece and so on: where they belong
// once the parts inside of pieces are transposed.
func (k kernel) gather(a int, piece func(i int) Mem) reg.VecVirtual {
	v := k.vector()
	VMOVUPS(piece(a), v.AsX())
	for j := 1; j < k.pieces(); j++ {
		m := piece(j*k.perPiece() + a)
		if k.bytes == 64 {
			VINSERTF32X4(U8(j), m, v, v)
		} else {
			VINSERTF128(U8(j), m, v, v)
		}
	}
	return v
}

// inside transposes the parts inside of pieces.
func (k kernel) inside(r []reg.VecVirtual) []reg.VecVirtual {
	pd := func(a, b reg.VecVirtual) []reg.VecVirtual {
		lo, hi := k.vector(), k.vector()
		VUNPCKLPD(b, a, lo)
		VUNPCKHPD(b, a, hi)
		return []reg.VecVirtual{lo, hi}
	}
	if k.double {
		return pd(r[0], r[1])
	}
	var lo, hi [2]reg.VecVirtual
	for i := range 2 {
		lo[i], hi[i] = k.vector(), k.vector()
		VUNPCKLPS(r[2*i+1], r[2*i], lo[i])
		VUNPCKHPS(r[2*i+1], r[2*i], hi[i])
	}
	return append(pd(lo[0], lo[1]), pd(hi[0], hi[1])...)
}
