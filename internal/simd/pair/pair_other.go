//go:build !amd64

package pair

import "github.com/twiddle-go/twiddle/internal/simd"

func accelerate(simd.Level, *Table) {}
