package kgen

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Generate makes the kernels of a program. The error wraps
// device.ErrUnsupported for programs that are not of this package.
func Generate(p ir.Program, target Target) (*Module, error) {
	if !target.Wide {
		bytes, err := ir.Bytes(p)
		if err != nil {
			return nil, err
		}
		for _, n := range bytes {
			if n > narrowMost {
				return nil, fmt.Errorf("kgen: %s: an operand of %d bytes, with positions of 32 bits: %w", p.Name(), n, device.ErrUnsupported)
			}
		}
	}
	switch p := p.(type) {
	case *ir.Map:
		if ir.Count(p.Dims) == 0 {
			return &Module{}, nil
		}
		return mapKernels(p, target).module()
	case *ir.Reduce:
		return reductionOf(p, target).module()
	case *ir.Scan:
		if ir.Count(p.Dims) == 0 {
			return &Module{}, nil
		}
		return scanKernels(p, target).module()
	case *ir.Gather:
		if ir.Count(p.Dims) == 0 {
			return &Module{}, nil
		}
		return gatherKernels(p, target).module()
	case *ir.Sort:
		return sortModule(p, target)
	case *ir.Scatter:
		return scatterModule(p, target)
	case *ir.Overlap:
		return overlapModule(p, target)
	case *ir.Gemm:
		return gemmModule(p, target)
	case *ir.Batch:
		return batchModule(p, target)
	}
	return nil, fmt.Errorf("kgen: %s: %w", p.Name(), device.ErrUnsupported)
}
