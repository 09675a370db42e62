package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// collectVector collects a multiple of 16 elements, and returns how many.
func collectVector(level simd.Level, dst, src unsafe.Pointer, places []int32, size int) int {
	n := len(places) &^ 15
	if n == 0 {
		return 0
	}
	switch {
	case size == 16 && level >= simd.AVX2:
		collect16AVX2(dst, src, &places[0], n)
	case size == 8 && level == simd.AVX512:
		collect8AVX512(dst, src, &places[0], n)
	case size == 4 && level == simd.AVX512:
		collect4AVX512(dst, src, &places[0], n)
	default:
		return 0
	}
	return n
}

// Elements of 4, 8 and 16 bytes, of which count is a multiple of 16.
//
//go:noescape
func collect4AVX512(dst, src unsafe.Pointer, places *int32, count int)

//go:noescape
func collect8AVX512(dst, src unsafe.Pointer, places *int32, count int)

//go:noescape
func collect16AVX2(dst, src unsafe.Pointer, places *int32, count int)
