package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// With TWIDDLE_TEST_DEVICE=cuda:0, or webgpu:0, the tests of this package run on that
// GPU: it takes the place of the device that arrays are made on. With =simulated, kernels
// for an H200 are run by the machine, which checks bounds, races and barriers; with
// =simulated-webgpu, those for any GPU, without float64 and with 32 KiB of shared memory.
func init() {
	name := testdevice.Name()
	if name == "" {
		return
	}
	var index int
	open := func() (device.Device, error) { return cuda.Open(index) }
	if _, err := fmt.Sscanf(name, "webgpu:%d", &index); err == nil {
		open = func() (device.Device, error) { return webgpu.Open(index) }
	} else if name == "simulated" {
		open = simulated
	} else if name == "simulated-webgpu" {
		open = simulatedWebGPU
	} else if _, err := fmt.Sscanf(name, "cuda:%d", &index); err != nil {
		panic(fmt.Sprintf("%s=%q: want cuda:0, webgpu:0, simulated or simulated-webgpu", testdevice.Variable, name))
	}
	engine = sched.NewEngine()
	engine.Checked = true
	engine.Register("cpu", func() (device.Device, error) {
		d, err := open()
		if err != nil {
			return nil, err
		}
		return tuned(d), nil
	})
	engine.Register("null", func() (device.Device, error) { return null.New(null.Options{}), nil })
}

// simulated is an H200 that the machine plays.
func simulated() (device.Device, error) {
	const processors, shared = 132, 227 << 10
	target := kgen.Target{Arch: 90, Processors: processors, SharedBytes: 48 << 10, PoolBytes: shared, Subgroup: 32, Wide: true, Tensor: true, Cluster: 16}
	return played(target, cuda.InfoOf(target.Arch, processors, shared)), nil
}

// simulatedWebGPU is an adapter that the machine plays.
func simulatedWebGPU() (device.Device, error) {
	adapter := &driver.Adapter{Name: "simulated", Limits: driver.Limits{GroupStorage: 32 << 10}}
	return played(webgpu.TargetOf(adapter), webgpu.InfoOf(adapter)), nil
}

func played(target kgen.Target, about device.Info) device.Device {
	return &simulate.Device{
		Generate: func(p ir.Program) (*kgen.Module, error) { return line.Generate(p, target) },
		About:    about,
		Check:    true,
	}
}
