package cpu

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// floatForms is the operations on float32 and float64. C is the complex type
// with such parts.
func floatForms[T vec.Float, C complex64 | complex128](op scalar.Op, r *vec.Real[T], c *vec.Complex[C, T], stream bool) forms {
	switch op {
	case scalar.Neg:
		return unary(r.Neg, stream)
	case scalar.Abs:
		return unary(r.Abs, stream)
	case scalar.Sign:
		return unary(r.Sign, stream)
	case scalar.Exp:
		return unary(r.Exp, stream)
	case scalar.Log:
		return unary(r.Log, stream)
	case scalar.Log1p:
		return unary(r.Log1p, stream)
	case scalar.Expm1:
		return unary(r.Expm1, stream)
	case scalar.Sqrt:
		return unary(r.Sqrt, stream)
	case scalar.Rsqrt:
		return unary(r.Rsqrt, stream)
	case scalar.Sin:
		return unary(r.Sin, stream)
	case scalar.Cos:
		return unary(r.Cos, stream)
	case scalar.Tan:
		return unary(r.Tan, stream)
	case scalar.Tanh:
		return unary(r.Tanh, stream)
	case scalar.Sigmoid:
		return unary(r.Sigmoid, stream)
	case scalar.Erf:
		return unary(r.Erf, stream)
	case scalar.Floor:
		return unary(r.Floor, stream)
	case scalar.Ceil:
		return unary(r.Ceil, stream)
	case scalar.Round:
		return unary(r.Round, stream)
	case scalar.AbsSquared:
		return unary(r.Square, stream)
	case scalar.Conj:
		return each1(func(x T) T { return x })
	case scalar.IsNaN:
		return each1(func(x T) bool { return x != x })
	case scalar.IsInf:
		return each1(func(x T) bool { return math.IsInf(float64(x), 0) })

	case scalar.Add:
		return binary(r.Add, stream)
	case scalar.Sub:
		return binary(r.Sub, stream)
	case scalar.Mul:
		return binary(r.Mul, stream)
	case scalar.Div:
		return binary(r.Div, stream)
	case scalar.Pow:
		return binary(r.Pow, stream)
	case scalar.Maximum:
		return binary(r.Max, stream)
	case scalar.Minimum:
		return binary(r.Min, stream)
	case scalar.Rem:
		return each2(func(x, y T) T { return T(math.Mod(float64(x), float64(y))) })
	case scalar.Atan2:
		return binary(r.Atan2, stream)

	case scalar.Equal:
		return compare(r.Equal, stream)
	case scalar.NotEqual:
		return compare(r.NotEqual, stream)
	case scalar.Less:
		return compare(r.Less, stream)
	case scalar.LessEqual:
		return compare(r.LessEqual, stream)
	case scalar.Greater:
		return compare(r.Greater, stream)
	case scalar.GreaterEqual:
		return compare(r.GreaterEqual, stream)

	case scalar.MakeComplex:
		return pair(c.Make, stream)
	}
	return forms{}
}
