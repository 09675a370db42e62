package nd

import (
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// unary applies op to each element.
func (a *Array) unary(op scalar.Op) *Array {
	if bad := unusable(op.String(), a); bad != nil {
		return bad
	}
	n, err := graph.NewMap(op, a.node)
	return built(op.String(), n, err, a)
}

// binary applies op to pairs of elements, broadcasting as NumPy does.
func (a *Array) binary(op scalar.Op, b *Array) *Array {
	if bad := unusable(op.String(), a, b); bad != nil {
		return bad
	}
	n, err := graph.NewMap(op, a.node, b.node)
	return built(op.String(), n, err, a, b)
}

// withScalar applies op to each element and a constant, which becomes an
// element of the same type. Constants are not part of a plan: the same
// expression with another constant is not planned again.
func (a *Array) withScalar(op scalar.Op, v any) *Array { return a.paired(op, v, false) }

// paired is withScalar, with the constant as the first operand if it leads.
func (a *Array) paired(op scalar.Op, v any, leads bool) *Array {
	if bad := unusable(op.String(), a); bad != nil {
		return bad
	}
	c, err := literal(a.node, v)
	if err != nil {
		return failed(op.String(), err, a)
	}
	x, y := a.node, c
	if leads {
		x, y = c, a.node
	}
	n, err := graph.NewMap(op, x, y)
	return built(op.String(), n, err, a)
}

// Neg is -a. Unsigned integers wrap around.
func (a *Array) Neg() *Array { return a.unary(scalar.Neg) }

// Abs is the absolute value. For complex numbers it is the modulus, a real array.
func (a *Array) Abs() *Array { return a.unary(scalar.Abs) }

// Sign is -1, 0 or 1; z/|z| for complex numbers, 0 for 0.
func (a *Array) Sign() *Array { return a.unary(scalar.Sign) }

// Exp is e to the a.
func (a *Array) Exp() *Array { return a.unary(scalar.Exp) }

// Expm1 is e to the a, minus 1, exact near 0.
func (a *Array) Expm1() *Array { return a.unary(scalar.Expm1) }

// Log is the natural logarithm.
func (a *Array) Log() *Array { return a.unary(scalar.Log) }

// Log2 is the logarithm to base 2.
func (a *Array) Log2() *Array { return a.logTo("log2", math.Ln2) }

// Log10 is the logarithm to base 10.
func (a *Array) Log10() *Array { return a.logTo("log10", math.Ln10) }

// logTo is the natural logarithm over that of the base, which is fused into it.
func (a *Array) logTo(op string, base float64) *Array {
	if bad := unusable(op, a); bad != nil {
		return bad
	}
	return named(op, a.Log().DivScalar(base))
}

// Log1p is the logarithm of 1+a, exact near 0.
func (a *Array) Log1p() *Array { return a.unary(scalar.Log1p) }

// Sqrt is the square root.
func (a *Array) Sqrt() *Array { return a.unary(scalar.Sqrt) }

// Rsqrt is 1 over the square root.
func (a *Array) Rsqrt() *Array { return a.unary(scalar.Rsqrt) }

// Sin is the sine.
func (a *Array) Sin() *Array { return a.unary(scalar.Sin) }

// Cos is the cosine.
func (a *Array) Cos() *Array { return a.unary(scalar.Cos) }

// Tan is the tangent.
func (a *Array) Tan() *Array { return a.unary(scalar.Tan) }

// Tanh is the hyperbolic tangent.
func (a *Array) Tanh() *Array { return a.unary(scalar.Tanh) }

// Sigmoid is 1/(1+exp(-a)).
func (a *Array) Sigmoid() *Array { return a.unary(scalar.Sigmoid) }

// Erf is the error function.
func (a *Array) Erf() *Array { return a.unary(scalar.Erf) }

// Floor rounds down.
func (a *Array) Floor() *Array { return a.unary(scalar.Floor) }

// Ceil rounds up.
func (a *Array) Ceil() *Array { return a.unary(scalar.Ceil) }

// Round rounds to the nearest integer, halves to the even one.
func (a *Array) Round() *Array { return a.unary(scalar.Round) }

// Add is a+b.
func (a *Array) Add(b *Array) *Array { return a.binary(scalar.Add, b) }

// Sub is a-b.
func (a *Array) Sub(b *Array) *Array { return a.binary(scalar.Sub, b) }

// Mul is a*b, element by element.
func (a *Array) Mul(b *Array) *Array { return a.binary(scalar.Mul, b) }

// Div is a/b. Integers truncate towards zero, and a zero divisor gives 0.
func (a *Array) Div(b *Array) *Array { return a.binary(scalar.Div, b) }

// Rem is the remainder of a/b, with the sign of a. An integer zero divisor
// gives 0.
func (a *Array) Rem(b *Array) *Array { return a.binary(scalar.Rem, b) }

// Pow is a to the b.
func (a *Array) Pow(b *Array) *Array { return a.binary(scalar.Pow, b) }

// Maximum is the greater of a and b; NaN if either is.
func (a *Array) Maximum(b *Array) *Array { return a.binary(scalar.Maximum, b) }

// Minimum is the lesser of a and b; NaN if either is.
func (a *Array) Minimum(b *Array) *Array { return a.binary(scalar.Minimum, b) }

// Atan2 is the angle of the point (b, a).
func (a *Array) Atan2(b *Array) *Array { return a.binary(scalar.Atan2, b) }

// AddScalar is a+v. Here and in the other operations on a scalar, v is a Go
// number of any type whose value a's element type can hold; it is rounded to a
// float type, but a fraction is an error for an integer type.
func (a *Array) AddScalar(v any) *Array { return a.withScalar(scalar.Add, v) }

// SubScalar is a-v.
func (a *Array) SubScalar(v any) *Array { return a.withScalar(scalar.Sub, v) }

// MulScalar is a*v.
func (a *Array) MulScalar(v any) *Array { return a.withScalar(scalar.Mul, v) }

// DivScalar is a/v.
func (a *Array) DivScalar(v any) *Array { return a.withScalar(scalar.Div, v) }

// RemScalar is the remainder of a/v.
func (a *Array) RemScalar(v any) *Array { return a.withScalar(scalar.Rem, v) }

// PowScalar is a to the v. The powers 2 and -1 of real numbers are a product and a quotient,
// which are exactly rounded.
func (a *Array) PowScalar(v any) *Array {
	if unusable("pow", a) == nil && a.DType().IsFloat() {
		switch c, err := constant(a.DType(), v); {
		case err != nil:
		case c == scalar.ArgOf(a.DType(), 2):
			return a.AbsSquared()
		case c == scalar.ArgOf(a.DType(), -1):
			return named("pow", a.DivInto(1))
		}
	}
	return a.withScalar(scalar.Pow, v)
}

// MaximumScalar is the greater of a and v.
func (a *Array) MaximumScalar(v any) *Array { return a.withScalar(scalar.Maximum, v) }

// MinimumScalar is the lesser of a and v.
func (a *Array) MinimumScalar(v any) *Array { return a.withScalar(scalar.Minimum, v) }

// SubFrom is v-a: x.SubFrom(1) is 1-x.
func (a *Array) SubFrom(v any) *Array { return a.paired(scalar.Sub, v, true) }

// DivInto is v/a: x.DivInto(1) is 1/x.
func (a *Array) DivInto(v any) *Array { return a.paired(scalar.Div, v, true) }

// Clip holds elements in [low, high], numbers as in AddScalar; nil leaves an
// end open. NaN stays, and where low is greater than high the result is high.
func (a *Array) Clip(low, high any) *Array {
	if bad := unusable("clip", a); bad != nil {
		return bad
	}
	out := a
	if low != nil {
		out = out.MaximumScalar(low)
	}
	if high != nil {
		out = out.MinimumScalar(high)
	}
	return named("clip", out)
}

// Cast converts to another element type. Floats become integers by truncation
// towards zero, saturating, and NaN becomes 0; complex numbers lose their
// imaginary part; anything but 0 becomes true.
func (a *Array) Cast(t DType) *Array {
	if bad := unusable("cast", a); bad != nil {
		return bad
	}
	n, err := graph.NewCast(a.node, t)
	return built("cast", n, err, a)
}
