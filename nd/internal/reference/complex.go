package reference

import (
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
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
		return Float(t, math.Hypot(re, im))
	case scalar.AbsSquared:
		return Float(t, re*re+im*im)
	case scalar.Real:
		return Float(t, re)
	case scalar.Imag:
		return Float(t, im)
	case scalar.Angle:
		return Float(t, math.Atan2(im, re))
	case scalar.Sign:
		if z == 0 {
			return Complex(t, 0)
		}
		return Complex(t, z/complex(math.Hypot(re, im), 0))
	case scalar.Exp:
		return Complex(t, cmplx.Exp(z))
	case scalar.Log:
		return Complex(t, cmplx.Log(z))
	case scalar.Sqrt:
		return Complex(t, cmplx.Sqrt(z))
	case scalar.Rsqrt:
		return Complex(t, 1/cmplx.Sqrt(z))
	case scalar.Sin:
		return Complex(t, cmplx.Sin(z))
	case scalar.Cos:
		return Complex(t, cmplx.Cos(z))
	case scalar.Tan:
		return Complex(t, cmplx.Tan(z))
	case scalar.Tanh:
		return Complex(t, cmplx.Tanh(z))
	case scalar.Sigmoid:
		if re < 0 {
			e := cmplx.Exp(z)
			return Complex(t, e/(1+e))
		}
		return Complex(t, 1/(1+cmplx.Exp(-z)))
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
