package chain

import "github.com/twiddle-go/twiddle/internal/simd"

func fast32(l simd.Level) (Machine[float32], bool) {
	if l != simd.NEON {
		return Machine[float32]{}, false
	}
	return machineOf[float32](16, bank{16, run16F32NEON}, bank{4, run4F32NEON}, bank{1, run1F32NEON}), true
}

func fast64(l simd.Level) (Machine[float64], bool) {
	if l != simd.NEON {
		return Machine[float64]{}, false
	}
	return machineOf[float64](16, bank{16, run16F64NEON}, bank{4, run4F64NEON}, bank{1, run1F64NEON}), true
}
