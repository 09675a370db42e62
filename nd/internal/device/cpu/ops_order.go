package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// orderForms is the comparisons of integers.
func orderForms[T integer](op scalar.Op) forms {
	switch op {
	case scalar.Equal:
		return forms{vv: equalVV[T], vs: equalVS[T], sv: swapped(equalVS[T])}
	case scalar.NotEqual:
		return forms{vv: notEqualVV[T], vs: notEqualVS[T], sv: swapped(notEqualVS[T])}
	case scalar.Less:
		return forms{vv: lessVV[T], vs: lessVS[T], sv: lessSV[T]}
	case scalar.LessEqual:
		return forms{vv: lessEqualVV[T], vs: lessEqualVS[T], sv: lessEqualSV[T]}
	case scalar.Greater:
		return forms{vv: swapped(lessVV[T]), vs: swapped(lessSV[T]), sv: swapped(lessVS[T])}
	case scalar.GreaterEqual:
		return forms{vv: swapped(lessEqualVV[T]), vs: swapped(lessEqualSV[T]), sv: swapped(lessEqualVS[T])}
	}
	return forms{}
}

func equalVV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), slice[T](a, n), slice[T](b, n)
	for i := range dst {
		dst[i] = x[i] == y[i]
	}
}

func equalVS[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), slice[T](a, n), *(*T)(b)
	for i := range dst {
		dst[i] = x[i] == y
	}
}

func notEqualVV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), slice[T](a, n), slice[T](b, n)
	for i := range dst {
		dst[i] = x[i] != y[i]
	}
}

func notEqualVS[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), slice[T](a, n), *(*T)(b)
	for i := range dst {
		dst[i] = x[i] != y
	}
}

func lessVV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), slice[T](a, n), slice[T](b, n)
	for i := range dst {
		dst[i] = x[i] < y[i]
	}
}

func lessVS[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), slice[T](a, n), *(*T)(b)
	for i := range dst {
		dst[i] = x[i] < y
	}
}

func lessEqualVV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), slice[T](a, n), slice[T](b, n)
	for i := range dst {
		dst[i] = x[i] <= y[i]
	}
}

func lessEqualVS[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), slice[T](a, n), *(*T)(b)
	for i := range dst {
		dst[i] = x[i] <= y
	}
}

func lessSV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), *(*T)(a), slice[T](b, n)
	for i := range dst {
		dst[i] = x < y[i]
	}
}

func lessEqualSV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[bool](d, n), *(*T)(a), slice[T](b, n)
	for i := range dst {
		dst[i] = x <= y[i]
	}
}
