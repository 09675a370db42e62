package machine

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/ktree"
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
func intBinary[T integer](op ktree.Op, dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	bits := T(unsafe.Sizeof(dst[0])*8 - 1)
	switch op {
	case ktree.Add:
		for i := range dst {
			dst[i] = x[i] + y[i]
		}
	case ktree.Sub:
		for i := range dst {
			dst[i] = x[i] - y[i]
		}
	case ktree.Mul:
		for i := range dst {
			dst[i] = x[i] * y[i]
		}
	case ktree.Div:
		for i := range dst {
			if d := y[i]; d != 0 {
				dst[i] = x[i] / d
			} else {
				dst[i] = 0
			}
		}
	case ktree.Rem:
		for i := range dst {
			if d := y[i]; d != 0 {
				dst[i] = x[i] % d
			} else {
				dst[i] = 0
			}
		}
	case ktree.And:
		for i := range dst {
			dst[i] = x[i] & y[i]
		}
	case ktree.Or:
		for i := range dst {
			dst[i] = x[i] | y[i]
		}
	case ktree.Xor:
		for i := range dst {
			dst[i] = x[i] ^ y[i]
		}
	case ktree.Shl:
		for i := range dst {
			dst[i] = x[i] << (uint(y[i]&bits) & 63)
		}
	case ktree.Shr:
		for i := range dst {
			dst[i] = x[i] >> (uint(y[i]&bits) & 63)
		}
	}
}

// intScalar is dst = x op y with one y for all lanes.
func intScalar[T integer](op ktree.Op, dst, x []T, y T) {
	x = x[:len(dst)]
	bits := T(unsafe.Sizeof(y)*8 - 1)
	switch op {
	case ktree.Add:
		for i := range dst {
			dst[i] = x[i] + y
		}
	case ktree.Sub:
		for i := range dst {
			dst[i] = x[i] - y
		}
	case ktree.Mul:
		for i := range dst {
			dst[i] = x[i] * y
		}
	case ktree.Div:
		if y == 0 {
			clear(dst)
			return
		}
		for i := range dst {
			dst[i] = x[i] / y
		}
	case ktree.Rem:
		if y == 0 {
			clear(dst)
			return
		}
		for i := range dst {
			dst[i] = x[i] % y
		}
	case ktree.And:
		for i := range dst {
			dst[i] = x[i] & y
		}
	case ktree.Or:
		for i := range dst {
			dst[i] = x[i] | y
		}
	case ktree.Xor:
		for i := range dst {
			dst[i] = x[i] ^ y
		}
	case ktree.Shl:
		n := uint(y&bits) & 63
		for i := range dst {
			dst[i] = x[i] << n
		}
	case ktree.Shr:
		n := uint(y&bits) & 63
		for i := range dst {
			dst[i] = x[i] >> n
		}
	}
}

// compareLanes is dst = x op y.
func compareLanes[T integer](op ktree.Op, dst []bool, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	switch op {
	case ktree.Eq:
		for i := range dst {
			dst[i] = x[i] == y[i]
		}
	case ktree.Ne:
		for i := range dst {
			dst[i] = x[i] != y[i]
		}
	case ktree.Lt:
		for i := range dst {
			dst[i] = x[i] < y[i]
		}
	case ktree.Le:
		for i := range dst {
			dst[i] = x[i] <= y[i]
		}
	case ktree.Gt:
		for i := range dst {
			dst[i] = x[i] > y[i]
		}
	case ktree.Ge:
		for i := range dst {
			dst[i] = x[i] >= y[i]
		}
	}
}

// narrow wraps lanes of a small integer kind.
func narrow(k ktree.Kind, x []int32) {
	switch k {
	case ktree.Char:
		for i, v := range x {
			x[i] = int32(int8(v))
		}
	case ktree.Uchar:
		for i, v := range x {
			x[i] = int32(uint8(v))
		}
	case ktree.Short:
		for i, v := range x {
			x[i] = int32(int16(v))
		}
	case ktree.Ushort:
		for i, v := range x {
			x[i] = int32(uint16(v))
		}
	}
}

// smallMath is the loop of a common intrinsic over 32-bit lanes, or nil.
func smallMath(fn ktree.Intrinsic, k ktree.Kind) func(dst, x, y, z []int32) {
	uns := k == ktree.Uint
	switch fn {
	case ktree.Min, ktree.Max, ktree.Clamp:
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
func bound[T integer](fn ktree.Intrinsic, dst, x, y, z []T) {
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	switch fn {
	case ktree.Min:
		for i := range dst {
			dst[i] = min(x[i], y[i])
		}
	case ktree.Max:
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
func intMath(fn ktree.Intrinsic, k ktree.Kind, a, b, c int64) int64 {
	less := func(x, y int64) bool {
		if k == ktree.Ulong {
			return uint64(x) < uint64(y)
		}
		return x < y
	}
	switch fn {
	case ktree.Abs:
		if a < 0 && k != ktree.Ulong {
			return ktree.Wrap(k, -a)
		}
		return a
	case ktree.Min:
		if less(b, a) {
			return b
		}
		return a
	case ktree.Max:
		if less(a, b) {
			return b
		}
		return a
	case ktree.Clamp:
		if less(a, b) {
			a = b
		}
		if less(c, a) {
			a = c
		}
		return a
	case ktree.Popcount:
		return ktree.PopcountInt(k, a)
	case ktree.Clz:
		return ktree.ClzInt(k, a)
	case ktree.Ctz:
		return ktree.CtzInt(k, a)
	case ktree.ReverseBits:
		return ktree.ReverseBitsInt(k, a)
	}
	return ktree.MulHiInt(k, a, b)
}
