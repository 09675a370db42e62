package cuda

import (
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
)

// generate makes the kernels of a program.
func generate(p ir.Program, card emit.Card) (*emit.Module, error) {
	if c, ok := p.(*ir.Custom); ok {
		return generateCustom(c, card)
	}
	m, err := line.Generate(p, card.Target())
	if err != nil {
		return nil, err
	}
	return emit.Printed(m), nil
}
