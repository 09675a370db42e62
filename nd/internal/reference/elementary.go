package reference

import (
	"math"
	"math/big"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// The standard library's elementary functions err by up to a few dozen units
// of float64 in places (tan near 1e-7, sin near pi, log of subnormals), which
// is nothing to a float32 but too much to judge a float64 by. So float64 has
// the functions of this file: series in 320 bits, rounded once.

const bits = 320

func number(x float64) *big.Float           { return blank().SetFloat64(x) }
func blank() *big.Float                     { return new(big.Float).SetPrec(bits) }
func add(x, y *big.Float) *big.Float        { return blank().Add(x, y) }
func sub(x, y *big.Float) *big.Float        { return blank().Sub(x, y) }
func mul(x, y *big.Float) *big.Float        { return blank().Mul(x, y) }
func quo(x, y *big.Float) *big.Float        { return blank().Quo(x, y) }
func scaled(x *big.Float, e int) *big.Float { return blank().SetMantExp(x, e) }

func rounded(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

// tiny is below what any of the functions here can tell from its first term.
const tiny = 1e-20

// precisely is f for ordinary arguments and fallback for the others: NaN,
// infinities, zeros and whatever else lies outside of f's range, where the
// standard library is exact.
func precisely(f func(*big.Float) *big.Float, ordinary func(float64) bool, fallback func(float64) float64) func(float64) float64 {
	return func(x float64) float64 {
		if x == 0 || !finite(x) || !ordinary(x) {
			return fallback(x)
		}
		return rounded(f(number(x)))
	}
}

func always(float64) bool     { return true }
func notTiny(x float64) bool  { return math.Abs(x) > tiny }
func positive(x float64) bool { return x > 0 }

// Beyond 750 either way, exp overflows or vanishes.
func expRange(x float64) bool { return math.Abs(x) < 750 }

// precise holds the functions that float64 needs.
var precise = map[scalar.Op]func(float64) float64{
	scalar.Exp:   precisely(exp, expRange, math.Exp),
	scalar.Log:   precisely(log, positive, math.Log),
	scalar.Log1p: precisely(func(x *big.Float) *big.Float { return log(add(x, number(1))) }, func(x float64) bool { return notTiny(x) && x > -1 }, math.Log1p),
	scalar.Expm1: precisely(func(x *big.Float) *big.Float { return sub(exp(x), number(1)) }, func(x float64) bool { return notTiny(x) && expRange(x) }, math.Expm1),
	scalar.Sin:   precisely(func(x *big.Float) *big.Float { s, _ := sinCos(x); return s }, notTiny, math.Sin),
	scalar.Cos:   precisely(func(x *big.Float) *big.Float { _, c := sinCos(x); return c }, always, math.Cos),
	scalar.Tan:   precisely(func(x *big.Float) *big.Float { s, c := sinCos(x); return quo(s, c) }, notTiny, math.Tan),
	scalar.Tanh: precisely(func(x *big.Float) *big.Float {
		e := exp(scaled(x, 1))
		return quo(sub(e, number(1)), add(e, number(1)))
	}, func(x float64) bool { return notTiny(x) && math.Abs(x) < 40 }, math.Tanh),
	scalar.Sigmoid: precisely(func(x *big.Float) *big.Float {
		return quo(number(1), add(number(1), exp(blank().Neg(x))))
	}, expRange, sigmoid),
	scalar.Erf: precisely(erf, func(x float64) bool { return notTiny(x) && math.Abs(x) < 7 }, math.Erf),
}

// power is x to the y.
func power(x, y float64) float64 {
	special := math.Pow(x, y)
	if x == 0 || y == 0 || !finite(x) || !finite(y) || special != special || math.Abs(y*math.Log(math.Abs(x))) > 760 {
		return special
	}
	p := rounded(exp(mul(number(y), log(number(math.Abs(x))))))
	return math.Copysign(p, special)
}

// hypot is the square root of x*x + y*y, rounded once. The standard library's
// is one unit off for 2 and 3.
func hypot(x, y float64) float64 {
	if x == 0 || y == 0 || !finite(x) || !finite(y) {
		return math.Hypot(x, y)
	}
	square := add(mul(number(x), number(x)), mul(number(y), number(y)))
	return rounded(square.Sqrt(square))
}

// exp halves its argument until the series converges fast, then squares.
func exp(x *big.Float) *big.Float {
	const halvings = 20
	r := scaled(x, -halvings)
	sum, term := number(1), number(1)
	for k := 1; k < 40; k++ {
		term = quo(mul(term, r), number(float64(k)))
		sum = add(sum, term)
	}
	for range halvings {
		sum = mul(sum, sum)
	}
	return sum
}

var ln2 = sync.OnceValue(func() *big.Float { return scaled(atanh(quo(number(1), number(3))), 1) })

// log is that of the mantissa, between 1/2 and 1, by the series of atanh, and
// the exponent times that of 2.
func log(x *big.Float) *big.Float {
	m := blank()
	e := x.MantExp(m)
	if m.Cmp(number(0.75)) < 0 {
		m, e = scaled(m, 1), e-1
	}
	one := number(1)
	part := scaled(atanh(quo(sub(m, one), add(m, one))), 1)
	return add(part, mul(ln2(), number(float64(e))))
}

// atanh sums x^(2k+1)/(2k+1), for |x| up to 1/3.
func atanh(x *big.Float) *big.Float {
	square, power, sum := mul(x, x), x, x
	for k := 3; k < 2*110; k += 2 {
		power = mul(power, square)
		sum = add(sum, quo(power, number(float64(k))))
	}
	return sum
}

// pi to more bits than the largest float64 has before the point and the
// precision behind it, by Machin's formula.
var pi = sync.OnceValue(func() *big.Float {
	const wide = 1024 + 64 + bits
	n := func(v int64) *big.Float { return new(big.Float).SetPrec(wide).SetInt64(v) }
	arctan := func(inverse int64) *big.Float { // of 1/inverse
		term := new(big.Float).SetPrec(wide).Quo(n(1), n(inverse))
		sum := new(big.Float).SetPrec(wide).Set(term)
		for k := int64(1); term.MantExp(nil) > -wide; k++ {
			term.Quo(term, n(-inverse*inverse))
			sum.Add(sum, new(big.Float).SetPrec(wide).Quo(term, n(2*k+1)))
		}
		return sum
	}
	a, b := arctan(5), arctan(239)
	a.Mul(a, n(16))
	b.Mul(b, n(4))
	return a.Sub(a, b)
})

// sinCos takes off the nearest multiple of pi/2 and sums the series.
func sinCos(x *big.Float) (sin, cos *big.Float) {
	half := new(big.Float).SetMantExp(pi(), -1)
	turns := new(big.Float).SetPrec(half.Prec()).Quo(x, half)
	turns.Add(turns, big.NewFloat(math.Copysign(0.5, float64(x.Sign()))))
	quadrant, _ := turns.Int(nil)
	whole := new(big.Float).SetPrec(half.Prec()).SetInt(quadrant)
	whole.Mul(whole, half)
	r := blank().Set(whole.Sub(new(big.Float).SetPrec(half.Prec()).Set(x), whole))
	sin, cos = r, number(1)
	s, c, square := r, number(1), mul(r, r)
	for k := 1; k < 40; k++ {
		c = quo(mul(c, square), number(-float64((2*k-1)*(2*k))))
		s = quo(mul(s, square), number(-float64((2*k)*(2*k+1))))
		sin, cos = add(sin, s), add(cos, c)
	}
	switch new(big.Int).And(quadrant, big.NewInt(3)).Int64() {
	case 1:
		return cos, blank().Neg(sin)
	case 2:
		return blank().Neg(sin), blank().Neg(cos)
	case 3:
		return blank().Neg(cos), sin
	}
	return sin, cos
}

// erf sums its Taylor series; below 7 its terms stay under 2^70, so the
// precision suffices.
func erf(x *big.Float) *big.Float {
	square, power, sum := mul(x, x), x, x
	for k := 1; k < 400; k++ {
		power = quo(mul(power, square), number(-float64(k)))
		sum = add(sum, quo(power, number(float64(2*k+1))))
	}
	root := blank().Sqrt(pi())
	return quo(scaled(sum, 1), root)
}
