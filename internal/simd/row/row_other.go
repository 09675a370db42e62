//go:build !amd64 && !arm64

package row

import "github.com/twiddle-go/twiddle/internal/simd"

func accelerate(simd.Level, *Table) {}
