package gemm

import "github.com/twiddle-go/twiddle/internal/simd"

// blocks32 and blocks64 say how each level cuts products.
var blocks32, blocks64 = levels()

func levels() (b32 [simd.AVX512 + 1]blocking[float32], b64 [simd.AVX512 + 1]blocking[float64]) {
	for l := range b32 {
		b32[l] = portableBlocking[float32]()
		b64[l] = portableBlocking[float64]()
	}
	for _, l := range simd.Available() {
		accelerate(l, &b32[l], &b64[l])
	}
	return b32, b64
}

func portableBlocking[R float32 | float64]() blocking[R] {
	b := blocking[R]{patch: portablePatch, lanes: portableLanes, depth: 256}
	for rows := 1; rows <= 4; rows++ {
		b.tiles = append(b.tiles, [2]tile[R]{portableTile[R](rows, 1), portableTile[R](rows, 2)})
	}
	return b
}
