package gemm

import "github.com/twiddle-go/twiddle/internal/simd"

var (
	stripsAVX2   = [2]strip{strip1AVX2, strip2AVX2}
	stripsAVX512 = [2]strip{strip1AVX512, strip2AVX512}
)

// Depths are such that a panel of b, two vectors wide, and a panel of a fill
// L1 on machines of each level: 32 KiB and 14 KiB of 48 KiB on AVX-512, 16 KiB
// and 6 KiB of 32 KiB on AVX2.
func accelerate(l simd.Level, b32 *blocking[float32], b64 *blocking[float64]) {
	switch l {
	case simd.AVX2:
		*b32 = blocking[float32]{tilesF32AVX2, stripsAVX2, squeezeAVX2, patchAVX2, 8, 256}
		*b64 = blocking[float64]{tilesF64AVX2, stripsAVX2, squeezeAVX2, patchAVX2, 4, 256}
	case simd.AVX512:
		*b32 = blocking[float32]{tilesF32AVX512, stripsAVX512, squeezeAVX512, patchAVX512, 16, 256}
		*b64 = blocking[float64]{tilesF64AVX512, stripsAVX512, squeezeAVX512, patchAVX512, 8, 256}
	}
}
