package cpu

import (
	"math/bits"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// integerForms is the operations on integers; results wrap.
func integerForms[T integer](t *vec.Table, k *vec.Integer[T], op scalar.Op) forms {
	switch op {
	case scalar.Sign:
		return signForms(k)
	case scalar.AbsSquared:
		return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) { k.Mul(d, a, a, n) }}
	case scalar.IsNaN, scalar.IsInf:
		return each1(func(T) bool { return false })
	case scalar.Div:
		return divided(t, k, func(x, y T) T {
			if y == 0 {
				return 0
			}
			return x / y
		}, false, k.Quotients)
	case scalar.Rem:
		return divided(t, k, func(x, y T) T {
			if y == 0 {
				return 0
			}
			return x % y
		}, true, remaindersBy(k))
	case scalar.Pow:
		f := each2(power[T])
		each := f.vs
		f.vs = func(d, a, b, c unsafe.Pointer, n int) {
			if *(*T)(b) == 2 {
				k.Mul(d, a, a, n)
				return
			}
			each(d, a, b, c, n)
		}
		return f
	}
	f, ok := map[scalar.Op]vec.Lanes{
		scalar.Neg: k.Neg, scalar.Abs: k.Abs,
		scalar.Add: k.Add, scalar.Sub: k.Sub, scalar.Mul: k.Mul, scalar.Maximum: k.Max, scalar.Minimum: k.Min,
		scalar.Equal: k.Equal, scalar.NotEqual: k.NotEqual, scalar.Less: k.Less, scalar.LessEqual: k.LessEqual,
		scalar.Greater: k.Greater, scalar.GreaterEqual: k.GreaterEqual,
	}[op]
	if !ok {
		return forms{}
	}
	return forms{vv: stepOf(f)}
}

// stepOf adapts a kernel of integers. There are none for scalars: one that is spread to a vector,
// once for a launch, costs less than another loop gains.
func stepOf(f vec.Lanes) stepFunc {
	return func(d, a, b, _ unsafe.Pointer, n int) { f(d, a, b, n) }
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

// alike is the operands of a loop; the compiler sees that they are of one length.
func alike[T integer](d, a unsafe.Pointer, n int) (dst, x []T) {
	dst = slice[T](d, n)
	return dst, slice[T](a, n)[:len(dst)]
}

// signRun is how many signs vectors take at a time.
const signRun = 1024

// signForms clips to -1 and 1.
func signForms[T integer](k *vec.Integer[T]) forms {
	if k.Quotients == nil {
		return forms{vv: signs[T]} // there are no vectors
	}
	var one, negative [signRun]T
	for i := range one {
		one[i] = 1
		negative[i]--
	}
	signed := negative[0] < 0
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
		for n > 0 {
			m := min(n, signRun)
			k.Min(d, a, unsafe.Pointer(&one), m)
			if signed {
				k.Max(d, d, unsafe.Pointer(&negative), m)
			}
			if n -= m; n > 0 {
				bytes := m * int(unsafe.Sizeof(one[0]))
				d, a = unsafe.Add(d, bytes), unsafe.Add(a, bytes)
			}
		}
	}}
}

func signs[T integer](d, a, _, _ unsafe.Pointer, n int) {
	dst, x := alike[T](d, a, n)
	for i := range dst {
		v := int64(x[i])
		dst[i] = T(v>>63 | int64(uint64(-v)>>63))
	}
}

// divided is division, or its remainder, by a function of two elements. One divisor for all
// elements becomes a product: with 2^(63+l) over it, rounded up, of which the upper word is the
// quotient, shifted by l-1, where 2^l is no less than the divisor (Granlund and Montgomery,
// "Division by invariant integers using multiplication", 1994). vectors, which may be nil, does
// many at a time.
func divided[T integer](t *vec.Table, k *vec.Integer[T], each func(x, y T) T, remainder bool, vectors func(dst, x unsafe.Pointer, y T, n int) bool) forms {
	f := each2(each)
	plain := f.vs
	if byFloats := dividedByFloats(t, k, remainder, each); byFloats != nil {
		f.vv, f.sv = byFloats, nil
	}
	f.vs = func(d, a, b, c unsafe.Pointer, n int) {
		y := int64(*(*T)(b))
		by := uint64(y ^ y>>63 - y>>63)
		if by < 2 {
			plain(d, a, b, c, n)
			return
		}
		if vectors != nil && vectors(d, a, T(y), n) {
			return
		}
		shift := bits.Len64(by-1) - 1
		inverse, _ := bits.Div64(1<<shift, 0, by)
		inverse++
		keep, times := int64(0), int64(1) // of x, and of the quotient
		if remainder {
			keep, times = -1, -y
		}
		dst, x := alike[T](d, a, n)
		for i := range dst {
			v := int64(x[i])
			q, _ := bits.Mul64(inverse, uint64(v^v>>63-v>>63))
			flip := (v ^ y) >> 63
			dst[i] = T(v&keep + (int64(q>>(shift&63))^flip-flip)*times)
		}
	}
	return f
}
