package kernels

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// Exp is e to the power of each element of x, which is of a float type.
func Exp(x *nd.Array) *nd.Array {
	const op = "exp"
	if bad := first(op, []*nd.Array{x}); bad != nil {
		return bad
	}
	if !x.DType().IsFloat() {
		return nd.Fail("kernels", op, fmt.Errorf("x is %s: want a float type", x.DType()), x)
	}
	if x.Len() == 0 {
		return x
	}
	return expBody.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{x.Shape()}, Grid: [3]int{x.Len()}})[0]
}

// ComplexMul multiplies complex64 arrays of one shape element by element.
func ComplexMul(a, b *nd.Array) *nd.Array {
	const op = "complex_mul"
	if bad := first(op, []*nd.Array{a, b}, wants("a", a, nd.Complex64, -1), wants("b", b, nd.Complex64, -1)); bad != nil {
		return bad
	}
	if !slices.Equal(a.Shape(), b.Shape()) {
		return nd.Fail("kernels", op, errors.New("shapes differ"), a, b)
	}
	if a.Len() == 0 {
		return a
	}
	return complexMul.Call(nd.Launch{Inputs: []*nd.Array{a, b}, Shapes: [][]int{a.Shape()}, Grid: [3]int{a.Len()}})[0]
}

// ShortConv convolves each line of x, shaped (batch, channels, length), with
// the three taps of its channel in w, shaped (channels, 3). Taps are at t-1, t
// and t+1, or with causal at t-2, t-1 and t; samples outside the line are 0.
func ShortConv(x, w *nd.Array, causal bool) *nd.Array {
	const op = "short_conv"
	if bad := first(op, []*nd.Array{x, w}, wants("x", x, nd.Float32, 3), wants("w", w, nd.Float32, 2)); bad != nil {
		return bad
	}
	s := x.Shape()
	if w.Dim(0) != s[1] || w.Dim(1) != 3 {
		return nd.Fail("kernels", op, fmt.Errorf("taps of shape %v for %d channels: want [%d 3]", w.Shape(), s[1], s[1]), x, w)
	}
	if x.Len() == 0 {
		return x
	}
	offset := -1
	if causal {
		offset = -2
	}
	return shortConv.Call(nd.Launch{Inputs: []*nd.Array{x, w}, Shapes: [][]int{s},
		Grid: [3]int{s[2], s[1], s[0]}, Threadgroup: [3]int{min(256, s[2])}, Template: map[string]any{"FIRST": offset}})[0]
}
