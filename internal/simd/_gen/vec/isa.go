package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/arm64"
	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
	"github.com/twiddle-go/twiddle/internal/simd/_gen/width"
)

// isa is an instruction set to generate for.
type isa struct {
	name  string // suffix of the Go functions
	bytes int    // of a vector register
	wide  bool   // AVX-512: 32 registers and masks
	neon  bool   // arm64, by translation
}

var (
	avx2   = isa{"AVX2", 32, false, false}
	avx512 = isa{"AVX512", 64, true, false}
	neon   = isa{"NEON", 16, false, true}
)

// simple is how many vectors a loop of one or two instructions takes at once: as many
// bytes where vectors are of 32 and of 64, since the loop itself takes as long as a few
// of them.
func (i isa) simple() int {
	if i.bytes == 32 {
		return 8
	}
	return 4
}

// vector is a fresh register of the given width.
func vector(bytes int) reg.VecVirtual { return width.Vector(bytes) }

// as is the same register at another width.
func as(v reg.Register, bytes int) reg.Register {
	r := v.(reg.Vec)
	switch bytes {
	case 64:
		return r.AsZ()
	case 32:
		return r.AsY()
	}
	return r.AsX()
}

// load moves the given number of bytes, at most a register, from memory.
func load(m Mem, bytes int) reg.VecVirtual {
	v := vector(bytes)
	switch bytes {
	case 64, 32, 16:
		VMOVUPS(m, v)
	case 8:
		VMOVSD(m, v)
	case 4:
		VMOVSS(m, v)
	case 2:
		g := GP32()
		MOVWLZX(m, g)
		VMOVD(g, v)
	}
	return v
}

func store(v reg.Register, m Mem, bytes int) {
	switch bytes {
	case 64, 32, 16:
		VMOVUPS(v, m)
	case 8:
		VMOVSD(v, m)
	case 4:
		VMOVSS(v, m)
	case 2:
		g := GP32()
		VMOVD(v, g)
		MOVW(g.As16(), m)
	}
}

// own emits an instruction of NEON's own into a new register.
func own(name string, number int, reads ...reg.Register) reg.Register {
	v := XMM()
	files.Add(arm64.Op(name, number, reads, v))
	return v
}

// loadMasked loads the lanes of k and zeroes the others; unit is the size of
// a lane.
func loadMasked(m Mem, bytes, unit int, k reg.Register) reg.VecVirtual {
	v := vector(bytes)
	switch unit {
	case 1:
		VMOVDQU8_Z(m, k, v)
	case 2:
		VMOVDQU16_Z(m, k, v)
	case 4:
		VMOVUPS_Z(m, k, v)
	case 8:
		VMOVUPD_Z(m, k, v)
	}
	return v
}

func storeMasked(v reg.Register, m Mem, unit int, k reg.Register) {
	switch unit {
	case 1:
		VMOVDQU8(v, k, m)
	case 2:
		VMOVDQU16(v, k, m)
	case 4:
		VMOVUPS(v, k, m)
	case 8:
		VMOVUPD(v, k, m)
	}
}
