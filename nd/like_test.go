package nd

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
)

// LikeGPUs are devices that compute nothing and have the plans of an H200, and of a
// card as fast as one through WebGPU: what differs is what kernels can do.
func LikeGPUs(t *testing.T) (h200, adapter *Device) {
	t.Helper()
	like := func(info device.Info) *Device {
		info.Name = "like " + info.Name
		d, err := engine.Open(engine.Register(info.Name, func() (device.Device, error) { return null.New(null.Options{Info: &info}), nil }))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		return deviceOf(d)
	}
	card := &driver.Adapter{Name: "a card", Kind: driver.Discrete, Backend: "Vulkan", Limits: driver.Limits{GroupThreads: 1024, GroupStorage: 48 << 10, StorageBinding: 2 << 30}}
	fast, any := cuda.InfoOf(90, 132, 227<<10), webgpu.InfoOf(card)
	any.Workers, any.Figures = fast.Workers, fast.Figures
	return like(fast), like(any)
}
