package chain

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

//go:generate go -C ../_gen run ./chain

func fast32(l simd.Level) (Machine[float32], bool) {
	switch l {
	case simd.AVX2:
		return machineOf[float32](32, runF32AVX2, restF32AVX2), true
	case simd.AVX512:
		return machineOf[float32](64, runF32AVX512, restF32AVX512), true
	}
	return Machine[float32]{}, false
}

func fast64(l simd.Level) (Machine[float64], bool) {
	switch l {
	case simd.AVX2:
		return machineOf[float64](32, runF64AVX2, restF64AVX2), true
	case simd.AVX512:
		return machineOf[float64](64, runF64AVX512, restF64AVX512), true
	}
	return Machine[float64]{}, false
}

// machineOf runs eight registers of so many bytes at a time, and the last few
// one by one.
func machineOf[T Float](register int, eight, one func(code *byte, count, from, bytes int)) Machine[T] {
	var x T
	size := int(unsafe.Sizeof(x))
	return Machine[T]{register / size, func(code []Instr, n int) {
		bytes := n * size
		whole := bytes &^ (8*register - 1)
		if whole > 0 {
			eight(start(code), len(code), 0, whole)
		}
		if whole < bytes {
			one(start(code), len(code), whole, bytes)
		}
	}}
}

// start is the code as the assembly sees it: pairs of words.
func start(code []Instr) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(code))) }
