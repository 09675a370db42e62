package nd

import (
	"fmt"
	"os"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// With TWIDDLE_TEST_DEVICE=cuda:0 the tests of this package run on that GPU:
// it takes the place of the device that arrays are made on.
func init() {
	name := os.Getenv("TWIDDLE_TEST_DEVICE")
	if name == "" {
		return
	}
	var index int
	if _, err := fmt.Sscanf(name, "cuda:%d", &index); err != nil {
		panic(fmt.Sprintf("TWIDDLE_TEST_DEVICE=%q: want cuda:0", name))
	}
	engine = sched.NewEngine()
	engine.Checked = true
	engine.Register("cpu", func() (device.Device, error) {
		d, err := cuda.Open(index)
		if err != nil {
			return nil, err
		}
		return tuned(d), nil
	})
}
