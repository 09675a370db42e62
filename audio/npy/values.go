package npy

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// Element is a Go type that stands for exactly one dtype. [Half] stands for
// float16.
type Element interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		Half | float32 | float64 | complex64 | complex128
}

// hostBigEndian is the byte order of this machine.
var hostBigEndian = binary.NativeEndian.Uint16([]byte{1, 0}) != 1

// DTypeOf is the dtype that T stands for.
func DTypeOf[T Element]() DType {
	var zero T
	switch any(zero).(type) {
	case bool:
		return Bool
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case Half:
		return Float16
	case float32:
		return Float32
	case float64:
		return Float64
	case complex64:
		return Complex64
	}
	return Complex128
}

// From copies values, in C order, into an array of that shape. No shape means
// a single number.
func From[T Element](values []T, shape ...int) (*Array, error) {
	a := &Array{Header: Header{DType: DTypeOf[T](), Shape: slices.Clone(shape)}}
	a.BigEndian = hostBigEndian && a.DType.Size() > 1
	count, err := a.Count()
	if err != nil {
		return nil, err
	}
	if count != len(values) {
		return nil, fmt.Errorf("npy: from: shape %v wants %d values, got %d", shape, count, len(values))
	}
	a.Data = slices.Clone(bytesOf(values))
	return a, nil
}

// Values are the elements in C order. T must be the array's dtype.
func Values[T Element](a *Array) ([]T, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	if want := DTypeOf[T](); a.DType != want {
		return nil, fmt.Errorf("npy: values: the array is %v, not %v", a.DType, want)
	}
	values := make([]T, len(a.Data)/a.DType.Size())
	raw := bytesOf(values)
	if a.DType == Bool {
		// Only 0 and 1 are bools in Go; NumPy takes any other byte as true.
		for i, b := range a.Data {
			raw[i] = min(b, 1)
		}
	} else {
		copy(raw, a.Data)
	}
	if a.BigEndian != hostBigEndian {
		swapWords(raw, a.DType.wordSize())
	}
	if a.Fortran && len(a.Shape) > 1 {
		values = reorder(values, a.Shape)
	}
	return values, nil
}

// WithFortran is the same array in the given memory order.
func (a *Array) WithFortran(fortran bool) (*Array, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	out := &Array{Header: a.Header, Data: a.Data}
	out.Shape = slices.Clone(a.Shape)
	out.Fortran = fortran
	if a.Fortran == fortran || len(a.Shape) < 2 {
		return out, nil
	}
	// Going to Fortran order is leaving it with the axes counted backwards.
	shape := slices.Clone(a.Shape)
	if fortran {
		slices.Reverse(shape)
	}
	size := a.DType.Size()
	order := make([]int, len(a.Data)/size)
	for i := range order {
		order[i] = i
	}
	out.Data = make([]byte, 0, len(a.Data))
	for _, i := range reorder(order, shape) {
		out.Data = append(out.Data, a.Data[i*size:(i+1)*size]...)
	}
	return out, nil
}

// reorder takes values from Fortran order to C order.
func reorder[T any](values []T, shape []int) []T {
	out := make([]T, len(values))
	if len(out) == 0 {
		return out
	}
	strides := make([]int, len(shape))
	step := 1
	for i, d := range shape {
		strides[i] = step
		step *= d
	}
	index := make([]int, len(shape))
	at := 0
	for i := range out {
		out[i] = values[at]
		for axis := len(shape) - 1; axis >= 0; axis-- {
			index[axis]++
			at += strides[axis]
			if index[axis] < shape[axis] {
				break
			}
			at -= strides[axis] * shape[axis]
			index[axis] = 0
		}
	}
	return out
}

// bytesOf is the memory of values.
func bytesOf[T Element](values []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(zero)))
}

func swapWords(b []byte, size int) {
	if size < 2 {
		return
	}
	for ; len(b) >= size; b = b[size:] {
		slices.Reverse(b[:size])
	}
}
