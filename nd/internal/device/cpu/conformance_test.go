package cpu_test

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
)

// Every instruction-set level the machine has is held to the same suite, with
// as many workers as it has processors, and the default level with more.
func TestConformance(t *testing.T) {
	for _, level := range simd.Available() {
		for _, workers := range []int{0, 3} {
			if workers != 0 && (level != simd.Active() || testing.Short()) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", level, workers), func(t *testing.T) {
				devicetest.Run(t, func() device.Device {
					return cpu.Open(cpu.Options{Level: level, PortableOnly: level == simd.Portable, Workers: workers})
				})
			})
		}
	}
}
