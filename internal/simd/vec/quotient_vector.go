//go:build amd64 || arm64

package vec

import (
	"math"
	"unsafe"
)

// useQuotients sets the divisions by one number that vectors of so many bytes have.
func (t *Table) useQuotients(bytes int, kernel func(op int, whole, half uint64, dst, x *byte, n int)) {
	t.U8.Quotients = quotients[uint8](bytes, 0, kernel)
	t.I8.Quotients = quotients[int8](bytes, 1, kernel)
	t.I16.Quotients = quotients[int16](bytes, 2, kernel)
	t.I32.Quotients = quotients[int32](bytes, 3, kernel)
	t.U32.Quotients = quotients[uint32](bytes, 4, kernel)
}

func quotients[T uint8 | int8 | int16 | int32 | uint32](bytes, op int, kernel func(op int, whole, half uint64, dst, x *byte, n int)) func(dst, x unsafe.Pointer, y T, n int) bool {
	return func(dst, x unsafe.Pointer, y T, n int) bool {
		if n < bytes/2 {
			return false
		}
		bits := func(v float64) uint64 {
			switch {
			case unsafe.Sizeof(y) == 4:
				return math.Float64bits(v)
			case op == 0 && bytes > 16:
				return uint64(math.Ceil(0x1p16*v)) * 0x0001000100010001
			}
			return uint64(math.Float32bits(float32(v))) * (1<<32 + 1)
		}
		kernel(op, bits(1/float64(y)), bits(0.5/float64(y)), (*byte)(dst), (*byte)(x), n)
		return true
	}
}
