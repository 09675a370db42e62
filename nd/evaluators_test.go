package nd

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// evaluators are the two ways to the elements of an Array, as complex numbers:
// one operation at a time in the plainest code there is, and by the engine.
var evaluators = map[string]func(leaves, *Array) ([]complex128, error){
	"reference": byReference,
	"engine":    byEngine,
}

// leaves remembers the elements of the Arrays that a test makes, for the
// reference to start from.
type leaves map[*graph.Node]reference.Array

// input is From, remembered.
func input[T Element](l leaves, data []T, dims ...int) *Array {
	a := From(data, dims...)
	if a.err == nil {
		l[a.node] = reference.Host(data, a.node.Shape...)
	}
	return a
}

func byReference(l leaves, a *Array) ([]complex128, error) {
	if a.err != nil {
		return nil, a.err
	}
	got, err := reference.Eval(a.node, func(n *graph.Node) (reference.Array, error) {
		if leaf, ok := l[n]; ok {
			return leaf, nil
		}
		return reference.Array{}, fmt.Errorf("leaf %s %v is not known", n.Type, n.Shape)
	})
	return each(got.Values, func(v reference.Value) complex128 {
		if v.Type.IsFloat() || v.Type.IsComplex() {
			return v.Num
		}
		return complex(float64(v.Int), 0)
	}), err
}

func byEngine(_ leaves, a *Array) ([]complex128, error) {
	switch a.DType() {
	case Bool:
		return sliceAs(a, func(v bool) complex128 { return complex(float64(truth(v)), 0) })
	case Uint8:
		return sliceAs(a, whole[uint8])
	case Int32:
		return sliceAs(a, whole[int32])
	case Int64:
		return sliceAs(a, whole[int64])
	case Uint32:
		return sliceAs(a, whole[uint32])
	case Float16:
		return sliceAs(a, func(v F16) complex128 { return complex(float64(v.Float32()), 0) })
	case BFloat16:
		return sliceAs(a, func(v BF16) complex128 { return complex(float64(v.Float32()), 0) })
	case Float32:
		return sliceAs(a, func(v float32) complex128 { return complex(float64(v), 0) })
	case Float64:
		return sliceAs(a, func(v float64) complex128 { return complex(v, 0) })
	case Complex64:
		return sliceAs(a, func(v complex64) complex128 { return complex128(v) })
	}
	return sliceAs(a, func(v complex128) complex128 { return v })
}

func whole[T uint8 | int32 | int64 | uint32](v T) complex128 { return complex(float64(v), 0) }

func sliceAs[T Element](a *Array, f func(T) complex128) ([]complex128, error) {
	v, err := Slice[T](context.Background(), a)
	return each(v, f), err
}
