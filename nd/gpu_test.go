package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// With TWIDDLE_TEST_DEVICE=cuda:0, or webgpu:0, the tests of this package run on that
// GPU: it takes the place of the device that arrays are made on.
func init() {
	name := testdevice.Name()
	if name == "" {
		return
	}
	var index int
	open := func() (device.Device, error) { return cuda.Open(index) }
	if _, err := fmt.Sscanf(name, "webgpu:%d", &index); err == nil {
		open = func() (device.Device, error) { return webgpu.Open(index) }
	} else if _, err := fmt.Sscanf(name, "cuda:%d", &index); err != nil {
		panic(fmt.Sprintf("%s=%q: want cuda:0 or webgpu:0", testdevice.Variable, name))
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
