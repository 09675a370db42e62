package nd

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
)

// LikeGPUs are devices that compute nothing and have the plans of an H200, and of a
// card as fast as one through WebGPU: what differs is what kernels can do. They make
// the kernels of line programs, and run none.
func LikeGPUs(t *testing.T) (h200, adapter *Device) {
	t.Helper()
	like := func(info device.Info, target kgen.Target) *Device {
		info.Name = "like " + info.Name
		refuse := func(p ir.Program) error {
			if _, isLine := p.(*ir.Line); !isLine {
				return nil
			}
			_, err := line.Generate(p, target)
			return err
		}
		d, err := engine.Open(engine.Register(info.Name, func() (device.Device, error) { return null.New(null.Options{Info: &info, Refuse: refuse}), nil }))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		return deviceOf(d)
	}
	card := &driver.Adapter{Name: "a card", Kind: driver.Discrete, Backend: "Vulkan", Limits: driver.Limits{GroupThreads: 1024, GroupStorage: 32 << 10, StorageBinding: 2 << 30}}
	fast, any := cuda.InfoOf(90, 132, 227<<10), webgpu.InfoOf(card)
	any.Workers, any.Figures = fast.Workers, fast.Figures
	h200Target := kgen.Target{Processors: 132, SharedBytes: 48 << 10, Subgroup: 32, Wide: true, Tensor: true, Arch: 90, PoolBytes: 227 << 10, Cluster: 16}
	return like(fast, h200Target), like(any, webgpu.TargetOf(card))
}
