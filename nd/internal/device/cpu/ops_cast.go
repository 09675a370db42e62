package cpu

import (
	"math"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// castForms converts between the types of registers.
func castForms(k *vec.Table, from, to elem.Type, stream bool) forms {
	c := &k.Convert
	switch [2]elem.Type{from, to} {
	case [2]elem.Type{elem.Int32, elem.Float32}:
		return unary(c.F32FromI32, stream)
	case [2]elem.Type{elem.Float32, elem.Int32}:
		return unary(c.I32FromF32, stream)
	case [2]elem.Type{elem.Int32, elem.Float64}:
		return unary(c.F64FromI32, stream)
	case [2]elem.Type{elem.Float64, elem.Int32}:
		return unary(c.I32FromF64, stream)
	case [2]elem.Type{elem.Float32, elem.Float64}:
		return unary(c.F64FromF32, stream)
	case [2]elem.Type{elem.Float64, elem.Float32}:
		return unary(c.F32FromF64, stream)
	case [2]elem.Type{elem.Uint8, elem.Float32}:
		return unary(c.F32FromU8, stream)
	case [2]elem.Type{elem.Float32, elem.Complex64}:
		return toComplex(k.C64.Make, stream)
	case [2]elem.Type{elem.Float64, elem.Complex128}:
		return toComplex(k.C128.Make, stream)
	}
	switch from {
	case elem.Bool:
		return castTruth(to)
	case elem.Uint8:
		return castInteger[uint8](to)
	case elem.Int8:
		return castInteger[int8](to)
	case elem.Int16:
		return castInteger[int16](to)
	case elem.Int32:
		return castInteger[int32](to)
	case elem.Int64:
		return castInteger[int64](to)
	case elem.Uint32:
		return castInteger[uint32](to)
	case elem.Float32:
		return castFloat[float32](to)
	case elem.Float64:
		return castFloat[float64](to)
	case elem.Complex64:
		return castComplex(k.C64.Real, to)
	case elem.Complex128:
		return castComplex(k.C128.Real, to)
	}
	return forms{}
}

// toComplex joins real parts with zeros, a run of them at a time.
func toComplex[C complex64 | complex128, R vec.Float](join func(dst []C, re, im []R, stream bool), stream bool) forms {
	zeros := make([]R, 1024)
	return forms{
		vv: func(d, a, _, _ unsafe.Pointer, n int) {
			dst, x := slice[C](d, n), slice[R](a, n)
			for len(x) > 0 {
				m := min(len(x), len(zeros))
				join(dst[:m], x[:m], zeros[:m], stream)
				dst, x = dst[m:], x[m:]
			}
		},
		streams: true,
	}
}

type number interface{ integer | float32 | float64 }

// converted is a Go conversion: integers wrap, floats round.
func converted[D, S number]() forms {
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
		dst, x := slice[D](d, n), slice[S](a, n)
		for i := range dst {
			dst[i] = D(x[i])
		}
	}}
}

func nonzero[S number]() forms { return each1(func(x S) bool { return x != 0 }) }

func castInteger[S integer](to elem.Type) forms {
	switch to {
	case elem.Bool:
		return nonzero[S]()
	case elem.Uint8:
		return converted[uint8, S]()
	case elem.Int8:
		return converted[int8, S]()
	case elem.Int16:
		return converted[int16, S]()
	case elem.Int32:
		return converted[int32, S]()
	case elem.Int64:
		return converted[int64, S]()
	case elem.Uint32:
		return converted[uint32, S]()
	case elem.Float32:
		return converted[float32, S]()
	case elem.Float64:
		return converted[float64, S]()
	case elem.Complex64:
		return each1(func(x S) complex64 { return complex(float32(x), 0) })
	case elem.Complex128:
		return each1(func(x S) complex128 { return complex(float64(x), 0) })
	}
	return forms{}
}

func castTruth(to elem.Type) forms {
	switch to {
	case elem.Uint8:
		return truthAs[uint8]()
	case elem.Int8:
		return truthAs[int8]()
	case elem.Int16:
		return truthAs[int16]()
	case elem.Int32:
		return truthAs[int32]()
	case elem.Int64:
		return truthAs[int64]()
	case elem.Uint32:
		return truthAs[uint32]()
	case elem.Float32:
		return truthAs[float32]()
	case elem.Float64:
		return truthAs[float64]()
	case elem.Complex64:
		return truthAs[complex64]()
	case elem.Complex128:
		return truthAs[complex128]()
	}
	return forms{}
}

// truthAs writes 0 or 1.
func truthAs[D number | complex64 | complex128]() forms {
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
		dst, x := slice[D](d, n), slice[uint8](a, n)
		for i := range dst {
			var v D
			if x[i] != 0 {
				v = 1
			}
			dst[i] = v // dst may be x
		}
	}}
}

func castFloat[S float32 | float64](to elem.Type) forms {
	switch to {
	case elem.Bool:
		return nonzero[S]()
	case elem.Uint8:
		return each1(func(x S) uint8 { return uint8(saturated(float64(x), 0, math.MaxUint8)) })
	case elem.Int8:
		return each1(func(x S) int8 { return int8(saturated(float64(x), math.MinInt8, math.MaxInt8)) })
	case elem.Int16:
		return each1(func(x S) int16 { return int16(saturated(float64(x), math.MinInt16, math.MaxInt16)) })
	case elem.Int32:
		return each1(func(x S) int32 { return int32(saturated(float64(x), math.MinInt32, math.MaxInt32)) })
	case elem.Uint32:
		return each1(func(x S) uint32 { return uint32(saturated(float64(x), 0, math.MaxUint32)) })
	case elem.Int64:
		return each1(func(x S) int64 { return saturated(float64(x), math.MinInt64, math.MaxInt64) })
	case elem.Float32:
		return converted[float32, S]()
	case elem.Float64:
		return converted[float64, S]()
	case elem.Complex64:
		return each1(func(x S) complex64 { return complex(float32(x), 0) })
	case elem.Complex128:
		return each1(func(x S) complex128 { return complex(float64(x), 0) })
	}
	return forms{}
}

// saturated truncates x towards zero into [lo, hi]; NaN gives 0.
func saturated(x float64, lo, hi int64) int64 {
	switch {
	case x != x:
		return 0
	case x <= float64(lo):
		return lo
	case x >= float64(hi): // for int64 the float is hi+1, the first too big
		return hi
	}
	return int64(x)
}

// castComplex drops the imaginary part, but for bool and complex results.
func castComplex[C complex64 | complex128, R vec.Float](parts func(dst []R, x []C, stream bool), to elem.Type) forms {
	switch to {
	case elem.Bool:
		return each1(func(z C) bool { return z != 0 })
	case elem.Complex64:
		return each1(func(z C) complex64 { return complex64(z) })
	case elem.Complex128:
		return each1(func(z C) complex128 { return complex128(z) })
	}
	if elem.Of[C]().Real() == to {
		return unary(parts, false)
	}
	// In two: the real parts first, a few at a time.
	rest := castFloat[R](to).vv
	size := to.Size()
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
		var re [64]R
		for x := slice[C](a, n); len(x) > 0; {
			m := min(len(x), len(re))
			parts(re[:m], x[:m], false)
			rest(d, unsafe.Pointer(&re), nil, nil, m)
			x, d = x[m:], unsafe.Add(d, m*size)
		}
	}}
}
