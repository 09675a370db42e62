package ir

import "github.com/twiddle-go/twiddle/internal/elem"

// InitBytes is Init as an element of type t; nil if that is all zero bits.
func (c *Custom) InitBytes(t elem.Type) []byte {
	v := c.Init
	if v == 0 {
		return nil
	}
	switch t {
	case elem.Bool:
		return []byte{1}
	case elem.Uint8:
		return []byte{uint8(v)}
	case elem.Int8:
		return []byte{uint8(int8(v))}
	case elem.Int16:
		return elem.Bytes([]int16{int16(v)})
	case elem.Int32:
		return elem.Bytes([]int32{int32(v)})
	case elem.Int64:
		return elem.Bytes([]int64{int64(v)})
	case elem.Uint32:
		return elem.Bytes([]uint32{uint32(v)})
	case elem.Float16:
		return elem.Bytes([]elem.F16{elem.F16From(float32(v))})
	case elem.BFloat16:
		return elem.Bytes([]elem.BF16{elem.BF16From(float32(v))})
	case elem.Float32:
		return elem.Bytes([]float32{float32(v)})
	case elem.Float64:
		return elem.Bytes([]float64{v})
	case elem.Complex64:
		return elem.Bytes([]complex64{complex(float32(v), 0)})
	}
	return elem.Bytes([]complex128{complex(v, 0)})
}
