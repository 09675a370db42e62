//go:build (linux || darwin) && (amd64 || arm64)

package peer

import "github.com/twiddle-go/twiddle/internal/clib"

// repeatC calls fn(a, b, c) count times. It obeys the C calling convention,
// not Go's: it is reached through repeatAddress only.
//
//lint:ignore U1000 the linker takes its address, in repeat_amd64.s and repeat_arm64.s
func repeatC()

// repeatAddress holds the address of repeatC, set by the linker.
var repeatAddress uintptr

// repeat calls a C function of up to three integer arguments count times.
// Crossing from Go to C costs as much as a transform of a hundred points, so
// the loop runs on the far side and the peer is charged for its work alone.
func repeat(count int, function, a, b, c uintptr) {
	if count > 0 {
		clib.Call(repeatAddress, uintptr(count), function, a, b, c)
	}
}
