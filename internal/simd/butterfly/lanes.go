package butterfly

import "github.com/twiddle-go/twiddle/internal/simd"

// Lanes is the number of components of the given width (32 or 64 bits) that a
// vector of the level holds, 1 for portable code.
func Lanes(level simd.Level, bits int) int {
	switch level {
	case simd.AVX2:
		return 256 / bits
	case simd.AVX512:
		return 512 / bits
	}
	return 1
}
