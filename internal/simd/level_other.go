//go:build !amd64

package simd

// supported is the seat for NEON: an arm64 file answers true for NEON once
// there are kernels for it.
func supported(Level) bool { return false }
