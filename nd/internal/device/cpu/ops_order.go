package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// orderForms is the comparisons of integers.
func orderForms[T integer](op scalar.Op) forms {
	switch op {
	case scalar.Equal:
		return forms{vv: equal[T]}
	case scalar.NotEqual:
		return forms{vv: notEqual[T]}
	case scalar.Less:
		return forms{vv: less[T]}
	case scalar.LessEqual:
		return forms{vv: lessEqual[T]}
	case scalar.Greater:
		return forms{vv: swapped(less[T])}
	case scalar.GreaterEqual:
		return forms{vv: swapped(lessEqual[T])}
	}
	return forms{}
}

// swapped is f with its operands in the other order.
func swapped(f stepFunc) stepFunc {
	return func(d, a, b, c unsafe.Pointer, n int) { f(d, b, a, c, n) }
}

func equal[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[bool, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] == y[i]
	}
}

func notEqual[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[bool, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] != y[i]
	}
}

func less[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[bool, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] < y[i]
	}
}

func lessEqual[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[bool, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] <= y[i]
	}
}
