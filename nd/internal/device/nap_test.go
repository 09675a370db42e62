package device_test

import (
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// BenchmarkNap is 1.1 ms by time.Sleep on Linux.
func BenchmarkNap(b *testing.B) {
	for b.Loop() {
		device.Nap(50 * time.Microsecond)
	}
}
