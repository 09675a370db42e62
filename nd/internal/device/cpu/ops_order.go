package cpu

import "unsafe"

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
