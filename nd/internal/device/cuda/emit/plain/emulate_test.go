package plain

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit/emulate"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// h200 is the card most of this was tuned for.
var h200 = emit.Card{Arch: 90, Processors: 132, SharedBytes: 227 << 10, L2Bytes: 60 << 20}

// The conformance suite on emulated kernels. It compiles some hundred texts,
// so it only runs when asked for by name.
func TestEmulated(t *testing.T) {
	if err := emulate.Available(); err != nil {
		t.Skip(err)
	}
	devicetest.Run(t, func() device.Device {
		return &emulate.Device{Generate: func(p kern.Program) (*emit.Module, error) { return Generate(p, h200) }}
	})
}
