package cpu

import (
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// divideRun is how many integers vectors divide at a time, by way of the first cache.
const divideRun = 512

// divideRuns are places for the floats of three runs, quotients of 32 bits and divisors to be
// looked at. Those of a function would be garbage.
type divideRuns struct {
	x, y    [divideRun]float64
	whole   [divideRun]int32
	q       [divideRun]int32
	special [divideRun]bool
}

var divisions = sync.Pool{New: func() any { return new(divideRuns) }}

// dividedByFloats is the division of vectors by vectors, or its remainder, by way of float32
// for integers of 8 and 16 bits, of float64 for int32. It is exact: a quotient that is no integer
// is 1/y away from the next one, a part of 1/x of itself, which is more than rounding. each is for
// divisors of 0, and of -1 for int32, where the quotient of the least one wraps. It is nil for other
// types, and without vectors.
func dividedByFloats[T integer](t *vec.Table, k *vec.Integer[T], remainder bool, each func(x, y T) T) stepFunc {
	of := elem.Of[T]()
	size := of.Size()
	if k.Quotients == nil || of == elem.Uint32 || size > 4 {
		return nil
	}
	var wider, whole vec.Cast
	c := &t.Convert
	divide := func(x, y unsafe.Pointer, n int) {
		a := slice[float32](x, n)
		t.F32.Div.VV(a, a, slice[float32](y, n), false)
	}
	whole = func(dst, x unsafe.Pointer, n int) { c.I32FromF32(slice[int32](dst, n), slice[float32](x, n), false) }
	switch of {
	case elem.Int32:
		wider = func(dst, x unsafe.Pointer, n int) { c.F64FromI32(slice[float64](dst, n), slice[int32](x, n), false) }
		whole = func(dst, x unsafe.Pointer, n int) { c.I32FromF64(slice[int32](dst, n), slice[float64](x, n), false) }
		divide = func(x, y unsafe.Pointer, n int) {
			a := slice[float64](x, n)
			t.F64.Div.VV(a, a, slice[float64](y, n), false)
		}
	case elem.Uint8:
		wider = func(dst, x unsafe.Pointer, n int) { c.F32FromU8(slice[float32](dst, n), slice[uint8](x, n), false) }
	default:
		wider = t.Casts[[2]string{elem.Float32.String(), of.String()}]
	}
	narrower := t.Casts[[2]string{of.String(), elem.Int32.String()}] // nil for int32
	var zeros, negative [divideRun]T
	for i := range negative {
		negative[i]--
	}
	run := func(r *divideRuns, d, a, b unsafe.Pointer, n int) {
		x, y, q, special := unsafe.Pointer(&r.x), unsafe.Pointer(&r.y), unsafe.Pointer(&r.q), unsafe.Pointer(&r.special)
		wider(x, a, n)
		wider(y, b, n)
		divide(x, y, n)
		whole(unsafe.Pointer(&r.whole), x, n)
		if size == 4 {
			q = unsafe.Pointer(&r.whole)
		} else {
			narrower(q, unsafe.Pointer(&r.whole), n)
		}
		if remainder {
			k.Mul(q, q, b, n)
			k.Sub(q, a, q, n)
		}
		mend := func(divisor unsafe.Pointer) {
			k.Equal(special, b, divisor, n)
			if t.U8.Largest(slice[uint8](special, n)) == 0 {
				return
			}
			dst, u, v := slice[T](q, n), slice[T](a, n), slice[T](b, n)
			for i, is := range r.special[:n] {
				if is {
					dst[i] = each(u[i], v[i])
				}
			}
		}
		mend(unsafe.Pointer(&zeros))
		if size == 4 {
			mend(unsafe.Pointer(&negative))
		}
		copy(slice[T](d, n), slice[T](q, n))
	}
	return func(d, a, b, _ unsafe.Pointer, n int) {
		r := divisions.Get().(*divideRuns)
		defer divisions.Put(r)
		for n > 0 {
			m := min(n, divideRun)
			run(r, d, a, b, m)
			if n -= m; n > 0 {
				d, a, b = unsafe.Add(d, m*size), unsafe.Add(a, m*size), unsafe.Add(b, m*size)
			}
		}
	}
}

// remaindersBy is the remainders of a division by one number, from quotients, which reports false
// if it did none.
func remaindersBy[T integer](k *vec.Integer[T]) func(dst, x unsafe.Pointer, y T, n int) bool {
	if k.Quotients == nil {
		return nil
	}
	return func(dst, x unsafe.Pointer, y T, n int) bool {
		r := divisions.Get().(*divideRuns)
		defer divisions.Put(r)
		size, q, by := int(unsafe.Sizeof(y)), unsafe.Pointer(&r.x), unsafe.Pointer(&r.y)
		divisors := slice[T](by, divideRun)[:min(n, divideRun)]
		for i := range divisors {
			divisors[i] = y
		}
		for n > 0 {
			m := min(n, divideRun)
			if n-m > 0 && n-m < divideRun/8 {
				m = n / 2 // too few would be left: dst may be x, which is not to be read again
			}
			if !k.Quotients(q, x, y, m) {
				return false
			}
			k.Mul(q, q, by, m)
			k.Sub(dst, x, q, m)
			if n -= m; n > 0 {
				dst, x = unsafe.Add(dst, m*size), unsafe.Add(x, m*size)
			}
		}
		return true
	}
}
