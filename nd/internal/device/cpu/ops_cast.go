package cpu

import (
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// castForms converts between the types of registers.
func castForms(k *vec.Table, from, to elem.Type, stream bool) forms {
	c := &k.Convert
	if f, ok := (map[[2]elem.Type]forms{
		{elem.Int32, elem.Float32}: unary(c.F32FromI32, stream), {elem.Float32, elem.Int32}: unary(c.I32FromF32, stream),
		{elem.Int32, elem.Float64}: unary(c.F64FromI32, stream), {elem.Float64, elem.Int32}: unary(c.I32FromF64, stream),
		{elem.Float32, elem.Float64}: unary(c.F64FromF32, stream), {elem.Float64, elem.Float32}: unary(c.F32FromF64, stream),
		{elem.Uint8, elem.Float32}: unary(c.F32FromU8, stream),
	})[[2]elem.Type{from, to}]; ok {
		return f
	}
	switch {
	case to == elem.Bool:
		return castToTruth(k, from)
	case from == elem.Bool:
		return castTruth(k, to)
	case from == elem.Float32 && to == elem.Complex64:
		return toComplex(k.C64.Make, stream)
	case from == elem.Float64 && to == elem.Complex128:
		return toComplex(k.C128.Make, stream)
	case from == to || from.IsInteger() && to.IsInteger() && from.Size() == to.Size():
		return forms{vv: copyStep(k, to.Size(), stream), streams: true}
	case from == elem.Complex64 && to == elem.Complex128:
		return parts(castForms(k, elem.Float32, elem.Float64, stream))
	case from == elem.Complex128 && to == elem.Complex64:
		return parts(castForms(k, elem.Float64, elem.Float32, stream))
	case from == elem.Complex64 && to == elem.Float32:
		return unary(k.C64.Real, stream)
	case from == elem.Complex128 && to == elem.Float64:
		return unary(k.C128.Real, stream)
	case from.IsComplex():
		return castVia(k, from, from.Real(), to, stream)
	case to.IsComplex():
		return castVia(k, from, to.Real(), to, stream)
	}
	if cast, ok := k.Casts[[2]string{to.String(), from.String()}]; ok {
		return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) { cast(d, a, n) }}
	}
	if from.IsInteger() {
		return integers[from].cast(to)
	}
	switch from {
	case elem.Float32:
		return castReal[float32](to)
	case elem.Float64:
		return castReal[float64](to)
	}
	return forms{}
}

// parts is a cast of twice as many elements: real and imaginary parts.
func parts(f forms) forms {
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) { f.vv(d, a, nil, nil, 2*n) }, streams: f.streams}
}

// castRun is how many elements a cast in two steps takes at a time, by way of the first cache.
const castRun = 1024

var castRuns = sync.Pool{New: func() any { return new([castRun]float64) }}

// castVia casts to the type between, and from there.
func castVia(k *vec.Table, from, between, to elem.Type, stream bool) forms {
	first, second := castForms(k, from, between, false), castForms(k, between, to, stream)
	if first.vv == nil || second.vv == nil {
		return forms{}
	}
	return forms{streams: second.streams, vv: func(d, a, _, _ unsafe.Pointer, n int) {
		run := castRuns.Get().(*[castRun]float64)
		defer castRuns.Put(run)
		for n > 0 {
			m := min(n, castRun)
			first.vv(unsafe.Pointer(run), a, nil, nil, m)
			second.vv(d, unsafe.Pointer(run), nil, nil, m)
			if n -= m; n > 0 {
				d, a = unsafe.Add(d, m*to.Size()), unsafe.Add(a, m*from.Size())
			}
		}
	}}
}

// castToTruth compares with 0; a complex number is one if either part is.
func castToTruth(k *vec.Table, from elem.Type) forms {
	switch from {
	case elem.Float32:
		return notZero(k.F32.NotEqual.VS)
	case elem.Float64:
		return notZero(k.F64.NotEqual.VS)
	case elem.Complex64:
		return ofParts(k, 4, notZero(k.F32.NotEqual.VS), true)
	case elem.Complex128:
		return ofParts(k, 8, notZero(k.F64.NotEqual.VS), true)
	}
	differ, run := integers[from].forms(k, scalar.NotEqual).vv, truthRun/from.Size()
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
		for n > 0 {
			m := min(n, run)
			differ(d, a, unsafe.Pointer(&zeroBytes), nil, m)
			if n -= m; n > 0 {
				d, a = unsafe.Add(d, m), unsafe.Add(a, m*from.Size())
			}
		}
	}}
}

func notZero[T vec.Float](differs func(dst []bool, x []T, y T, stream bool)) forms {
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) { differs(slice[bool](d, n), slice[T](a, n), 0, false) }}
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

// castReal converts integers and floats to each other.
func castReal[S number](to elem.Type) forms {
	if f, ok := (map[elem.Type]func() forms{
		elem.Uint8: toInteger[uint8, S], elem.Int8: toInteger[int8, S], elem.Int16: toInteger[int16, S],
		elem.Int32: toInteger[int32, S], elem.Uint32: toInteger[uint32, S], elem.Int64: toInteger[int64, S],
		elem.Float32: converted[float32, S], elem.Float64: converted[float64, S],
	})[to]; ok {
		return f()
	}
	return forms{}
}

// toInteger wraps integers and saturates floats.
func toInteger[D integer, S number]() forms {
	lo, hi := elem.Of[D]().Range()
	if elem.Of[S]().IsInteger() {
		return converted[D, S]()
	}
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
		dst, x := slice[D](d, n), slice[S](a, n)
		for i := range dst {
			// A branch that is always the same, and none on which end a number is beyond.
			if v := float64(x[i]); v > -0x1p63 && v < 0x1p63 {
				dst[i] = D(min(max(int64(v), lo), hi))
			} else {
				dst[i] = D(saturated(v, lo, hi))
			}
		}
	}}
}

// castTruth writes 0 or 1, by their bits.
func castTruth(k *vec.Table, to elem.Type) forms {
	if to.IsComplex() {
		return castVia(k, elem.Bool, to.Real(), to, false)
	}
	if to.Size() == 1 && hasBytes(k) {
		return castToTruth(k, elem.Uint8)
	}
	if wider := castForms(k, elem.Uint8, to, false).vv; wider != nil && hasBytes(k) && truthByVectors(k, to) {
		return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
			run := truthRuns.Get().(*[2][truthRun]uint8)
			defer truthRuns.Put(run)
			x := unsafe.Pointer(&run[0])
			for n > 0 {
				m := min(n, truthRun)
				k.U8.NotEqual(x, a, unsafe.Pointer(&zeroBytes), m)
				wider(d, x, nil, nil, m)
				if n -= m; n > 0 {
					d, a = unsafe.Add(d, m*to.Size()), unsafe.Add(a, m)
				}
			}
		}}
	}
	var one [2]uint64
	putConstant(unsafe.Pointer(&one), to, scalar.ArgOf(to, 1))
	switch to.Size() {
	case 1:
		return truthAs(uint8(1))
	case 2:
		return truthAs(uint16(1))
	case 4:
		return truthAs(*(*uint32)(unsafe.Pointer(&one)))
	}
	return truthAs(one[0])
}

// truthByVectors says that a level has a kernel from bytes to the type.
func truthByVectors(k *vec.Table, to elem.Type) bool {
	_, ok := k.Casts[[2]string{to.String(), elem.Uint8.String()}]
	return ok || to == elem.Float32
}

// truthAs does not branch on the values.
func truthAs[D uint8 | uint16 | uint32 | uint64](one D) forms {
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
		dst, x := slice[D](d, n), slice[uint8](a, n)
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = one & -D((uint32(x[i])+255)>>8) // dst may be x
		}
	}}
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
