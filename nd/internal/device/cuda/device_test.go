package cuda

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
)

// The device's own part, memory, queues, marks and events, is held to the
// whole suite on a simulated GPU.
func TestConformanceSimulated(t *testing.T) {
	devicetest.Run(t, func() device.Device {
		d, _ := openSim(t)
		return d
	})
}
