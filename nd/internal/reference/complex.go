package reference

import (
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// complex1 holds the functions of one complex number, complex2 those of two, and
// parts those that give a real number.
var complex1 = map[scalar.Op]func(complex128) complex128{
	scalar.Neg:     func(z complex128) complex128 { return -z },
	scalar.Conj:    cmplx.Conj,
	scalar.Exp:     complexExp,
	scalar.Log:     complexLog,
	scalar.Sqrt:    complexSqrt,
	scalar.Rsqrt:   func(z complex128) complex128 { return 1 / complexSqrt(z) },
	scalar.Sin:     complexSin,
	scalar.Cos:     complexCos,
	scalar.Tan:     complexTan,
	scalar.Tanh:    complexTanh,
	scalar.Sigmoid: complexSigmoid,
	scalar.Sign: func(z complex128) complex128 {
		if z == 0 {
			return 0
		}
		if finite(real(z)) && finite(imag(z)) {
			square := add(mul(number(real(z)), number(real(z))), mul(number(imag(z)), number(imag(z))))
			m := blank().Sqrt(square)
			return complex(rounded(quo(number(real(z)), m)), rounded(quo(number(imag(z)), m)))
		}
		return z / complex(hypot(real(z), imag(z)), 0)
	},
}

var complex2 = map[scalar.Op]func(z, w complex128) complex128{
	scalar.Add: func(z, w complex128) complex128 { return z + w },
	scalar.Sub: func(z, w complex128) complex128 { return z - w },
	scalar.Mul: func(z, w complex128) complex128 { return z * w },
	scalar.Div: complexDiv,
	scalar.Pow: cmplx.Pow,
}

var parts = map[scalar.Op]func(re, im float64) float64{
	scalar.Abs:        hypot,
	scalar.AbsSquared: func(re, im float64) float64 { return re*re + im*im },
	scalar.Real:       func(re, _ float64) float64 { return re },
	scalar.Imag:       func(_, im float64) float64 { return im },
	scalar.Angle:      func(re, im float64) float64 { return atan2(im, re) },
}

func applyComplex(op scalar.Op, t elem.Type, in []Value) Value {
	z := in[0].Num
	re, im := real(z), imag(z)
	if f, ok := complex1[op]; ok {
		return Complex(t, f(z))
	}
	if f, ok := parts[op]; ok {
		return Float(t, f(re, im))
	}
	if f, ok := complex2[op]; ok {
		return Complex(t, f(z, in[1].Num))
	}
	switch op {
	case scalar.IsNaN:
		return Truth(re != re || im != im)
	case scalar.IsInf:
		return Truth(math.IsInf(re, 0) || math.IsInf(im, 0))
	case scalar.Equal:
		return Truth(z == in[1].Num)
	case scalar.NotEqual:
		return Truth(z != in[1].Num)
	}
	return unknown(op, in[0].Type)
}

// complexDiv is z times the conjugate of w, over w's square, where Go's overflows or loses digits.
func complexDiv(z, w complex128) complex128 {
	extreme := func(z complex128) bool {
		m := max(math.Abs(real(z)), math.Abs(imag(z)))
		return m > 0x1p1000 || m < 0x1p-800
	}
	isFinite := finite(real(z)) && finite(imag(z)) && finite(real(w)) && finite(imag(w))
	if z == 0 || w == 0 || !isFinite || !extreme(z) && !extreme(w) {
		return z / w
	}
	a, b, c, d := number(real(z)), number(imag(z)), number(real(w)), number(imag(w))
	square := add(mul(c, c), mul(d, d))
	return complex(rounded(quo(add(mul(a, c), mul(b, d)), square)), rounded(quo(sub(mul(b, c), mul(a, d)), square)))
}

// The standard library's logarithm loses what is small beside 1 where the
// modulus is close to it, and its tangents cancel near their poles, as does the
// sigmoid's denominator. These are computed in big floats where nothing
// overflows.

// complexExp is e^x (cos y + i sin y), where the standard library's is NaN if the power overflows and y is 0.
func complexExp(z complex128) complex128 {
	x, y := real(z), imag(z)
	if !finite(x) || !finite(y) || x < 700 {
		return cmplx.Exp(z)
	}
	return complex(bigPower(x, 1, math.Cos(y)), bigPower(x, 1, math.Sin(y)))
}

// complexSin is sin(x) cosh(y) + i cos(x) sinh(y), and complexCos that of the angle beside it.
func complexSin(z complex128) complex128 {
	x, y := real(z), imag(z)
	if !finite(x) || !finite(y) || math.Abs(y) < 700 {
		return cmplx.Sin(z)
	}
	return complex(bigPower(math.Abs(y), 0.5, math.Sin(x)), bigPower(math.Abs(y), math.Copysign(0.5, y), math.Cos(x)))
}

func complexCos(z complex128) complex128 {
	x, y := real(z), imag(z)
	if !finite(x) || !finite(y) || math.Abs(y) < 700 {
		return cmplx.Cos(z)
	}
	return complex(bigPower(math.Abs(y), 0.5, math.Cos(x)), -bigPower(math.Abs(y), math.Copysign(0.5, y), math.Sin(x)))
}

// bigPower is a e^x, or half of it, for an x so large that the power may overflow; 0 stays 0. Above 1455, every other a overflows.
func bigPower(x, times, a float64) float64 {
	if a == 0 {
		return a * times
	}
	return rounded(mul(exp(number(min(x, 1500))), mul(number(a), number(times))))
}

// complexSqrt scales what the standard library would halve to nothing.
func complexSqrt(z complex128) complex128 {
	if max(math.Abs(real(z)), math.Abs(imag(z))) >= 0x1p-1000 || z == 0 {
		return cmplx.Sqrt(z)
	}
	r := cmplx.Sqrt(complex(real(z)*0x1p200, imag(z)*0x1p200))
	return complex(real(r)*0x1p-100, imag(r)*0x1p-100)
}

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
	switch {
	case !finite(re) || !finite(im) || (re == 0 || im == 0) && math.Abs(re) <= 300:
		return cmplx.Tanh(z)
	case math.Abs(re) > 300: // where cmplx.Tanh is NaN further on
		e := math.Exp(-math.Abs(re))
		return complex(math.Copysign(1, re), 4*math.Sin(im)*math.Cos(im)*e*e)
	}
	e := exp(scaled(number(re), 1))
	inverse := quo(number(1), e)
	sin, cos := sinCos(scaled(number(im), 1))
	d := add(scaled(add(e, inverse), -1), cos)
	return complex(rounded(quo(scaled(sub(e, inverse), -1), d)), rounded(quo(sin, d)))
}

// complexTan is -i tanh(iz).
func complexTan(z complex128) complex128 {
	if imag(z) == 0 || real(z) == 0 && math.Abs(imag(z)) <= 300 {
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
