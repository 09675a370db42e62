package cuda

import (
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit/plain"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// generate writes the kernels of a program.
func generate(p kern.Program, card emit.Card) (*emit.Module, error) {
	if c, ok := p.(*kern.Custom); ok {
		return generateCustom(c, card)
	}
	return plain.Generate(p, card)
}
