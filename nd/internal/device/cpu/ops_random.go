package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/philox"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// randomForms draws at the counters in the first operand. The second is the
// key argument, the third, for RandInt, the bounds.
func randomForms(k *philox.Kernels, op scalar.Op, to elem.Type, stream bool) forms {
	switch op {
	case scalar.RandBits:
		switch to {
		case elem.Uint32:
			return fromWords(k, firstWords[uint32])
		case elem.Int64:
			return fromWords(k, firstWords[int64])
		}
	case scalar.RandUniform:
		switch to {
		case elem.Float32:
			return draws(k.Uniform32, stream)
		case elem.Float64:
			return draws(k.Uniform64, stream)
		}
	case scalar.RandNormal:
		switch to {
		case elem.Float32:
			return draws(k.Normal32, stream)
		case elem.Float64:
			return draws(k.Normal64, stream)
		}
	case scalar.RandInt:
		if to.IsInteger() {
			return integers[to].draws(k)
		}
	}
	return forms{}
}

func draws[T any](kernel func(dst []T, key uint64, counters []uint64, stream bool), stream bool) forms {
	return forms{
		vv: func(d, a, b, _ unsafe.Pointer, n int) {
			kernel(slice[T](d, n), (*scalar.Arg)(b)[0], slice[uint64](a, n), stream)
		},
		streams: true,
	}
}

// fromWords makes results of random words and the third operand.
func fromWords[T any](k *philox.Kernels, results func(dst []T, words []uint64, arg *scalar.Arg)) forms {
	return forms{vv: func(d, a, b, c unsafe.Pointer, n int) {
		dst, counters, key := slice[T](d, n), slice[uint64](a, n), (*scalar.Arg)(b)[0]
		var room [256]uint64
		for len(dst) > 0 {
			words := room[:min(len(dst), len(room))]
			k.Words(words, key, counters[:len(words)], false)
			results(dst[:len(words)], words, (*scalar.Arg)(c))
			dst, counters = dst[len(words):], counters[len(words):]
		}
	}}
}

func firstWords[T uint32 | int64](dst []T, words []uint64, _ *scalar.Arg) {
	for i, w := range words {
		dst[i] = T(uint32(w))
	}
}

func drawsBetween[T integer](k *philox.Kernels) forms { return fromWords(k, integersBetween[T]) }

func integersBetween[T integer](dst []T, words []uint64, bounds *scalar.Arg) {
	r := philox.Between(int64(bounds[0]), int64(bounds[1]))
	for i, w := range words {
		dst[i] = T(r.Of(w))
	}
}
