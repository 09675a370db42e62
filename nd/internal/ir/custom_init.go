package ir

import "github.com/twiddle-go/twiddle/internal/elem"

// initBytes makes one element of each type.
var initBytes = map[elem.Type]func(v float64) []byte{
	elem.Bool: func(float64) []byte { return []byte{1} },
	elem.Int8: bytesAs[int8], elem.Int16: bytesAs[int16], elem.Int32: bytesAs[int32], elem.Int64: bytesAs[int64],
	elem.Uint8: bytesAs[uint8], elem.Uint32: bytesAs[uint32], elem.Float32: bytesAs[float32], elem.Float64: bytesAs[float64],
	elem.Float16:    func(v float64) []byte { return elem.Bytes([]elem.F16{elem.F16From(float32(v))}) },
	elem.BFloat16:   func(v float64) []byte { return elem.Bytes([]elem.BF16{elem.BF16From(float32(v))}) },
	elem.Complex64:  func(v float64) []byte { return elem.Bytes([]complex64{complex(float32(v), 0)}) },
	elem.Complex128: func(v float64) []byte { return elem.Bytes([]complex128{complex(v, 0)}) },
}

func bytesAs[T int8 | int16 | int32 | int64 | uint8 | uint32 | float32 | float64](v float64) []byte {
	return elem.Bytes([]T{T(v)})
}

// InitBytes is Init as an element of type t; nil if that is all zero bits.
func (c *Custom) InitBytes(t elem.Type) []byte {
	if c.Init == 0 {
		return nil
	}
	return initBytes[t](c.Init)
}
