//go:build !amd64 && !arm64

package chain

import "github.com/twiddle-go/twiddle/internal/simd"

func fast32(simd.Level) (Machine[float32], bool) { return Machine[float32]{}, false }
func fast64(simd.Level) (Machine[float64], bool) { return Machine[float64]{}, false }
