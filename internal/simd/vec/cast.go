package vec

import (
	"math"
	"unsafe"
)

// Cast converts n elements.
type Cast func(dst, x unsafe.Pointer, n int)

// casts is the conversions of integers that levels have kernels for, by the names of types,
// with the numbers by which kernels know them. Integers of fewer bits wrap.
var casts = []struct {
	to, from string
	number   int
	portable Cast
}{
	{"int16", "uint8", 0, converted[int16, uint8]},
	{"int32", "uint8", 1, converted[int32, uint8]},
	{"uint32", "uint8", 1, converted[uint32, uint8]},
	{"int64", "uint8", 2, converted[int64, uint8]},
	{"int16", "int8", 3, converted[int16, int8]},
	{"int32", "int8", 4, converted[int32, int8]},
	{"uint32", "int8", 4, converted[uint32, int8]},
	{"int64", "int8", 5, converted[int64, int8]},
	{"int32", "int16", 6, converted[int32, int16]},
	{"uint32", "int16", 6, converted[uint32, int16]},
	{"int64", "int16", 7, converted[int64, int16]},
	{"int64", "int32", 8, converted[int64, int32]},
	{"int64", "uint32", 9, converted[int64, uint32]},
	{"float32", "int8", 10, converted[float32, int8]},
	{"float32", "int16", 11, converted[float32, int16]},
	{"float32", "uint32", 12, converted[float32, uint32]},
	{"float64", "uint8", 13, converted[float64, uint8]},
	{"float64", "int8", 14, converted[float64, int8]},
	{"float64", "int16", 15, converted[float64, int16]},
	{"float64", "uint32", 16, converted[float64, uint32]},
	{"int8", "int16", 17, converted[int8, int16]},
	{"uint8", "int16", 17, converted[uint8, int16]},
	{"int8", "int32", 18, converted[int8, int32]},
	{"uint8", "int32", 18, converted[uint8, int32]},
	{"int8", "uint32", 18, converted[int8, uint32]},
	{"uint8", "uint32", 18, converted[uint8, uint32]},
	{"int16", "int32", 19, converted[int16, int32]},
	{"int16", "uint32", 19, converted[int16, uint32]},
	{"int8", "float32", 20, truncated[int8, float32]},
	{"uint8", "float32", 21, truncated[uint8, float32]},
	{"int16", "float32", 22, truncated[int16, float32]},
	{"uint32", "float32", 23, truncatedWide[uint32, float32]},
	{"int64", "float32", 24, truncatedWide[int64, float32]},
	{"int8", "float64", 25, truncated[int8, float64]},
	{"uint8", "float64", 26, truncated[uint8, float64]},
	{"int16", "float64", 27, truncated[int16, float64]},
	{"uint32", "float64", 28, truncatedWide[uint32, float64]},
	{"int64", "float64", 29, truncatedWide[int64, float64]},
	{"float64", "int64", 30, converted[float64, int64]},
	{"int8", "int64", 31, converted[int8, int64]},
	{"uint8", "int64", 31, converted[uint8, int64]},
	{"int16", "int64", 32, converted[int16, int64]},
	{"int32", "int64", 33, converted[int32, int64]},
	{"uint32", "int64", 33, converted[uint32, int64]},
}

func portableCasts() map[[2]string]Cast {
	all := map[[2]string]Cast{}
	for _, c := range casts {
		all[[2]string{c.to, c.from}] = c.portable
	}
	return all
}

func converted[D, S Int | Float](d, a unsafe.Pointer, n int) {
	dst, x, _ := operands[D, S](d, a, a, n)
	for i := range dst {
		dst[i] = D(x[i])
	}
}

// truncated is towards zero, into the range of the type; NaN gives 0.
func truncated[D int8 | uint8 | int16, S Float](d, a unsafe.Pointer, n int) {
	lo, hi := S(0), S(255)
	if low := ^D(0); low < 0 {
		lo = -S(int(1) << (8*unsafe.Sizeof(low) - 1))
		hi = -lo - 1
	}
	dst, x, _ := operands[D, S](d, a, a, n)
	for i := range dst {
		v := x[i]
		if v != v {
			v = 0
		}
		dst[i] = D(int32(min(max(v, lo), hi)))
	}
}

// truncatedWide is truncated for types whose ends are not float32.
func truncatedWide[D uint32 | int64, S Float](d, a unsafe.Pointer, n int) {
	lo, hi := int64(0), int64(math.MaxUint32)
	if ^D(0) < 0 {
		lo, hi = math.MinInt64, math.MaxInt64
	}
	dst, x, _ := operands[D, S](d, a, a, n)
	for i := range dst {
		v := x[i]
		switch {
		case v >= -0x1p63 && v < 0x1p63:
			dst[i] = D(min(max(int64(v), lo), hi))
		case v < 0:
			dst[i] = D(lo)
		case v > 0:
			dst[i] = D(hi)
		default:
			dst[i] = 0
		}
	}
}
