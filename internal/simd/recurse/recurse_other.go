//go:build !amd64 && !arm64

package recurse

import "github.com/twiddle-go/twiddle/internal/simd"

func assembled(simd.Level) Section { return nil }
