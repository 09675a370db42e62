package npy

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// Load reads a file as an Array, of the file's shape and type. Types that arrays do not
// have become the next larger one: uint16 Int32 and uint64, where the numbers fit, Int64.
func Load(name string) (*nd.Array, error) {
	a, err := ReadFile(name)
	if err != nil {
		return nil, err
	}
	x, err := a.Array()
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, name)
	}
	return x, x.Err()
}

// Array is the content as an Array, as Load gives it.
func (a *Array) Array() (*nd.Array, error) {
	switch a.DType {
	case Bool:
		return values[bool](a)
	case Uint8:
		return values[uint8](a)
	case Int8:
		return values[int8](a)
	case Int16:
		return values[int16](a)
	case Int32:
		return values[int32](a)
	case Int64:
		return values[int64](a)
	case Uint32:
		return values[uint32](a)
	case Float16:
		half, err := Values[Half](a)
		if err != nil {
			return nil, err
		}
		bits := make([]nd.F16, len(half))
		for i, h := range half {
			bits[i] = nd.F16(h)
		}
		return shaped(bits, a.Shape)
	case Float32:
		return values[float32](a)
	case Float64:
		return values[float64](a)
	case Complex64:
		return values[complex64](a)
	case Complex128:
		return values[complex128](a)
	case Uint16:
		return widened(a)
	}
	if a.DType == Uint64 {
		list, err := Values[uint64](a)
		if err != nil {
			return nil, err
		}
		wide := make([]int64, len(list))
		for i, v := range list {
			if wide[i] = int64(v); wide[i] < 0 {
				return nil, fmt.Errorf("npy: load: element %d is %d, which no Int64 holds", i, v)
			}
		}
		return shaped(wide, a.Shape)
	}
	return nil, fmt.Errorf("npy: load: arrays have no elements of type %v", a.DType)
}

// values is elements as they are.
func values[T interface {
	Element
	nd.Element
}](a *Array) (*nd.Array, error) {
	v, err := Values[T](a)
	if err != nil {
		return nil, err
	}
	return shaped(v, a.Shape)
}

// widened is integers of 16 bits without a sign as Int32.
func widened(a *Array) (*nd.Array, error) {
	v, err := Values[uint16](a)
	if err != nil {
		return nil, err
	}
	wide := make([]int32, len(v))
	for i, n := range v {
		wide[i] = int32(n)
	}
	return shaped(wide, a.Shape)
}

// shaped is an Array of a shape; none is that of a single number.
func shaped[T nd.Element](v []T, shape []int) (*nd.Array, error) {
	x := nd.From(v, len(v)).Reshape(shape...)
	return x, x.Err()
}

// Save computes an Array and writes it to a file. BFloat16, which NumPy does not have,
// becomes float32.
func Save(ctx context.Context, name string, x *nd.Array) error {
	a, err := FromArray(ctx, x)
	if err != nil {
		return err
	}
	return WriteFile(name, a)
}

// FromArray computes an Array and is its content.
func FromArray(ctx context.Context, x *nd.Array) (*Array, error) {
	if err := x.Err(); err != nil {
		return nil, err
	}
	switch x.DType() {
	case nd.Bool:
		return content[bool](ctx, x)
	case nd.Uint8:
		return content[uint8](ctx, x)
	case nd.Int8:
		return content[int8](ctx, x)
	case nd.Int16:
		return content[int16](ctx, x)
	case nd.Int32:
		return content[int32](ctx, x)
	case nd.Int64:
		return content[int64](ctx, x)
	case nd.Uint32:
		return content[uint32](ctx, x)
	case nd.Float16:
		bits, err := nd.Slice[nd.F16](ctx, x)
		if err != nil {
			return nil, err
		}
		half := make([]Half, len(bits))
		for i, b := range bits {
			half[i] = Half(b)
		}
		return From(half, x.Shape()...)
	case nd.BFloat16:
		return content[float32](ctx, x.Cast(nd.Float32))
	case nd.Float32:
		return content[float32](ctx, x)
	case nd.Float64:
		return content[float64](ctx, x)
	case nd.Complex64:
		return content[complex64](ctx, x)
	}
	return content[complex128](ctx, x)
}

func content[T interface {
	Element
	nd.Element
}](ctx context.Context, x *nd.Array) (*Array, error) {
	v, err := nd.Slice[T](ctx, x)
	if err != nil {
		return nil, err
	}
	return From(v, x.Shape()...)
}
