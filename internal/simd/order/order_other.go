//go:build !amd64

package order

import "github.com/twiddle-go/twiddle/internal/simd"

func assembled[K Key](simd.Level, K) any { return nil }
