package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// integerForms is the operations on integers; results wrap.
func integerForms[T integer](op scalar.Op) forms {
	switch op {
	case scalar.Neg:
		return each1(func(x T) T { return -x })
	case scalar.Abs: // the least integer stays itself
		return each1(func(x T) T {
			if x < 0 {
				return -x
			}
			return x
		})
	case scalar.Sign:
		return each1(func(x T) T {
			if x < 0 {
				return ^T(0) // -1: only signed types get here
			}
			return min(x, 1)
		})
	case scalar.Floor, scalar.Ceil, scalar.Round:
		return each1(func(x T) T { return x })
	case scalar.AbsSquared:
		return each1(func(x T) T { return x * x })
	case scalar.IsNaN, scalar.IsInf:
		return each1(func(T) bool { return false })

	case scalar.Add:
		return forms{vv: addVV[T], vs: addVS[T], sv: swapped(addVS[T])}
	case scalar.Sub:
		return forms{vv: subVV[T], vs: subVS[T], sv: subSV[T]}
	case scalar.Mul:
		return forms{vv: mulVV[T], vs: mulVS[T], sv: swapped(mulVS[T])}
	case scalar.Div:
		return each2(func(x, y T) T {
			if y == 0 {
				return 0
			}
			return x / y
		})
	case scalar.Rem:
		return each2(func(x, y T) T {
			if y == 0 {
				return 0
			}
			return x % y
		})
	case scalar.Pow:
		return each2(power[T])
	case scalar.Maximum:
		return forms{vv: maxVV[T], vs: maxVS[T], sv: swapped(maxVS[T])}
	case scalar.Minimum:
		return forms{vv: minVV[T], vs: minVS[T], sv: swapped(minVS[T])}
	}
	return orderForms[T](op)
}

// power multiplies, wrapping. A negative power is 1/x^-y by the rules of
// division: towards zero, and 0 for a zero divisor.
func power[T integer](x, y T) T {
	if y < 0 {
		switch {
		case x == 1 || x == ^T(0) && y&1 == 0:
			return 1
		case x == ^T(0):
			return x
		}
		return 0
	}
	p := T(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}

// swapped makes the scalar-first form of a commutative operation.
func swapped(f stepFunc) stepFunc {
	return func(d, a, b, c unsafe.Pointer, n int) { f(d, b, a, c, n) }
}

func addVV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), slice[T](b, n)
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func addVS[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), *(*T)(b)
	for i := range dst {
		dst[i] = x[i] + y
	}
}

func subVV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), slice[T](b, n)
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func subVS[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), *(*T)(b)
	for i := range dst {
		dst[i] = x[i] - y
	}
}

func mulVV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), slice[T](b, n)
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

func mulVS[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), *(*T)(b)
	for i := range dst {
		dst[i] = x[i] * y
	}
}

func maxVV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), slice[T](b, n)
	for i := range dst {
		dst[i] = max(x[i], y[i])
	}
}

func maxVS[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), *(*T)(b)
	for i := range dst {
		dst[i] = max(x[i], y)
	}
}

func minVV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), slice[T](b, n)
	for i := range dst {
		dst[i] = min(x[i], y[i])
	}
}

func minVS[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), slice[T](a, n), *(*T)(b)
	for i := range dst {
		dst[i] = min(x[i], y)
	}
}

func subSV[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := slice[T](d, n), *(*T)(a), slice[T](b, n)
	for i := range dst {
		dst[i] = x - y[i]
	}
}
