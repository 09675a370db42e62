//go:build !amd64 && !arm64

package median

import "github.com/twiddle-go/twiddle/internal/simd"

func assembled(simd.Level) Slide { return nil }
