package reference

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// float1 holds the functions of one real number.
var float1 = map[scalar.Op]func(float64) float64{
	scalar.Neg:     func(x float64) float64 { return -x },
	scalar.Abs:     math.Abs,
	scalar.Sign:    sign,
	scalar.Exp:     math.Exp,
	scalar.Log:     math.Log,
	scalar.Log1p:   math.Log1p,
	scalar.Expm1:   math.Expm1,
	scalar.Sqrt:    math.Sqrt,
	scalar.Rsqrt:   func(x float64) float64 { return 1 / math.Sqrt(x) },
	scalar.Sin:     math.Sin,
	scalar.Cos:     math.Cos,
	scalar.Tan:     math.Tan,
	scalar.Tanh:    math.Tanh,
	scalar.Sigmoid: sigmoid,
	scalar.Erf:     math.Erf,
	scalar.Floor:   math.Floor,
	scalar.Ceil:    math.Ceil,
	scalar.Round:   math.RoundToEven,
	scalar.Conj:    func(x float64) float64 { return x },

	scalar.AbsSquared: func(x float64) float64 { return x * x },
}

// float2 holds the functions of two.
var float2 = map[scalar.Op]func(x, y float64) float64{
	scalar.Add:     func(x, y float64) float64 { return x + y },
	scalar.Sub:     func(x, y float64) float64 { return x - y },
	scalar.Mul:     func(x, y float64) float64 { return x * y },
	scalar.Div:     func(x, y float64) float64 { return x / y },
	scalar.Rem:     math.Mod,
	scalar.Pow:     math.Pow,
	scalar.Atan2:   atan2,
	scalar.Maximum: maximum,
	scalar.Minimum: func(x, y float64) float64 { return -maximum(-x, -y) },
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x // zero or NaN
}

// sigmoid keeps its precision far to the left, where 1/(1+exp(-x)) would
// overflow inside.
func sigmoid(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// atan2 has the sign of y. The standard library's loses it where y/x
// underflows and x is negative.
func atan2(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }

// maximum is NaN if either operand is.
func maximum(x, y float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	return max(x, y)
}

func applyFloat(op scalar.Op, t elem.Type, in []Value) Value {
	x := in[0].Float64()
	switch op {
	case scalar.IsNaN:
		return Truth(x != x)
	case scalar.IsInf:
		return Truth(math.IsInf(x, 0))
	}
	if f, ok := precise[op]; ok && t == elem.Float64 {
		return Float(t, f(x))
	}
	if f, ok := float1[op]; ok {
		return Float(t, f(x))
	}
	y := in[1].Float64()
	if op.IsCompare() {
		return compare(op, x, y)
	}
	if op == scalar.Pow && t == elem.Float64 {
		return Float(t, power(x, y))
	}
	if f, ok := float2[op]; ok {
		return Float(t, f(x, y))
	}
	return unknown(op, in[0].Type)
}

// compare follows IEEE 754: every comparison with NaN is false, but not_equal.
func compare[T int64 | float64](op scalar.Op, x, y T) Value {
	switch op {
	case scalar.Equal:
		return Truth(x == y)
	case scalar.NotEqual:
		return Truth(x != y)
	case scalar.Less:
		return Truth(x < y)
	case scalar.LessEqual:
		return Truth(x <= y)
	case scalar.Greater:
		return Truth(x > y)
	}
	return Truth(x >= y)
}
