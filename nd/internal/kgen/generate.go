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
	k, err := kernelsOf(p, target)
	if err != nil {
		return nil, err
	}
	return k.module()
}

// kernelsOf is the kernels of a program: none if there is nothing to do.
func kernelsOf(p ir.Program, target Target) (*kernels, error) {
	if ir.IsEmpty(p) {
		return &kernels{}, nil
	}
	switch p := p.(type) {
	case *ir.Map:
		return mapKernels(p, target), nil
	case *ir.Reduce:
		return reductionOf(p, target).kernels(), nil
	case *ir.Scan:
		return scanKernels(p, target), nil
	case *ir.Gather:
		return gatherKernels(p, target), nil
	case *ir.Sort:
		return sortKernels(p, target)
	case *ir.Scatter:
		return scatterKernels(p, target)
	case *ir.Overlap:
		return overlapKernels(p, target)
	case *ir.Gemm:
		return gemmKernels(p, target)
	case *ir.Batch:
		return batchKernels(p, target)
	}
	return nil, fmt.Errorf("kgen: %s: %w", p.Name(), device.ErrUnsupported)
}
