package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Generate writes the kernels of a program. The error wraps
// device.ErrUnsupported for programs that are not of this package.
func Generate(p ir.Program, card emit.Card) (*emit.Module, error) {
	switch p := p.(type) {
	case *ir.Map:
		return generateMap(p, card)
	case *ir.Reduce:
		return generateReduce(p)
	case *ir.Scan:
		return generateScan(p, card)
	case *ir.Gather:
		return generateGather(p)
	case *ir.Sort:
		return generateSort(p)
	case *ir.Scatter:
		return generateScatter(p)
	case *ir.Overlap:
		return generateOverlap(p)
	case *ir.Gemm:
		return generateGemm(p, card)
	case *ir.Batch:
		return generateBatch(p, card)
	}
	return nil, fmt.Errorf("cuda: %s: %w", p.Name(), device.ErrUnsupported)
}
