package kgen

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Generate makes the kernels of a program. The error wraps
// device.ErrUnsupported for programs that are not of this package.
func Generate(p ir.Program, target Target) (*Module, error) {
	switch p := p.(type) {
	case *ir.Map:
		if ir.Count(p.Dims) == 0 {
			return &Module{}, nil
		}
		return mapKernels(p, target).module()
	case *ir.Reduce:
		return reductionOf(p).module()
	case *ir.Scan:
		if ir.Count(p.Dims) == 0 {
			return &Module{}, nil
		}
		return scanKernels(p, target).module()
	case *ir.Gather:
		if ir.Count(p.Dims) == 0 {
			return &Module{}, nil
		}
		return gatherKernels(p).module()
	case *ir.Sort:
		return sortModule(p)
	case *ir.Scatter:
		return scatterModule(p)
	case *ir.Overlap:
		return overlapModule(p)
	case *ir.Gemm:
		return gemmModule(p, target)
	case *ir.Batch:
		return batchModule(p, target)
	}
	return nil, fmt.Errorf("kgen: %s: %w", p.Name(), device.ErrUnsupported)
}
