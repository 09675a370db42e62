//go:build amd64 || arm64

package vec

import (
	"math"
	"unsafe"
)

// useQuotients sets the divisions by one number that vectors of so many bytes have.
func (t *Table) useQuotients(bytes int, kernel func(op int, whole, half uint64, dst, x *byte, n int)) {
	t.U8.Quotients = quotients[uint8](bytes/4, 0, kernel)
	t.I8.Quotients = quotients[int8](bytes/4, 1, kernel)
	t.I16.Quotients = quotients[int16](bytes/4, 2, kernel)
	t.I32.Quotients = quotients[int32](bytes/8, 3, kernel)
}

func quotients[T uint8 | int8 | int16 | int32](lanes, op int, kernel func(op int, whole, half uint64, dst, x *byte, n int)) func(dst, x unsafe.Pointer, y T, n int) bool {
	return func(dst, x unsafe.Pointer, y T, n int) bool {
		if n < lanes {
			return false
		}
		bits := func(v float64) uint64 {
			if unsafe.Sizeof(y) == 4 {
				return math.Float64bits(v)
			}
			return uint64(math.Float32bits(float32(v))) * (1<<32 + 1)
		}
		kernel(op, bits(1/float64(y)), bits(0.5/float64(y)), (*byte)(dst), (*byte)(x), n)
		return true
	}
}
