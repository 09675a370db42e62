package outer

import "github.com/twiddle-go/twiddle/internal/simd"

func assembled(l simd.Level) kernels {
	switch l {
	case simd.AVX2:
		return kernels{[]tile{tile2x1AVX2, tile2x2AVX2}, 4, gatherAVX2}
	case simd.AVX512:
		return kernels{[]tile{tile2x1AVX512, tile2x2AVX512, tile2x3AVX512, tile2x4AVX512, tile2x5AVX512, tile2x6AVX512}, 8, gatherAVX512}
	}
	return kernels{}
}
