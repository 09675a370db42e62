package machine

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/kernc/ir"
)

type integer interface {
	int32 | uint32 | int64 | uint64
}

// u32 and u64 view lanes as unsigned.
func u32(x []int32) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func u64(x []int64) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// asFloats views lanes by their bits, for kernels that only move them.
func asFloats(x []int32) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// intBinary is dst = x op y over lanes.
func intBinary[T integer](op ir.Op, dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	bits := T(unsafe.Sizeof(dst[0])*8 - 1)
	switch op {
	case ir.Add:
		for i := range dst {
			dst[i] = x[i] + y[i]
		}
	case ir.Sub:
		for i := range dst {
			dst[i] = x[i] - y[i]
		}
	case ir.Mul:
		for i := range dst {
			dst[i] = x[i] * y[i]
		}
	case ir.Div:
		for i := range dst {
			if d := y[i]; d != 0 {
				dst[i] = x[i] / d
			} else {
				dst[i] = 0
			}
		}
	case ir.Rem:
		for i := range dst {
			if d := y[i]; d != 0 {
				dst[i] = x[i] % d
			} else {
				dst[i] = 0
			}
		}
	case ir.And:
		for i := range dst {
			dst[i] = x[i] & y[i]
		}
	case ir.Or:
		for i := range dst {
			dst[i] = x[i] | y[i]
		}
	case ir.Xor:
		for i := range dst {
			dst[i] = x[i] ^ y[i]
		}
	case ir.Shl:
		for i := range dst {
			dst[i] = x[i] << (uint(y[i]&bits) & 63)
		}
	case ir.Shr:
		for i := range dst {
			dst[i] = x[i] >> (uint(y[i]&bits) & 63)
		}
	}
}

// intScalar is dst = x op y with one y for all lanes.
func intScalar[T integer](op ir.Op, dst, x []T, y T) {
	x = x[:len(dst)]
	bits := T(unsafe.Sizeof(y)*8 - 1)
	switch op {
	case ir.Add:
		for i := range dst {
			dst[i] = x[i] + y
		}
	case ir.Sub:
		for i := range dst {
			dst[i] = x[i] - y
		}
	case ir.Mul:
		for i := range dst {
			dst[i] = x[i] * y
		}
	case ir.Div:
		if y == 0 {
			clear(dst)
			return
		}
		for i := range dst {
			dst[i] = x[i] / y
		}
	case ir.Rem:
		if y == 0 {
			clear(dst)
			return
		}
		for i := range dst {
			dst[i] = x[i] % y
		}
	case ir.And:
		for i := range dst {
			dst[i] = x[i] & y
		}
	case ir.Or:
		for i := range dst {
			dst[i] = x[i] | y
		}
	case ir.Xor:
		for i := range dst {
			dst[i] = x[i] ^ y
		}
	case ir.Shl:
		n := uint(y&bits) & 63
		for i := range dst {
			dst[i] = x[i] << n
		}
	case ir.Shr:
		n := uint(y&bits) & 63
		for i := range dst {
			dst[i] = x[i] >> n
		}
	}
}

// compareLanes is dst = x op y.
func compareLanes[T integer](op ir.Op, dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	switch op {
	case ir.Eq:
		for i := range dst {
			dst[i] = x[i] == y[i]
		}
	case ir.Ne:
		for i := range dst {
			dst[i] = x[i] != y[i]
		}
	case ir.Lt:
		for i := range dst {
			dst[i] = x[i] < y[i]
		}
	case ir.Le:
		for i := range dst {
			dst[i] = x[i] <= y[i]
		}
	case ir.Gt:
		for i := range dst {
			dst[i] = x[i] > y[i]
		}
	case ir.Ge:
		for i := range dst {
			dst[i] = x[i] >= y[i]
		}
	}
}

// narrow wraps lanes of a small integer kind.
func narrow(k ir.Kind, x []int32) {
	switch k {
	case ir.Char:
		for i, v := range x {
			x[i] = int32(int8(v))
		}
	case ir.Uchar:
		for i, v := range x {
			x[i] = int32(uint8(v))
		}
	case ir.Short:
		for i, v := range x {
			x[i] = int32(int16(v))
		}
	case ir.Ushort:
		for i, v := range x {
			x[i] = int32(uint16(v))
		}
	}
}

// smallMath is the loop of a common intrinsic over 32-bit lanes, or nil.
func smallMath(fn ir.Intrinsic, k ir.Kind) func(dst, x, y, z []int32) {
	uns := k == ir.Uint
	switch fn {
	case ir.Min, ir.Max, ir.Clamp:
		return func(dst, x, y, z []int32) {
			if uns {
				bound(fn, u32(dst), u32(x), u32(y), u32(z))
			} else {
				bound(fn, dst, x, y, z)
			}
		}
	}
	return nil
}

// bound is min, max or clamp over lanes.
func bound[T integer](fn ir.Intrinsic, dst, x, y, z []T) {
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	switch fn {
	case ir.Min:
		for i := range dst {
			dst[i] = min(x[i], y[i])
		}
	case ir.Max:
		for i := range dst {
			dst[i] = max(x[i], y[i])
		}
	default:
		for i := range dst {
			dst[i] = min(max(x[i], y[i]), z[i])
		}
	}
}

// intMath is an intrinsic on one set of integers of kind k.
func intMath(fn ir.Intrinsic, k ir.Kind, a, b, c int64) int64 {
	less := func(x, y int64) bool {
		if k == ir.Ulong {
			return uint64(x) < uint64(y)
		}
		return x < y
	}
	switch fn {
	case ir.Abs:
		if a < 0 && k != ir.Ulong {
			return ir.Wrap(k, -a)
		}
		return a
	case ir.Min:
		if less(b, a) {
			return b
		}
		return a
	case ir.Max:
		if less(a, b) {
			return b
		}
		return a
	case ir.Clamp:
		if less(a, b) {
			a = b
		}
		if less(c, a) {
			a = c
		}
		return a
	case ir.Popcount:
		return ir.PopcountInt(k, a)
	case ir.Clz:
		return ir.ClzInt(k, a)
	case ir.Ctz:
		return ir.CtzInt(k, a)
	case ir.ReverseBits:
		return ir.ReverseBitsInt(k, a)
	}
	return ir.MulHiInt(k, a, b)
}
