package machine

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// floatOp is the loop of an intrinsic over lanes of floats; x, y and z are as
// many as it takes. dst may be x.
func floatOp[T vec.Float](r *vec.Real[T], fn ktree.Intrinsic) func(dst, x, y, z []T) {
	one := func(op vec.Unary[T]) func(dst, x, y, z []T) {
		return func(dst, x, _, _ []T) { op(dst, x, false) }
	}
	each := func(op func(float64) float64) func(dst, x, y, z []T) {
		return func(dst, x, _, _ []T) {
			for i, v := range x[:len(dst)] {
				dst[i] = T(op(float64(v)))
			}
		}
	}
	pair := func(op func(x, y float64) float64) func(dst, x, y, z []T) {
		return func(dst, x, y, _ []T) {
			y = y[:len(dst)]
			for i, v := range x[:len(dst)] {
				dst[i] = T(op(float64(v), float64(y[i])))
			}
		}
	}
	switch fn {
	case ktree.Exp:
		return one(r.Exp)
	case ktree.Log:
		return one(r.Log)
	case ktree.Sqrt:
		return one(r.Sqrt)
	case ktree.Rsqrt:
		return one(r.Rsqrt)
	case ktree.Sin:
		return one(r.Sin)
	case ktree.Cos:
		return one(r.Cos)
	case ktree.Tan:
		return one(r.Tan)
	case ktree.Tanh:
		return one(r.Tanh)
	case ktree.Floor:
		return one(r.Floor)
	case ktree.Ceil:
		return one(r.Ceil)
	case ktree.Rint:
		return one(r.Round)
	case ktree.Abs:
		return one(r.Abs)
	case ktree.Sign:
		return each(sign)
	case ktree.Exp2:
		return each(math.Exp2)
	case ktree.Exp10:
		return each(func(x float64) float64 { return math.Pow(10, x) })
	case ktree.Log2:
		return each(math.Log2)
	case ktree.Log10:
		return each(math.Log10)
	case ktree.Asin:
		return each(math.Asin)
	case ktree.Acos:
		return each(math.Acos)
	case ktree.Atan:
		return each(math.Atan)
	case ktree.Sinh:
		return each(math.Sinh)
	case ktree.Cosh:
		return each(math.Cosh)
	case ktree.Trunc:
		return each(math.Trunc)
	case ktree.RoundAway:
		return each(math.Round)
	case ktree.Pow:
		return func(dst, x, y, _ []T) { r.Pow.VV(dst, x, y, false) }
	case ktree.Atan2:
		return pair(atan2)
	case ktree.Fmod:
		return pair(math.Mod)
	case ktree.Copysign:
		return pair(math.Copysign)
	case ktree.Min:
		return func(dst, x, y, _ []T) { lesser(dst, x, y) }
	case ktree.Max:
		return func(dst, x, y, _ []T) { greater(dst, x, y) }
	case ktree.Clamp:
		return func(dst, x, y, z []T) {
			greater(dst, x, y)
			lesser(dst, dst, z)
		}
	case ktree.Log1p:
		return one(r.Log1p)
	case ktree.Expm1:
		return one(r.Expm1)
	case ktree.Erf:
		return one(r.Erf)
	case ktree.InvSqrt:
		return one(r.Rsqrt)
	case ktree.RsqrtNear:
		return each(func(x float64) float64 { return near(1 / math.Sqrt(flushed(x))) })
	case ktree.RcpNear:
		return each(func(x float64) float64 { return near(1 / flushed(x)) })
	case ktree.Ilogb:
		return each(exponent)
	case ktree.Scalbn:
		return pair(func(x, n float64) float64 { return math.Ldexp(x, int(n)) })
	case ktree.Fma:
		return fusedMultiplyAdd[T]
	}
	return nil
}

// floatTest is the test of one float, or nil if fn is not one.
func floatTest[T vec.Float](fn ktree.Intrinsic) func(T) bool {
	switch fn {
	case ktree.IsNaN:
		return func(x T) bool { return x != x }
	case ktree.IsInf:
		return func(x T) bool { return math.IsInf(float64(x), 0) }
	case ktree.IsFinite:
		return func(x T) bool { return x-x == 0 }
	}
	return nil
}

// near is a guess that is off by as much as a GPU's: nobody may rely on its last
// bits, which machines of one maker differ in.
func near(x float64) float64 { return x * (1 - 0x1p-23) }

// flushed is x without subnormal numbers of float32.
func flushed(x float64) float64 {
	if math.Abs(x) < 0x1p-126 {
		return math.Copysign(0, x)
	}
	return x
}

// exponent is that of the first bit. What has none is as far out as it goes.
func exponent(x float64) float64 { return float64(math.Ilogb(x)) }

// atan2 has the sign of y, which Go's loses where y/x vanishes.
func atan2(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }

// sign is -1, 0 or 1, and 0 for NaN, as Metal has it.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// lesser and greater prefer a number to NaN, as fmin and fmax do.
func lesser[T vec.Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		a, b := x[i], y[i]
		if b < a || a != a {
			a = b
		}
		dst[i] = a
	}
}

func greater[T vec.Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		a, b := x[i], y[i]
		if b > a || a != a {
			a = b
		}
		dst[i] = a
	}
}

// fusedMultiplyAdd rounds x*y+z once.
func fusedMultiplyAdd[T vec.Float](dst, x, y, z []T) {
	switch d := any(dst).(type) {
	case []float64:
		x, y, z := any(x).([]float64), any(y).([]float64), any(z).([]float64)
		for i := range d {
			d[i] = math.FMA(x[i], y[i], z[i])
		}
	case []float32:
		x, y, z := any(x).([]float32)[:len(d)], any(y).([]float32)[:len(d)], any(z).([]float32)[:len(d)]
		for i := range d {
			// The sum in float64 is off by less than half a unit of its own;
			// that shows in float32 only next to a tie, or below the normal
			// range, where ties lie elsewhere.
			s := float64(x[i])*float64(y[i]) + float64(z[i])
			b := math.Float64bits(s)
			if b&(1<<29-1) != 1<<28 && b<<1>>53 > 1023-126 {
				d[i] = float32(s)
			} else {
				d[i] = FMA32(x[i], y[i], z[i])
			}
		}
	}
}

// FMA32 is x*y+z rounded once to float32. The product is exact in float64;
// the sum is rounded to odd there, so that the second rounding is harmless.
func FMA32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	// The error of the sum, by Knuth's two-sum.
	t := s - p
	e := (p - (s - t)) + (c - t)
	if e != 0 && !math.IsInf(s, 0) && e == e {
		b := math.Float64bits(s)
		if b&1 == 0 {
			if (e > 0) == (s > 0) {
				b++ // away from zero: the exact sum lies beyond s
			} else {
				b--
			}
			s = math.Float64frombits(b)
		}
	}
	return float32(s)
}
