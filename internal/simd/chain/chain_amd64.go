package chain

import "github.com/twiddle-go/twiddle/internal/simd"

func fast32(l simd.Level) (Machine[float32], bool) {
	switch l {
	case simd.AVX2:
		return machineOf[float32](32, bank{12, run12F32AVX2}, bank{4, run4F32AVX2}, bank{1, run1F32AVX2}), true
	case simd.AVX512:
		return machineOf[float32](64, bank{16, run16F32AVX512}, bank{8, run8F32AVX512}, bank{2, run2F32AVX512}, bank{1, run1F32AVX512}), true
	}
	return Machine[float32]{}, false
}

func fast64(l simd.Level) (Machine[float64], bool) {
	switch l {
	case simd.AVX2:
		return machineOf[float64](32, bank{12, run12F64AVX2}, bank{4, run4F64AVX2}, bank{1, run1F64AVX2}), true
	case simd.AVX512:
		return machineOf[float64](64, bank{16, run16F64AVX512}, bank{8, run8F64AVX512}, bank{2, run2F64AVX512}, bank{1, run1F64AVX512}), true
	}
	return Machine[float64]{}, false
}
