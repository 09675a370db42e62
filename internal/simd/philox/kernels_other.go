//go:build !amd64 && !arm64

package philox

import "github.com/twiddle-go/twiddle/internal/simd"

func accelerate(simd.Level, *Kernels) {}
