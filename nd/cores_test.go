package nd

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// planForTwoCores gives a test an engine whose CPU has two workers and always the same
// figures: what is worth fusing depends on both, and figures differ by chip.
func planForTwoCores(t *testing.T) {
	t.Helper()
	testdevice.NotOnGPU(t, "plans of the CPU")
	usual := engine
	t.Cleanup(func() { engine = usual })
	engine = sched.NewEngine()
	engine.Checked = usual.Checked
	engine.Register("cpu", func() (device.Device, error) {
		d := cpu.Open(cpu.Options{Workers: 2})
		info := d.Info()
		f := &info.Figures
		f.CopyBytesPerNs, f.OpsPerNs, f.FFTOpsPerNs, f.GemmOpsPerNs = 28, 20, 100, 200
		f.LaunchNs, f.SyncNs = 550, 1100
		return &tunedDevice{Device: d, info: info}, nil
	})
}
