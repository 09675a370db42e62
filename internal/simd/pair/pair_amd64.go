package pair

import "github.com/twiddle-go/twiddle/internal/simd"

//go:generate go -C ../_gen run ./pair

// accelerate uses AVX2 on machines with AVX-512, too: from the second cache on
// the blocks come no faster than that.
func accelerate(l simd.Level, t *Table) {
	if l == simd.AVX2 || l == simd.AVX512 {
		*t = Table{F32: Kernel{factorF32, 8}, F64: Kernel{factorF64, 4}, C64: Kernel{factorC64, 4}, C128: Kernel{factorC128, 2}}
	}
}
