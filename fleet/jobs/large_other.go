//go:build !linux

package jobs

// large makes room for so many numbers.
func large(n int) []complex64 { return make([]complex64, n) }
