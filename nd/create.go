package nd

import (
	"bytes"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Real is the set of Go types that Arange counts in.
type Real interface {
	uint8 | int8 | int16 | int | int32 | int64 | uint32 | float32 | float64
}

// From makes an Array from a copy of data, in row-major order. Without a shape it has one
// axis; one dimension of the shape may be -1. The elements are copied once more when a
// device first needs them, so Upload is faster for large data.
func From[T Element](data []T, shape ...int) *Array {
	return fromHost("from", elem.Of[T](), elem.Clone(elem.Bytes(data)), len(data), shape)
}

// fromHost makes an Array of n elements, given as bytes that it may keep.
func fromHost(op string, t DType, host []byte, n int, dims []int) *Array {
	if len(dims) == 0 {
		dims = []int{n}
	}
	dims, err := shape.Infer(n, dims)
	if err != nil {
		return failed(op, err)
	}
	return fromHostShaped(op, t, host, dims)
}

func fromHostShaped(op string, t DType, host []byte, dims []int) *Array {
	node, err := graph.NewData(graph.Place{}, t, dims)
	if err == nil {
		node.Hold(graph.NewHost(host))
	}
	return built(op, node, err)
}

// Scalar makes a 0-d Array of one element.
func Scalar[T Element](v T) *Array {
	return fromHostShaped("scalar", elem.Of[T](), bytes.Clone(elem.Bytes([]T{v})), []int{})
}

// Zeros is 0, or false, everywhere.
func Zeros(t DType, shape ...int) *Array { return full("zeros", scalar.Arg{}, t, shape) }

// Ones is 1, or true, everywhere.
func Ones(t DType, shape ...int) *Array { return full("ones", scalar.ArgOf(t, 1), t, shape) }

// Full is value everywhere. The value is any Go number, or a bool, that t can
// hold.
func Full(value any, t DType, shape ...int) *Array {
	v, err := constant(t, value)
	if err != nil && t.Valid() { // else the type is what is wrong
		return failed("full", err)
	}
	return full("full", v, t, shape)
}

// FullLike is value everywhere, with the shape, the element type and the
// stream of a.
func FullLike(a *Array, value any) *Array {
	if bad := unusable("full_like", a); bad != nil {
		return bad
	}
	v, err := constant(a.node.Type, value)
	if err != nil {
		return failed("full_like", err, a)
	}
	n, err := graph.NewFull(a.node.Place(), a.node.Type, v, a.node.Shape)
	return built("full_like", n, err, a)
}

func full(op string, v scalar.Arg, t DType, dims []int) *Array {
	n, err := graph.NewFull(graph.Place{}, t, v, clone(dims))
	return built(op, n, err)
}

// literal is value everywhere, like n, for an operation on n.
func literal(n *graph.Node, value any) (*graph.Node, error) {
	v, err := constant(n.Type, value)
	if err != nil {
		return nil, err
	}
	return graph.NewLiteral(n.Place(), n.Type, v, n.Shape)
}

// clone copies a caller's list of numbers, which a node keeps; never nil.
func clone(s []int) []int { return append(make([]int, 0, len(s)), s...) }

// Arange counts from start towards stop, which is not reached, in steps:
// Arange(0, 10, 1) is int64, Arange(0, 1, 0.1) float64. The elements of float
// types are start + i*step computed in float64.
func Arange[T Real](start, stop, step T) *Array {
	t := elem.Of[T]()
	if t.IsFloat() {
		n := math.Ceil((float64(stop) - float64(start)) / float64(step))
		switch {
		case step == 0 || math.IsNaN(n):
			return failed("arange", fmt.Errorf("no steps of %v from %v to %v", step, start, stop))
		case n > shape.MaxElems:
			return failed("arange", fmt.Errorf("too many steps of %v from %v to %v", step, start, stop))
		}
		i := index("arange", 0, int(max(n, 0))).Cast(Float64)
		return named("arange", i.MulScalar(float64(step)).AddScalar(float64(start)).Cast(t))
	}
	if step == 0 {
		return failed("arange", fmt.Errorf("no steps of %v from %v to %v", step, start, stop))
	}
	// Distances between int64 numbers fit in uint64, where -x is also the
	// magnitude of the most negative number.
	first, last, by := int64(start), int64(stop), int64(step)
	distance, stride := uint64(last)-uint64(first), uint64(by)
	forward := last > first
	if step < 0 {
		distance, stride, forward = -distance, -stride, last < first
	}
	n := uint64(0)
	if forward {
		n = (distance-1)/stride + 1
	}
	if n > shape.MaxElems {
		return failed("arange", fmt.Errorf("too many steps of %v from %v to %v", step, start, stop))
	}
	i := index("arange", 0, int(n))
	if first == 0 && by == 1 {
		return named("arange", i.Cast(t)) // of int64 nothing but a source, which On makes anywhere
	}
	return named("arange", i.MulScalar(by).AddScalar(first).Cast(t))
}

// index is the int64 position along an axis of dims.
func index(op string, axis int, dims ...int) *Array {
	n, err := graph.NewIota(graph.Place{}, axis, dims)
	return built(op, n, err)
}

// Linspace is n evenly spaced numbers from start to stop, both included. They
// are computed in float64, and the last is exactly stop. Between two ints they
// are float64, as in Linspace(0, 1, 5).
func Linspace[T int | float32 | float64](start, stop T, n int) *Array {
	if n < 0 {
		return failed("linspace", fmt.Errorf("%d numbers", n))
	}
	i := index("linspace", 0, n)
	step := (float64(stop) - float64(start)) / float64(max(n-1, 1))
	line := i.Cast(Float64).MulScalar(step).AddScalar(float64(start))
	if n > 1 {
		line = Where(i.EqualScalar(n-1), FullLike(line, float64(stop)), line)
	}
	t := elem.Of[T]()
	if !t.IsFloat() {
		t = Float64
	}
	return named("linspace", line.Cast(t))
}

// Eye is the n by n identity matrix.
func Eye(t DType, n int) *Array {
	row, column := index("eye", 0, n, n), index("eye", 1, n, n)
	return named("eye", row.Equal(column).Cast(t))
}
