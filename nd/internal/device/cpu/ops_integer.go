package cpu

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// integerForms is the operations on integers; results wrap.
func integerForms[T integer](op scalar.Op) forms {
	switch op {
	case scalar.Neg:
		return forms{vv: negated[T]}
	case scalar.Abs: // the least integer stays itself
		return forms{vv: magnitudes[T]}
	case scalar.Sign:
		return forms{vv: signs[T]}
	case scalar.Floor, scalar.Ceil, scalar.Round:
		return each1(func(x T) T { return x })
	case scalar.AbsSquared:
		return each1(func(x T) T { return x * x })
	case scalar.IsNaN, scalar.IsInf:
		return each1(func(T) bool { return false })
	case scalar.Div:
		return divided(func(x, y T) T {
			if y == 0 {
				return 0
			}
			return x / y
		}, false)
	case scalar.Rem:
		return divided(func(x, y T) T {
			if y == 0 {
				return 0
			}
			return x % y
		}, true)
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
		scalar.Add: inWords[T](addedWords, added[T]), scalar.Sub: inWords[T](subtractedWords, subtracted[T]),
		scalar.Mul: multiplied[T], scalar.Maximum: greater[T], scalar.Minimum: lesser[T],
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

// inWords works on elements of one or two bytes a word at a time, and leaves the rest to each.
// Carries and borrows stop at top, the highest bits of elements.
func inWords[T integer](words func(dst, x, y []uint64, top uint64), each stepFunc) stepFunc {
	size, top := int(unsafe.Sizeof(T(0))), uint64(eachByte<<7)
	switch size {
	case 1:
	case 2:
		top &= 0x8000800080008000
	default:
		return each
	}
	return func(d, a, b, c unsafe.Pointer, n int) {
		dst, x, y := vectors[uint64, uint64](d, a, b, n*size/8)
		words(dst, x, y, top)
		done := 8 * len(dst)
		each(unsafe.Add(d, done), unsafe.Add(a, done), unsafe.Add(b, done), c, n-done/size)
	}
}

func addedWords(dst, x, y []uint64, top uint64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = (x[i]&^top + y[i]&^top) ^ (x[i]^y[i])&top
	}
}

func subtractedWords(dst, x, y []uint64, top uint64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = (x[i] | top - y[i]&^top) ^ ^(x[i]^y[i])&top
	}
}

func multiplied[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

// The loops below work on 64 bits, in which nothing branches on what the data is.

func greater[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = T(max(int64(x[i]), int64(y[i])))
	}
}

func lesser[T integer](d, a, b, _ unsafe.Pointer, n int) {
	dst, x, y := vectors[T, T](d, a, b, n)
	for i := range dst {
		dst[i] = T(min(int64(x[i]), int64(y[i])))
	}
}

func negated[T integer](d, a, _, _ unsafe.Pointer, n int) {
	dst, x, _ := vectors[T, T](d, a, a, n)
	for i := range dst {
		dst[i] = -x[i]
	}
}

func magnitudes[T integer](d, a, _, _ unsafe.Pointer, n int) {
	dst, x, _ := vectors[T, T](d, a, a, n)
	for i := range dst {
		v := int64(x[i])
		dst[i] = T(v ^ v>>63 - v>>63)
	}
}

func signs[T integer](d, a, _, _ unsafe.Pointer, n int) {
	dst, x, _ := vectors[T, T](d, a, a, n)
	for i := range dst {
		v := int64(x[i])
		dst[i] = T(v>>63 | int64(uint64(-v)>>63))
	}
}

// divided is division, or its remainder, by a function of two elements. One divisor of up to
// 32 bits for all elements becomes a product: with 2^64 over it, rounded up, whose upper word
// is the quotient (Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019).
func divided[T integer](each func(x, y T) T, remainder bool) forms {
	f := each2(each)
	plain := f.vs
	f.vs = func(d, a, b, c unsafe.Pointer, n int) {
		y := int64(*(*T)(b))
		by := uint64(y ^ y>>63 - y>>63)
		if by < 2 || unsafe.Sizeof(*(*T)(b)) > 4 {
			plain(d, a, b, c, n)
			return
		}
		inverse := math.MaxUint64/by + 1
		keep, times := int64(0), int64(1) // of x, and of the quotient
		if remainder {
			keep, times = -1, -y
		}
		dst, x, _ := vectors[T, T](d, a, a, n)
		for i := range dst {
			v := int64(x[i])
			q, _ := bits.Mul64(inverse, uint64(v^v>>63-v>>63))
			flip := (v ^ y) >> 63
			dst[i] = T(v&keep + (int64(q)^flip-flip)*times)
		}
	}
	return f
}
