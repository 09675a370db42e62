//go:build !amd64

package peak

import "github.com/twiddle-go/twiddle/internal/simd"

func kernelsOf(simd.Level) kernels { return portable }
