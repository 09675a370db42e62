package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// splitter takes two vectors of neighbours apart into the first and the second
// elements of their pairs, and puts them together again.
type splitter struct {
	order order // of the pairs in between
	split func(x, y Mem) (u, v reg.VecVirtual)
	join  func(u, v reg.VecVirtual) (x, y reg.VecVirtual)
}

// splitter is for pairs h elements apart.
func (k kernel) splitter(h int) splitter {
	if k.bytes == 64 {
		return k.byIndex(h)
	}
	if k.bytes == 16 {
		return k.byHalves(h)
	}
	switch h * k.size {
	case 16:
		return between(func(x, y Op, lo, hi Op) {
			VPERM2F128(U8(0x20), y, x, lo)
			VPERM2F128(U8(0x31), y, x, hi)
		}, natural)
	case 8:
		return between(func(x, y Op, lo, hi Op) {
			VUNPCKLPD(y, x, lo)
			VUNPCKHPD(y, x, hi)
		}, crossed)
	}
	s := between(func(x, y Op, lo, hi Op) {
		VUNPCKLPS(y, x, lo)
		VUNPCKHPS(y, x, hi)
	}, crossed)
	s.split = func(x, y Mem) (u, v reg.VecVirtual) {
		first := YMM()
		u, v = YMM(), YMM()
		VMOVUPS(x, first)
		VSHUFPS(U8(0x88), y, first, u)
		VSHUFPS(U8(0xdd), y, first, v)
		return u, v
	}
	return s
}

// byHalves is a splitter of NEON.
func (k kernel) byHalves(h int) splitter {
	both := func(lo, hi func(...Op)) func(x, y reg.VecVirtual) (u, v reg.VecVirtual) {
		return func(x, y reg.VecVirtual) (u, v reg.VecVirtual) {
			u, v = XMM(), XMM()
			lo(y, x, u)
			hi(y, x, v)
			return u, v
		}
	}
	apart, together := both(VUNPCKLPD, VUNPCKHPD), both(VUNPCKLPD, VUNPCKHPD)
	if h*k.size == 4 {
		shuffle := func(which uint8) func(...Op) {
			return func(o ...Op) { VSHUFPS(U8(which), o[0], o[1], o[2]) }
		}
		apart, together = both(shuffle(0x88), shuffle(0xdd)), both(VUNPCKLPS, VUNPCKHPS)
	}
	return splitter{natural, func(x, y Mem) (u, v reg.VecVirtual) {
		first, second := XMM(), XMM()
		VMOVUPS(x, first)
		VMOVUPS(y, second)
		return apart(first, second)
	}, together}
}

// between is a splitter whose two ways are one.
func between(f func(x, y Op, lo, hi Op), o order) splitter {
	return splitter{o,
		func(x, y Mem) (u, v reg.VecVirtual) {
			first := YMM()
			u, v = YMM(), YMM()
			VMOVUPS(x, first)
			f(first, y, u, v)
			return u, v
		},
		func(u, v reg.VecVirtual) (x, y reg.VecVirtual) {
			x, y = YMM(), YMM()
			f(u, v, x, y)
			return x, y
		}}
}

// byIndex is a splitter of AVX-512, by tables of places.
func (k kernel) byIndex(h int) splitter {
	lanes, word := k.lanes(), min(k.size, 8)
	words := k.size / word
	var first, second, low, high []int
	for p := range lanes {
		i := p/h*2*h + p%h
		first, second = append(first, i), append(second, i+h)
		low, high = append(low, placeOf(p, h, lanes)), append(high, placeOf(p+lanes, h, lanes))
	}
	indices := make([]reg.VecVirtual, 4)
	for i, list := range [][]int{first, second, low, high} {
		indices[i] = ZMM()
		m := GLOBL(fmt.Sprintf("places%d%s%d", h, k.element.name, i), RODATA|NOPTR)
		for j, at := range list {
			for part := range words {
				value, offset := at*words+part, (j*words+part)*word
				if word == 4 {
					DATA(offset, U32(value))
				} else {
					DATA(offset, U64(value))
				}
			}
		}
		VMOVUPS(m, indices[i])
	}
	permute := func(other Op, index, x reg.VecVirtual) {
		if word == 4 {
			VPERMT2PS(other, index, x)
		} else {
			VPERMT2PD(other, index, x)
		}
	}
	return splitter{natural,
		func(x, y Mem) (u, v reg.VecVirtual) {
			u, v = ZMM(), ZMM()
			k.move(x, u)
			k.move(x, v)
			permute(y, indices[0], u)
			permute(y, indices[1], v)
			return u, v
		},
		func(u, v reg.VecVirtual) (x, y reg.VecVirtual) {
			x = ZMM()
			VMOVAPS(u, x)
			permute(v, indices[2], x)
			permute(v, indices[3], u)
			return x, u
		}}
}

// placeOf is where element i of two vectors of neighbours is once they are taken
// apart: in the first vector, or a number of lanes on in the second.
func placeOf(i, h, lanes int) int {
	p := i/(2*h)*h + i%h
	if i/h%2 == 1 {
		return lanes + p
	}
	return p
}
