package chain

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

//go:generate go -C ../_gen run ./chain

func fast32(l simd.Level) (Machine[float32], bool) {
	switch l {
	case simd.AVX2:
		return Machine[float32]{64, func(code []Instr, n int) { runF32AVX2(start(code), len(code), 4*n) }}, true
	case simd.AVX512:
		return Machine[float32]{128, func(code []Instr, n int) { runF32AVX512(start(code), len(code), 4*n) }}, true
	}
	return Machine[float32]{}, false
}

func fast64(l simd.Level) (Machine[float64], bool) {
	switch l {
	case simd.AVX2:
		return Machine[float64]{32, func(code []Instr, n int) { runF64AVX2(start(code), len(code), 8*n) }}, true
	case simd.AVX512:
		return Machine[float64]{64, func(code []Instr, n int) { runF64AVX512(start(code), len(code), 8*n) }}, true
	}
	return Machine[float64]{}, false
}

// start is the code as the assembly sees it: pairs of words.
func start(code []Instr) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(code))) }
