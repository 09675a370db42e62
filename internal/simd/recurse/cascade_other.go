//go:build !amd64

package recurse

import "github.com/twiddle-go/twiddle/internal/simd"

func cascaded(simd.Level) Cascade { return nil }
