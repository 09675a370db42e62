//go:build !amd64 && !arm64

package gemm

import "github.com/twiddle-go/twiddle/internal/simd"

func accelerate(simd.Level, *blocking[float32], *blocking[float64]) {}
