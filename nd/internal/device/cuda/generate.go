package cuda

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// generate writes the kernels of a program.
func generate(p kern.Program, card emit.Card) (*emit.Module, error) {
	return nil, fmt.Errorf("cuda: %s: %w", p.Name(), device.ErrUnsupported)
}
