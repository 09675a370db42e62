package cuda

import (
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit/lines"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit/plain"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/line"
)

// generate writes the kernels of a program.
func generate(p kern.Program, card emit.Card) (*emit.Module, error) {
	switch p := p.(type) {
	case *kern.Custom:
		return generateCustom(p, card)
	case *kern.FFT, *kern.Butterfly, *line.Program:
		return lines.Generate(p, card)
	}
	return plain.Generate(p, card)
}
