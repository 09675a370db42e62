package webgpu

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
)

// Every adapter of the machine is held to the whole suite. .ci/run installs two that
// are software.
func TestConformance(t *testing.T) {
	list, err := adapters()
	if err != nil {
		t.Skip(err)
	}
	for i, a := range list {
		t.Run(a.Name, func(t *testing.T) {
			devicetest.Run(t, func() device.Device {
				d, err := Open(i)
				if err != nil {
					t.Skip(err)
				}
				return d
			})
		})
	}
}
