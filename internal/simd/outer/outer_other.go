//go:build !amd64 && !arm64

package outer

import "github.com/twiddle-go/twiddle/internal/simd"

func assembled(simd.Level) kernels { return kernels{} }
