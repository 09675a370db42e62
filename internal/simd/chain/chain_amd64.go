package chain

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

//go:generate go -C ../_gen run ./chain

func fast32(l simd.Level) (Machine[float32], bool) {
	switch l {
	case simd.AVX2:
		return machineOf[float32](32, bank{8, run8F32AVX2}, bank{2, run2F32AVX2}, bank{1, run1F32AVX2}), true
	case simd.AVX512:
		return machineOf[float32](64, bank{16, run16F32AVX512}, bank{8, run8F32AVX512}, bank{2, run2F32AVX512}, bank{1, run1F32AVX512}), true
	}
	return Machine[float32]{}, false
}

func fast64(l simd.Level) (Machine[float64], bool) {
	switch l {
	case simd.AVX2:
		return machineOf[float64](32, bank{8, run8F64AVX2}, bank{2, run2F64AVX2}, bank{1, run1F64AVX2}), true
	case simd.AVX512:
		return machineOf[float64](64, bank{16, run16F64AVX512}, bank{8, run8F64AVX512}, bank{2, run2F64AVX512}, bank{1, run1F64AVX512}), true
	}
	return Machine[float64]{}, false
}

// bank runs so many registers at a time.
type bank struct {
	registers int
	run       func(code *byte, count, from, bytes int)
}

// machineOf runs chains on registers of so many bytes, with the largest bank as
// far as it goes, and so on.
func machineOf[T Float](register int, banks ...bank) Machine[T] {
	var x T
	size := int(unsafe.Sizeof(x))
	return Machine[T]{register / size, func(code []Instr, n int) {
		from, bytes := 0, n*size
		for _, b := range banks {
			if to := bytes &^ (b.registers*register - 1); from < to {
				b.run(start(code), len(code), from, to)
				from = to
			}
		}
	}}
}

// start is the code as the assembly sees it: pairs of words.
func start(code []Instr) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(code))) }
