package npy

import (
	"errors"
	"fmt"
)

// Number is a type that [As] converts to.
type Number interface {
	float32 | float64 | complex64 | complex128
}

// As are the elements in C order, converted to T as NumPy's astype does:
// rounded to nearest where T is narrower, false and true to 0 and 1. Complex
// elements do not become real numbers: that is an error.
func As[T Number](a *Array) ([]T, error) {
	if a == nil {
		return nil, errors.New("npy: as: no array")
	}
	var zero T
	_, is32 := any(zero).(float32)
	_, is64 := any(zero).(float64)
	if a.DType.IsComplex() && (is32 || is64) {
		return nil, fmt.Errorf("npy: as: %v elements do not fit %T", a.DType, zero)
	}
	switch a.DType {
	case Bool:
		return converted(a, func(v bool) complex128 {
			if v {
				return 1
			}
			return 0
		}, fromComplex[T])
	case Int8:
		return integers[int8, T](a)
	case Int16:
		return integers[int16, T](a)
	case Int32:
		return integers[int32, T](a)
	case Int64:
		return integers[int64, T](a)
	case Uint8:
		return integers[uint8, T](a)
	case Uint16:
		return integers[uint16, T](a)
	case Uint32:
		return integers[uint32, T](a)
	case Uint64:
		return integers[uint64, T](a)
	case Float16:
		return converted(a, func(v Half) complex128 { return complex(float64(v.Float32()), 0) }, fromComplex[T])
	case Float32:
		return converted(a, func(v float32) complex128 { return complex(float64(v), 0) }, fromComplex[T])
	case Float64:
		return converted(a, func(v float64) complex128 { return complex(v, 0) }, fromComplex[T])
	case Complex64:
		return converted(a, func(v complex64) complex128 { return complex128(v) }, fromComplex[T])
	case Complex128:
		return converted(a, func(v complex128) complex128 { return v }, fromComplex[T])
	}
	return nil, fmt.Errorf("npy: as: %v is not a dtype", a.DType)
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// integers go straight to single precision where T has it: by way of float64
// a 64-bit integer would be rounded twice.
func integers[I integer, T Number](a *Array) ([]T, error) {
	var zero T
	switch any(zero).(type) {
	case float32, complex64:
		return converted(a, func(v I) complex128 { return complex(float64(float32(v)), 0) }, fromComplex[T])
	}
	return converted(a, func(v I) complex128 { return complex(float64(v), 0) }, fromComplex[T])
}

func converted[E Element, T Number](a *Array, widen func(E) complex128, narrow func(complex128) T) ([]T, error) {
	values, err := Values[E](a)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = narrow(widen(v))
	}
	return out, nil
}

// fromComplex drops the imaginary part where T has none.
func fromComplex[T Number](z complex128) T {
	var out T
	switch p := any(&out).(type) {
	case *float32:
		*p = float32(real(z))
	case *float64:
		*p = real(z)
	case *complex64:
		*p = complex64(z)
	case *complex128:
		*p = z
	}
	return out
}
