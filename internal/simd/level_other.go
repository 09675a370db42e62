//go:build !amd64 && !arm64

package simd

func supported(Level) bool { return false }
