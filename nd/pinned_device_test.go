package nd

import (
	"sync/atomic"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
)

// pinningCPU is a CPU that counts what is pinned.
type pinningCPU struct {
	device.Device
	bytes atomic.Int64
}

func (p *pinningCPU) Pin(mem []byte) error { p.bytes.Add(int64(len(mem))); return nil }
func (p *pinningCPU) Unpin(mem []byte)     { p.bytes.Add(-int64(len(mem))) }

// Pinned reaches the device behind the one that has its figures.
func TestPinnedOfTunedDevice(t *testing.T) {
	dev := &pinningCPU{Device: cpu.Open(cpu.Options{Workers: 1})}
	d, err := engine.Open(engine.Register("pinning", func() (device.Device, error) { return tuned(dev), nil }))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	mem, err := Pinned[float32](&Device{d}, 1000)
	if err != nil || len(mem) != 1000 || dev.bytes.Load() < 4000 {
		t.Errorf("%d elements, %d bytes pinned, %v", len(mem), dev.bytes.Load(), err)
	}
}
