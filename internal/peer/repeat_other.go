//go:build !((amd64 || arm64) && (linux || darwin))

package peer

import "github.com/twiddle-go/twiddle/internal/clib"

// repeat calls a C function of up to three integer arguments count times.
// Here each call crosses from Go to C, so the peer's time includes that.
func repeat(count int, function, a, b, c uintptr) {
	for range count {
		clib.Call(function, a, b, c)
	}
}
