package elem

import "unsafe"

// Value is the set of Go types that elements have in host slices.
type Value interface {
	bool | uint8 | int8 | int16 | int | int32 | int64 | uint32 | F16 | BF16 | float32 | float64 | complex64 | complex128
}

// Of is the element type of T.
func Of[T Value]() Type {
	var zero T
	switch any(zero).(type) {
	case bool:
		return Bool
	case uint8:
		return Uint8
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int: // as wide as the platform has it
		if unsafe.Sizeof(zero) == 4 {
			return Int32
		}
		return Int64
	case int64:
		return Int64
	case uint32:
		return Uint32
	case F16:
		return Float16
	case BF16:
		return BFloat16
	case float32:
		return Float32
	case float64:
		return Float64
	case complex64:
		return Complex64
	case complex128:
		return Complex128
	}
	return Invalid
}

// Bytes views a slice of elements as bytes, without a copy.
func Bytes[T Value](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// Slice views bytes as elements, without a copy. b must be aligned for T, as
// every device buffer is.
func Slice[T Value](b []byte) []T {
	var zero T
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(zero)))
}
