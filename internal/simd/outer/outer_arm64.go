package outer

import "github.com/twiddle-go/twiddle/internal/simd"

func assembled(l simd.Level) kernels {
	if l == simd.NEON {
		return kernels{[]tile{tile2x1NEON, tile2x2NEON, tile2x3NEON, tile2x4NEON}, 2, gatherNEON}
	}
	return kernels{}
}
