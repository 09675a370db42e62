package kernels

import (
	"embed"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

//go:embed body/*.metal
var bodies embed.FS

func text(name string) string {
	b, err := bodies.ReadFile("body/" + name + ".metal")
	if err != nil {
		panic(err) // embedded when the package was built
	}
	return string(b)
}

// kernel reads a body; header may be empty.
func kernel(name, header string, inputs, outputs []string) *nd.Kernel {
	k := &nd.Kernel{Name: name, Inputs: inputs, Outputs: outputs, Source: text(name), File: name + ".metal"}
	if header != "" {
		k.Header = text(header)
	}
	return k
}

var (
	expBody         = kernel("exp", "", []string{"x"}, []string{"y"})
	columnDot       = kernel("column_dot", "", []string{"q", "v"}, []string{"c"})
	columnDotLanes  = kernel("column_dot_lanes", "", []string{"q", "v"}, []string{"c"})
	subtractProduct = kernel("subtract_product", "", []string{"v", "q", "c"}, []string{"y"})
	gemm            = kernel("gemm", "", []string{"a", "b"}, []string{"c"})
	shortConv       = kernel("short_conv", "", []string{"x", "w"}, []string{"y"})
	complexMul      = kernel("complex_mul", "", []string{"a", "b"}, []string{"y"})
	rowSum          = kernel("row_sum", "", []string{"x"}, []string{"y"})
	fftRadix2       = kernel("fft_radix2", "complex", []string{"x", "w"}, []string{"y"})
	fftRadix4       = kernel("fft_radix4", "complex", []string{"x", "w"}, []string{"y"})
	exactDot        = kernel("exact_dot", "exact", []string{"x", "y"}, []string{"limbs"})
	exactRound      = kernel("exact_round", "exact", []string{"limbs"}, []string{"y"})
)

// All lists the kernels of the package.
func All() []*nd.Kernel {
	return []*nd.Kernel{expBody, columnDot, columnDotLanes, subtractProduct, gemm, shortConv, complexMul, rowSum,
		fftRadix2, fftRadix4, exactDot, exactRound}
}

// wants checks an argument's type, and its number of axes unless that is -1.
func wants(name string, a *nd.Array, t nd.DType, axes int) error {
	if a == nil || a.Err() != nil {
		return nil // nd reports it
	}
	switch {
	case a.DType() != t:
		return fmt.Errorf("%s is %s: want %s", name, a.DType(), t)
	case axes >= 0 && a.NDim() != axes:
		return fmt.Errorf("%s has shape %v: want %d axes", name, a.Shape(), axes)
	}
	return nil
}

// first is the first error, as an array, or nil.
func first(op string, operands []*nd.Array, errs ...error) *nd.Array {
	for i, a := range operands {
		if a == nil {
			return nd.Fail("kernels", op, fmt.Errorf("argument %d is a nil Array", i+1))
		}
		if a.Err() != nil {
			return a
		}
	}
	for _, err := range errs {
		if err != nil {
			return nd.Fail("kernels", op, err, operands...)
		}
	}
	return nil
}

// roundUp is the least multiple of to that holds n.
func roundUp(n, to int) int { return (n + to - 1) / to * to }
