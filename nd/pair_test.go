package nd

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
)

// Pairs are two GPUs of a kind each, by their kind: those that the machine plays, and
// two contexts of one card where there is one.
func Pairs(t *testing.T) map[string][2]*Device {
	t.Helper()
	open := func(name string, of func() (device.Device, error)) *Device {
		d, err := engine.Open(engine.Register(name, of))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		return deviceOf(d)
	}
	out := map[string][2]*Device{"simulated GPUs": {open("played:0", simulated), open("played:1", simulated)}}
	if n, _ := cuda.Count(); n > 0 {
		out["contexts of a card"] = [2]*Device{
			open("card", func() (device.Device, error) { return cuda.Open(0) }),
			open("card again", func() (device.Device, error) { return cuda.OpenContext(0) }),
		}
	}
	return out
}
