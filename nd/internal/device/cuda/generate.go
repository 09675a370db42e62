package cuda

import (
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
)

// generate makes the kernels of a program.
func generate(p ir.Program, card emit.Card) (*emit.Module, error) {
	switch p := p.(type) {
	case *ir.Custom:
		return generateCustom(p, card)
	case *ir.FFT, *ir.Butterfly, *ir.Line:
		return printed(line.Generate(p, card.Target()))
	}
	return printed(kgen.Generate(p, card.Target()))
}

func printed(m *kgen.Module, err error) (*emit.Module, error) {
	if err != nil {
		return nil, err
	}
	return emit.Printed(m), nil
}
