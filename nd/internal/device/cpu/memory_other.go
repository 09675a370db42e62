//go:build !linux && !darwin && !windows

package cpu

// memoryBytes is 0: unknown.
func memoryBytes() int { return 0 }
