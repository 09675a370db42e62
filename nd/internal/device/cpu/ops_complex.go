package cpu

import (
	"math"
	"math/cmplx"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// complexFunctions have no vector kernel. They are computed in complex128 and
// rounded once.
var complexFunctions = map[scalar.Op]func(complex128) complex128{
	scalar.Sign: direction, scalar.Exp: complexExp, scalar.Log: complexLog, scalar.Sqrt: complexSqrt,
	scalar.Rsqrt: func(z complex128) complex128 { return 1 / complexSqrt(z) },
	scalar.Sin:   complexSin, scalar.Cos: complexCos, scalar.Tan: complexTan, scalar.Tanh: complexTanh, scalar.Sigmoid: complexSigmoid,
}

// complexForms is the operations on complex numbers.
func complexForms[C complex64 | complex128, R vec.Float](op scalar.Op, k *vec.Table, c *vec.Complex[C, R], real *floatOps[R], stream bool) forms {
	if f, ok := complexFunctions[op]; ok {
		return each1(func(z C) C { return C(f(complex128(z))) })
	}
	if f, ok := map[scalar.Op]func([]C, []C, bool){scalar.Neg: c.Neg, scalar.Conj: c.Conj}[op]; ok {
		return unary(f, stream)
	}
	if f, ok := (map[scalar.Op]func([]R, []C, bool){
		scalar.Abs: c.Abs, scalar.AbsSquared: c.AbsSquared, scalar.Real: c.Real, scalar.Imag: c.Imag, scalar.Angle: c.Angle,
	})[op]; ok {
		return unary(f, stream)
	}
	if f, ok := (map[scalar.Op]vec.Binary[C]{scalar.Add: c.Add, scalar.Sub: c.Sub, scalar.Mul: c.Mul, scalar.Div: c.Div})[op]; ok {
		return binary(f, stream)
	}
	switch op {
	case scalar.IsNaN, scalar.IsInf, scalar.NotEqual:
		return ofParts(k, int(unsafe.Sizeof(*new(R))), floatForms(op, real, c.Make, false), true)
	case scalar.Equal:
		return ofParts(k, int(unsafe.Sizeof(*new(R))), floatForms(op, real, c.Make, false), false)
	case scalar.Pow:
		return each2(func(z, w C) C { return C(cmplx.Pow(complex128(z), complex128(w))) })
	}
	return forms{}
}

// ofParts asks f of the parts of complex numbers, which have a size; the answer is yes if it is that
// of either part, or of both.
func ofParts(k *vec.Table, size int, f forms, either bool) forms {
	join, with := k.I16.Equal, &oneBytes
	if either {
		join, with = k.I16.NotEqual, &zeroBytes
	}
	return forms{vv: func(d, a, b, _ unsafe.Pointer, n int) {
		run := truthRuns.Get().(*[2][truthRun]uint8)
		defer truthRuns.Put(run)
		answers := unsafe.Pointer(run)
		for n > 0 {
			m := min(n, truthRun/2)
			f.vv(answers, a, b, nil, 2*m)
			join(d, answers, unsafe.Pointer(with), m) // those of a number are 16 bits
			if n -= m; n > 0 {
				d, a = unsafe.Add(d, m), unsafe.Add(a, 2*m*size)
				if b != nil {
					b = unsafe.Add(b, 2*m*size)
				}
			}
		}
	}}
}

// direction is z/|z|, and 0 for 0.
func direction(z complex128) complex128 {
	if z == 0 {
		return 0
	}
	switch m := max(math.Abs(real(z)), math.Abs(imag(z))); {
	case m > 0x1p1000 && m-m == 0: // the modulus may overflow
		z = complex(real(z)*0x1p-100, imag(z)*0x1p-100)
	case m < 0x1p-1000: // or have no digits
		z = complex(real(z)*0x1p200, imag(z)*0x1p200)
	}
	return z / complex(cmplx.Abs(z), 0)
}

// complexSqrt scales subnormal numbers: the standard library halves 5e-324 and has 0.
func complexSqrt(z complex128) complex128 {
	if max(math.Abs(real(z)), math.Abs(imag(z))) >= 0x1p-1000 || z == 0 {
		return cmplx.Sqrt(z)
	}
	r := cmplx.Sqrt(complex(real(z)*0x1p200, imag(z)*0x1p200))
	return complex(real(r)*0x1p-100, imag(r)*0x1p-100)
}

// complexSigmoid is (1 + e cos(y) + i e sin(y)) / |1 + exp(-z)|^2 to the right,
// with e = exp(-|x|), and e times (cos(y) + e + i sin(y)) over the same to the
// left. Near poles, where 1 + e cos(y) cancels, it is (1-e) + 2 e cos(y/2)^2.
func complexSigmoid(z complex128) complex128 {
	x := -math.Abs(real(z))
	e, f := math.Exp(x), math.Expm1(x)
	s, c := math.Sincos(imag(z) / 2)
	a, b := 2*e*c*c-f, 2*e*s*c
	d := a*a + b*b
	if real(z) < 0 {
		return complex(e*(2*c*c+f)/d, b/d)
	}
	return complex(a/d, b/d)
}

// hugeExponent is less than where exp and cosh overflow: the standard library's from 709.5 on, a
// little early.
const hugeExponent = 700

// beyond is a times the power e^x, or half of it, for x above hugeExponent. It multiplies by roots of the power,
// which may overflow where a sine or cosine a is 0 or small. Above 1455 every other a overflows.
func beyond(a, x, times float64) float64 {
	if x < 1416 {
		e := math.Exp(x / 2)
		return a * (e * times) * e
	}
	e := math.Exp(min(x, 1500) / 4)
	return a * (e * times) * e * e * e
}

func complexExp(z complex128) complex128 {
	x, y := real(z), imag(z)
	if !(x > hugeExponent) || y-y != 0 || math.IsInf(x, 1) {
		return cmplx.Exp(z)
	}
	s, c := math.Sincos(y)
	return complex(beyond(c, x, 1), beyond(s, x, 1))
}

// complexSin is sin(x) cosh(y) + i cos(x) sinh(y).
func complexSin(z complex128) complex128 {
	x, y := real(z), imag(z)
	m := math.Abs(y)
	if !(m > hugeExponent) || x-x != 0 || math.IsInf(y, 0) {
		return cmplx.Sin(z)
	}
	s, c := math.Sincos(x)
	return complex(beyond(s, m, 0.5), beyond(c, m, math.Copysign(0.5, y)))
}

// complexCos is cos(x) cosh(y) - i sin(x) sinh(y).
func complexCos(z complex128) complex128 {
	x, y := real(z), imag(z)
	m := math.Abs(y)
	if !(m > hugeExponent) || x-x != 0 || math.IsInf(y, 0) {
		return cmplx.Cos(z)
	}
	s, c := math.Sincos(x)
	return complex(beyond(c, m, 0.5), -beyond(s, m, math.Copysign(0.5, y)))
}

// complexLog keeps what is small beside 1 where the modulus is close to it, moduli that overflow and
// subnormal ones, and the sign of an imaginary part that is nothing beside the real one: the standard library
// loses them.
func complexLog(z complex128) complex128 {
	a, b := math.Abs(real(z)), math.Abs(imag(z))
	m, n := max(a, b), min(a, b)
	angle := math.Copysign(math.Atan2(b, real(z)), imag(z))
	switch {
	case m > 0.5 && m < 2:
		return complex(math.Log1p((m-1)*(m+1)+n*n)/2, angle)
	case m > 0 && m < 0x1p-1000:
		return complex(math.Log(math.Hypot(a*0x1p600, b*0x1p600))-600*math.Ln2, angle)
	case m > 0x1p1000 && m-m == 0:
		return complex(math.Log(math.Hypot(a*0x1p-600, b*0x1p-600))+600*math.Ln2, angle)
	}
	return complex(math.Log(math.Hypot(a, b)), angle)
}

// complexTanh does not cancel near the poles (W. Kahan, "Branch cuts for
// complex elementary functions", 1987).
func complexTanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case x-x != 0 || y-y != 0:
		return cmplx.Tanh(z)
	case math.Abs(x) > 22: // 2 exp(-44) is nothing beside 1, and cosh overflows further on
		e := math.Exp(-math.Abs(x))
		s, c := math.Sincos(y)
		return complex(math.Copysign(1, x), 4*s*c*e*e)
	}
	t, s := math.Tan(y), math.Sinh(x)
	b := 1 + t*t
	d := 1 + b*s*s
	return complex(b*math.Sqrt(1+s*s)*s/d, t/d)
}

// complexTan is -i tanh(iz).
func complexTan(z complex128) complex128 {
	t := complexTanh(complex(-imag(z), real(z)))
	return complex(imag(t), -real(t))
}

// pair adapts a kernel that joins two real vectors.
func pair[C, R any](f func(dst []C, re, im []R, stream bool), stream bool) forms {
	return forms{
		vv: func(d, a, b, _ unsafe.Pointer, n int) {
			f(slice[C](d, n), slice[R](a, n), slice[R](b, n), stream)
		},
		streams: true,
	}
}
