package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// Generate writes the kernels of a program. The error wraps
// device.ErrUnsupported for programs that are not of this package.
func Generate(p kern.Program, card emit.Card) (*emit.Module, error) {
	switch p := p.(type) {
	case *kern.Map:
		return generateMap(p, card)
	case *kern.Reduce:
		return generateReduce(p)
	case *kern.Scan:
		return generateScan(p, card)
	case *kern.Gather:
		return generateGather(p)
	case *kern.Sort:
		return generateSort(p)
	case *kern.Scatter:
		return generateScatter(p)
	case *kern.Overlap:
		return generateOverlap(p)
	case *kern.Gemm:
		return generateGemm(p, card)
	case *kern.Batch:
		return generateBatch(p, card)
	}
	return nil, fmt.Errorf("cuda: %s: %w", p.Name(), device.ErrUnsupported)
}
