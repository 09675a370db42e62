package gemm

import "github.com/twiddle-go/twiddle/internal/simd"

// The depth is such that a panel of b, two vectors wide, and a panel of a take 8
// KiB and 12 KiB of the 32 KiB and more that L1 has on machines of this level.
func accelerate(l simd.Level, b32 *blocking[float32], b64 *blocking[float64]) {
	if l != simd.NEON {
		return
	}
	strips := [2]strip{strip1NEON, strip2NEON}
	*b32 = blocking[float32]{tilesF32NEON, strips, squeezeNEON, patchNEON, 4, 256}
	*b64 = blocking[float64]{tilesF64NEON, strips, squeezeNEON, patchNEON, 2, 256}
}
