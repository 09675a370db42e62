package main

import "github.com/mmcloughlin/avo/reg"

// target is an instruction set and a component type.
type target struct {
	name  string // suffix of the kernels and of the files
	bits  int    // 32 or 64
	bytes int    // of a vector register
	regs  int    // number of vector registers
	neon  bool   // arm64, by translation: see package arm64
}

var targets = []target{
	{"AVX2F32", 32, 32, 16, false},
	{"AVX2F64", 64, 32, 16, false},
	{"AVX512F32", 32, 64, 32, false},
	{"AVX512F64", 64, 64, 32, false},
	// Two of 32 are the translation's, and two hold constants.
	{"NEONF32", 32, 16, 28, true},
	{"NEONF64", 64, 16, 28, true},
}

// ymmBytes is what constants have where instructions cannot spread them.
const ymmBytes = 32

func (t target) wide() bool { return t.bytes == 64 }

// spreads says that arithmetic can take one component in memory for all lanes.
func (t target) spreads() bool { return t.wide() || t.neon && t.lanes() > 1 }

// size is the bytes of a component.
func (t target) size() int { return t.bits / 8 }

func (t target) lanes() int { return t.bytes * 8 / t.bits }

// suffix ends the mnemonics of arithmetic.
func (t target) suffix() string {
	return map[bool]string{true: "S", false: "P"}[t.lanes() == 1] + map[int]string{32: "S", 64: "D"}[t.bits]
}

// vec is vector register i.
func (t target) vec(i int) reg.Register {
	switch {
	case t.wide():
		return zmm[i]
	case t.bytes > 16:
		return ymm[i]
	}
	return xmm[i]
}

var ymm = [...]reg.Register{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
	reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	reg.Y16, reg.Y17, reg.Y18, reg.Y19, reg.Y20, reg.Y21, reg.Y22, reg.Y23,
	reg.Y24, reg.Y25, reg.Y26, reg.Y27, reg.Y28, reg.Y29, reg.Y30, reg.Y31}

var zmm = [...]reg.Register{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
	reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
	reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}

// xmm are the low quarters, for scalars and short vectors.
var xmm = [...]reg.Register{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7,
	reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15,
	reg.X16, reg.X17, reg.X18, reg.X19, reg.X20, reg.X21, reg.X22, reg.X23,
	reg.X24, reg.X25, reg.X26, reg.X27, reg.X28, reg.X29, reg.X30, reg.X31}
