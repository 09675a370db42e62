package reference

import (
	"math"
	"math/big"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
)

// digits holds every sum of products of float64 numbers without rounding.
const digits = 4800

// dotAs is dot in a mode of accumulation. Those that round give what dot does.
func dotAs(t elem.Type, x, y []Value, mode accum.Mode, root bool) Value {
	if mode != accum.Exact || !t.IsFloat() && !t.IsComplex() {
		return dot(t, x, y)
	}
	var re, im bigSum
	for i := range x {
		a, b := x[i].Num, y[i].Num
		if t.IsComplex() {
			re.addProduct(real(a), real(b))
			re.addProduct(-imag(a), imag(b))
			im.addProduct(real(a), imag(b))
			im.addProduct(imag(a), real(b))
		} else {
			re.addProduct(x[i].Float64(), y[i].Float64())
		}
	}
	if t.IsComplex() {
		return Complex(t, complex(re.value(t.Real(), false), im.value(t.Real(), false)))
	}
	return Float(t, re.value(t, root))
}

// bigSum is a sum in numbers of unlimited size; what is not finite is added
// apart.
type bigSum struct {
	sum  big.Float
	rest float64
}

func (s *bigSum) addProduct(x, y float64) {
	if !finite(x) || !finite(y) {
		s.rest += x * y
		return
	}
	p := new(big.Float).SetPrec(digits).SetFloat64(x)
	p.Mul(p, new(big.Float).SetPrec(digits).SetFloat64(y))
	s.sum.SetPrec(digits).Add(&s.sum, p)
}

// value rounds once to a type.
func (s *bigSum) value(t elem.Type, root bool) float64 {
	if s.rest != 0 || s.rest != s.rest {
		if root {
			return math.Sqrt(s.rest)
		}
		return s.rest
	}
	v := &s.sum
	if v.Sign() == 0 {
		return 0
	}
	if root {
		if v.Sign() < 0 {
			return math.NaN()
		}
		v = new(big.Float).SetPrec(digits).Sqrt(v)
	}
	switch t {
	case elem.Float64:
		f, _ := v.Float64()
		return f
	case elem.Float32:
		f, _ := v.Float32()
		return float64(f)
	}
	return nearestHalf(v, t)
}

// nearestHalf rounds to a half type: to odd in float64 first, from where the
// second rounding finds the right side of every tie.
func nearestHalf(v *big.Float, t elem.Type) float64 {
	odd := new(big.Float).SetPrec(40).SetMode(big.ToZero).Set(v)
	f, _ := odd.Float64()
	if odd.Acc() != big.Exact {
		// A bit below all that a half type looks at.
		f += math.Copysign(math.Ldexp(math.Abs(f), -42), f)
	}
	return Float(t, f).Float64()
}
