package reference

import (
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func applyComplex(op scalar.Op, t elem.Type, in []Value) Value {
	z := in[0].Num
	re, im := real(z), imag(z)
	switch op {
	case scalar.Neg:
		return Complex(t, -z)
	case scalar.Conj:
		return Complex(t, cmplx.Conj(z))
	case scalar.Abs:
		return Float(t, hypot(re, im))
	case scalar.AbsSquared:
		return Float(t, re*re+im*im)
	case scalar.Real:
		return Float(t, re)
	case scalar.Imag:
		return Float(t, im)
	case scalar.Angle:
		return Float(t, atan2(im, re))
	case scalar.Sign:
		if z == 0 {
			return Complex(t, 0)
		}
		return Complex(t, z/complex(hypot(re, im), 0))
	case scalar.Exp:
		return Complex(t, cmplx.Exp(z))
	case scalar.Log:
		return Complex(t, complexLog(z))
	case scalar.Sqrt:
		return Complex(t, cmplx.Sqrt(z))
	case scalar.Rsqrt:
		return Complex(t, 1/cmplx.Sqrt(z))
	case scalar.Sin:
		return Complex(t, cmplx.Sin(z))
	case scalar.Cos:
		return Complex(t, cmplx.Cos(z))
	case scalar.Tan:
		return Complex(t, complexTan(z))
	case scalar.Tanh:
		return Complex(t, complexTanh(z))
	case scalar.Sigmoid:
		return Complex(t, complexSigmoid(z))
	case scalar.IsNaN:
		return Truth(re != re || im != im)
	case scalar.IsInf:
		return Truth(math.IsInf(re, 0) || math.IsInf(im, 0))
	}
	w := in[1].Num
	switch op {
	case scalar.Add:
		return Complex(t, z+w)
	case scalar.Sub:
		return Complex(t, z-w)
	case scalar.Mul:
		return Complex(t, z*w)
	case scalar.Div:
		return Complex(t, z/w)
	case scalar.Pow:
		return Complex(t, cmplx.Pow(z, w))
	case scalar.Equal:
		return Truth(z == w)
	case scalar.NotEqual:
		return Truth(z != w)
	}
	return unknown(op, in[0].Type)
}

// The standard library's logarithm loses what is small beside 1 where the
// modulus is close to it, and its tangents cancel near their poles, as does the
// sigmoid's denominator. These are computed in big floats where nothing
// overflows.

func complexLog(z complex128) complex128 {
	re, im := real(z), imag(z)
	if z == 0 || !finite(re) || !finite(im) {
		return cmplx.Log(z)
	}
	square := add(mul(number(re), number(re)), mul(number(im), number(im)))
	return complex(rounded(scaled(log(square), -1)), atan2(im, re))
}

// complexTanh is (sinh 2x + i sin 2y) / (cosh 2x + cos 2y).
func complexTanh(z complex128) complex128 {
	re, im := real(z), imag(z)
	if re == 0 || im == 0 || !finite(re) || !finite(im) || math.Abs(re) > 300 {
		return cmplx.Tanh(z)
	}
	e := exp(scaled(number(re), 1))
	inverse := quo(number(1), e)
	sin, cos := sinCos(scaled(number(im), 1))
	d := add(scaled(add(e, inverse), -1), cos)
	return complex(rounded(quo(scaled(sub(e, inverse), -1), d)), rounded(quo(sin, d)))
}

// complexTan is -i tanh(iz).
func complexTan(z complex128) complex128 {
	if real(z) == 0 || imag(z) == 0 {
		return cmplx.Tan(z)
	}
	t := complexTanh(complex(-imag(z), real(z)))
	return complex(imag(t), -real(t))
}

// complexSigmoid is (1 + e cos y + i e sin y) / ((1 + e cos y)^2 + (e sin y)^2)
// with e = exp(-x).
func complexSigmoid(z complex128) complex128 {
	re, im := real(z), imag(z)
	switch {
	case im != 0 && finite(re) && finite(im) && math.Abs(re) <= 300:
		e := exp(number(-re))
		sin, cos := sinCos(number(im))
		a, b := add(number(1), mul(e, cos)), mul(e, sin)
		d := add(mul(a, a), mul(b, b))
		return complex(rounded(quo(a, d)), rounded(quo(b, d)))
	case re < 0:
		e := cmplx.Exp(z)
		return e / (1 + e)
	}
	return 1 / (1 + cmplx.Exp(-z))
}
