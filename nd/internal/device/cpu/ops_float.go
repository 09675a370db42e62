package cpu

import (
	"math"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// floatOps are the kernels of operations on float32 or float64.
type floatOps[T vec.Float] struct {
	unary   map[scalar.Op]func(dst, x []T, stream bool)
	binary  map[scalar.Op]vec.Binary[T]
	compare map[scalar.Op]vec.Compare[T]
}

func floatOpsOf[T vec.Float](r *vec.Real[T]) floatOps[T] {
	return floatOps[T]{
		unary: map[scalar.Op]func(dst, x []T, stream bool){
			scalar.Neg: r.Neg, scalar.Abs: r.Abs, scalar.Sign: r.Sign, scalar.AbsSquared: r.Square,
			scalar.Exp: r.Exp, scalar.Log: r.Log, scalar.Log1p: r.Log1p, scalar.Expm1: r.Expm1,
			scalar.Sqrt: r.Sqrt, scalar.Rsqrt: r.Rsqrt, scalar.Sin: r.Sin, scalar.Cos: r.Cos, scalar.Tan: r.Tan,
			scalar.Tanh: r.Tanh, scalar.Sigmoid: r.Sigmoid, scalar.Erf: r.Erf,
			scalar.Floor: r.Floor, scalar.Ceil: r.Ceil, scalar.Round: r.Round,
		},
		binary: map[scalar.Op]vec.Binary[T]{
			scalar.Add: r.Add, scalar.Sub: r.Sub, scalar.Mul: r.Mul, scalar.Div: r.Div, scalar.Pow: r.Pow,
			scalar.Maximum: r.Max, scalar.Minimum: r.Min, scalar.Atan2: r.Atan2,
		},
		compare: map[scalar.Op]vec.Compare[T]{
			scalar.Equal: r.Equal, scalar.NotEqual: r.NotEqual, scalar.Less: r.Less, scalar.LessEqual: r.LessEqual,
			scalar.Greater: r.Greater, scalar.GreaterEqual: r.GreaterEqual,
		},
	}
}

// floatForms is the forms of an operation. C is the complex type with such parts, which
// join makes.
func floatForms[T vec.Float, C complex64 | complex128](op scalar.Op, k *floatOps[T], join func(dst []C, re, im []T, stream bool), stream bool) forms {
	if f, ok := k.unary[op]; ok {
		return unary(f, stream)
	}
	if f, ok := k.binary[op]; ok {
		return binary(f, stream)
	}
	if f, ok := k.compare[op]; ok {
		return compare(f, stream)
	}
	switch op {
	case scalar.Conj:
		return each1(func(x T) T { return x })
	case scalar.IsNaN:
		differs := k.compare[scalar.NotEqual].VV
		return forms{streams: true, vv: func(d, a, _, _ unsafe.Pointer, n int) {
			x := slice[T](a, n)
			differs(slice[bool](d, n), x, x, stream) // a NaN differs from itself
		}}
	case scalar.IsInf:
		return infinite(k.unary[scalar.Abs], k.compare[scalar.Equal].VS)
	case scalar.Rem:
		return each2(func(x, y T) T { return T(remainder(float64(x), float64(y))) })
	case scalar.MakeComplex:
		return pair(join, stream)
	}
	return forms{}
}

// infinite compares magnitudes with infinity, a run of them at a time.
func infinite[T vec.Float](abs func(dst, x []T, stream bool), equal func(dst []bool, x []T, y T, stream bool)) forms {
	return forms{vv: func(d, a, _, _ unsafe.Pointer, n int) {
		room := castRuns.Get().(*[castRun]float64)
		defer castRuns.Put(room)
		dst, x, run := slice[bool](d, n), slice[T](a, n), slice[T](unsafe.Pointer(room), castRun)
		for len(x) > 0 {
			m := min(len(x), castRun)
			abs(run[:m], x[:m], false)
			equal(dst[:m], run[:m], T(math.Inf(1)), false)
			dst, x = dst[m:], x[m:]
		}
	}}
}

// remainder is math.Mod, with the same bits, by one division where the quotient is an exact
// integer. Such a quotient is too large by one at most, when the division rounds up to it; what
// is left then has the wrong sign. Both are whole multiples of the last place of y and no larger
// than y, so neither the fused product nor the sum rounds.
func remainder(x, y float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	q := math.Trunc(a / b)
	if !(q < 0x1p53 && b <= math.MaxFloat64) {
		return math.Mod(x, y)
	}
	r := math.FMA(-q, b, a)
	if r < 0 {
		r += b
	}
	return math.Copysign(r, x)
}
