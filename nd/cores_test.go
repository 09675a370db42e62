package nd

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// planForTwoCores gives a test an engine whose CPU has two workers: what is
// worth fusing depends on how many there are.
func planForTwoCores(t *testing.T) {
	t.Helper()
	testdevice.NotOnGPU(t, "plans of the CPU")
	usual := engine
	t.Cleanup(func() { engine = usual })
	engine = sched.NewEngine()
	engine.Checked = usual.Checked
	engine.Register("cpu", func() (device.Device, error) { return tuned(cpu.Open(cpu.Options{Workers: 2})), nil })
}
