package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// forms are the kernels of an operation on one type: of vectors, with a
// scalar last operand, with a scalar last but one. Missing scalar forms are
// nil; their operand is then spread to a vector.
type forms struct {
	vv, vs, sv stepFunc
	streams    bool // the kernels write past the caches when asked to
}

func slice[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

// unary adapts a kernel of one operand.
func unary[D, S any](f func(dst []D, x []S, stream bool), stream bool) forms {
	return forms{
		vv:      func(d, a, _, _ unsafe.Pointer, n int) { f(slice[D](d, n), slice[S](a, n), stream) },
		streams: true,
	}
}

func binary[T any](k vec.Binary[T], stream bool) forms { return paired(k.VV, k.VS, k.SV, stream) }

func compare[T any](k vec.Compare[T], stream bool) forms { return paired(k.VV, k.VS, k.SV, stream) }

// paired adapts the kernels of two operands.
func paired[D, T any](vv func(dst []D, x, y []T, stream bool), vs func(dst []D, x []T, y T, stream bool), sv func(dst []D, x T, y []T, stream bool), stream bool) forms {
	return forms{
		vv: func(d, a, b, _ unsafe.Pointer, n int) {
			vv(slice[D](d, n), slice[T](a, n), slice[T](b, n), stream)
		},
		vs:      func(d, a, b, _ unsafe.Pointer, n int) { vs(slice[D](d, n), slice[T](a, n), *(*T)(b), stream) },
		sv:      func(d, a, b, _ unsafe.Pointer, n int) { sv(slice[D](d, n), *(*T)(a), slice[T](b, n), stream) },
		streams: true,
	}
}

// each1 and each2 apply a Go function element by element.
func each1[D, S any](f func(S) D) forms {
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
		dst, x := slice[D](d, n), slice[S](a, n)
		for i := range dst {
			dst[i] = f(x[i])
		}
	}}
}

func each2[D, S any](f func(x, y S) D) forms {
	return forms{
		vv: func(d, a, b, _ unsafe.Pointer, n int) {
			dst, x, y := slice[D](d, n), slice[S](a, n), slice[S](b, n)
			for i := range dst {
				dst[i] = f(x[i], y[i])
			}
		},
		vs: func(d, a, b, _ unsafe.Pointer, n int) {
			dst, x, y := slice[D](d, n), slice[S](a, n), *(*S)(b)
			for i := range dst {
				dst[i] = f(x[i], y)
			}
		},
		sv: func(d, a, b, _ unsafe.Pointer, n int) {
			dst, x, y := slice[D](d, n), *(*S)(a), slice[S](b, n)
			for i := range dst {
				dst[i] = f(x, y[i])
			}
		},
	}
}

// selectForms is (cond, x, y). Elements of other types than the floats are
// chosen by their bits.
func selectForms(k *vec.Table, t elem.Type, stream bool) forms {
	switch t {
	case elem.Float32, elem.Int32, elem.Uint32:
		return selects(k.F32.Where, stream)
	case elem.Float64, elem.Int64, elem.Complex64:
		return selects(k.F64.Where, stream)
	case elem.Bool, elem.Uint8, elem.Int8:
		return chooses(k.Choose1)
	case elem.Int16:
		return chooses(k.Choose2)
	}
	return choose[complex128]()
}

func selects[T any](k vec.Select[T], stream bool) forms {
	return forms{
		vv: func(d, a, b, c unsafe.Pointer, n int) {
			k.VV(slice[T](d, n), slice[bool](a, n), slice[T](b, n), slice[T](c, n), stream)
		},
		vs: func(d, a, b, c unsafe.Pointer, n int) {
			k.VS(slice[T](d, n), slice[bool](a, n), slice[T](b, n), *(*T)(c), stream)
		},
		sv: func(d, a, b, c unsafe.Pointer, n int) {
			k.SV(slice[T](d, n), slice[bool](a, n), *(*T)(b), slice[T](c, n), stream)
		},
		streams: true,
	}
}

func choose[T any]() forms {
	return forms{vv: func(d, a, b, c unsafe.Pointer, n int) {
		dst, cond, x, y := slice[T](d, n), slice[uint8](a, n), slice[T](b, n), slice[T](c, n)
		for i := range dst {
			if cond[i] != 0 {
				dst[i] = x[i]
			} else {
				dst[i] = y[i]
			}
		}
	}}
}

func chooses(k vec.Choose) forms {
	return forms{vv: func(d, a, b, c unsafe.Pointer, n int) { k(d, a, b, c, n) }}
}

// copyStep moves n elements of a size; fillStep repeats one.
func copyStep(k *vec.Table, size int, stream bool) stepFunc {
	return func(d, a, _, _ unsafe.Pointer, n int) {
		k.Move.Copy(slice[byte](d, n*size), slice[byte](a, n*size), stream)
	}
}

func fillStep(k *vec.Table, size int, stream bool) stepFunc {
	switch size {
	case 1, 2: // as words, and what is left
		return func(d, a, _, _ unsafe.Pointer, n int) {
			word := uint64(*(*uint8)(a)) * eachByte
			if size == 2 {
				word = uint64(*(*uint16)(a)) * 0x0001000100010001
			}
			words := n * size / 8
			k.Move.Fill8(slice[uint64](d, words), word, false)
			copy(slice[byte](d, n*size)[8*words:], slice[byte](unsafe.Pointer(&word), 8))
		}
	case 4:
		return func(d, a, _, _ unsafe.Pointer, n int) {
			k.Move.Fill4(slice[uint32](d, n), *(*uint32)(a), stream)
		}
	case 8:
		return func(d, a, _, _ unsafe.Pointer, n int) {
			k.Move.Fill8(slice[uint64](d, n), *(*uint64)(a), stream)
		}
	}
	return func(d, a, _, _ unsafe.Pointer, n int) { k.Move.Gather(size, d, a, 0, n) }
}

func widenStep(k *vec.Table, t elem.Type) stepFunc {
	convert := k.Convert.F32FromF16
	if t == elem.BFloat16 {
		convert = k.Convert.F32FromBF16
	}
	return unary(convert, false).vv
}

func narrowStep(k *vec.Table, t elem.Type, stream bool) stepFunc {
	convert := k.Convert.F16FromF32
	if t == elem.BFloat16 {
		convert = k.Convert.BF16FromF32
	}
	return unary(convert, stream).vv
}

// stepFunc computes n elements at d.
type stepFunc func(d, a, b, c unsafe.Pointer, n int)

type integer = vec.Int
