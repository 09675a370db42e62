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
		f := each2(power[T])
		each := f.vs
		f.vs = func(d, a, b, c unsafe.Pointer, n int) {
			if *(*T)(b) == 2 {
				multiplied[T](d, a, a, c, n)
				return
			}
			each(d, a, b, c, n)
		}
		return f
	}
	return forms{vv: map[scalar.Op]stepFunc{
		scalar.Add: added[T], scalar.Sub: subtracted[T], scalar.Mul: multiplied[T], scalar.Maximum: greater[T], scalar.Minimum: lesser[T],
		scalar.Equal: equal[T], scalar.NotEqual: notEqual[T], scalar.Less: less[T], scalar.LessEqual: lessEqual[T],
		scalar.Greater: swapped(less[T]), scalar.GreaterEqual: swapped(lessEqual[T]),
	}[op]}
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

// The loops below, and those of comparisons, have no forms for scalars: a scalar that
// is spread to a vector, once for a launch, costs less than a second loop gains.

// vectors is the operands of a loop; the compiler sees that they are of one length.
func vectors[D, S any](d, a, b unsafe.Pointer, n int) (dst []D, x, y []S) {
	dst, x, y = slice[D](d, n), slice[S](a, n), slice[S](b, n)
	return dst, x[:len(dst)], y[:len(dst)]
}

func added[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func subtracted[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func multiplied[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

func greater[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = max(x[i], y[i])
	}
}

func lesser[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = min(x[i], y[i])
	}
}
