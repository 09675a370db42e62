package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/philox"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// randomForms draws at the counters in the first operand. The second is the
// key argument, the third, for RandInt, the bounds.
func randomForms(op scalar.Op, to elem.Type) forms {
	switch op {
	case scalar.RandBits:
		switch to {
		case elem.Uint32:
			return draws(philox.Bits)
		case elem.Int64:
			return draws(func(k, c uint64) int64 { return int64(philox.Bits(k, c)) })
		}
	case scalar.RandUniform:
		switch to {
		case elem.Float32:
			return draws(philox.Float32)
		case elem.Float64:
			return draws(philox.Float64)
		}
	case scalar.RandNormal:
		switch to {
		case elem.Float32:
			return draws(func(k, c uint64) float32 { return float32(philox.Normal(k, c)) })
		case elem.Float64:
			return draws(philox.Normal)
		}
	case scalar.RandInt:
		if to.IsInteger() {
			return integers[to].draws()
		}
	}
	return forms{}
}

func draws[T any](f func(key, counter uint64) T) forms {
	return forms{vv: func(d, a, b, _ unsafe.Pointer, n int) {
		dst, counters, key := slice[T](d, n), slice[uint64](a, n), (*scalar.Arg)(b)[0]
		for i := range dst {
			dst[i] = f(key, counters[i])
		}
	}}
}

func drawsBetween[T integer]() forms {
	return forms{vv: func(d, a, b, c unsafe.Pointer, n int) {
		dst, counters, key := slice[T](d, n), slice[uint64](a, n), (*scalar.Arg)(b)[0]
		bounds := (*scalar.Arg)(c)
		for i := range dst {
			dst[i] = T(philox.Int(key, counters[i], int64(bounds[0]), int64(bounds[1])))
		}
	}}
}
