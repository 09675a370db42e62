package cuda

import (
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit/lines"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
)

// generate writes the kernels of a program.
func generate(p ir.Program, card emit.Card) (*emit.Module, error) {
	switch p := p.(type) {
	case *ir.Custom:
		return generateCustom(p, card)
	case *ir.FFT, *ir.Butterfly, *ir.Line:
		if lines.IsSolo(p, card) {
			return lines.Generate(p, card)
		}
		m, err := line.Generate(p, card.Target())
		if err != nil {
			return nil, err
		}
		return emit.Printed(m), nil
	}
	m, err := kgen.Generate(p, card.Target())
	if err != nil {
		return nil, err
	}
	return emit.Printed(m), nil
}
