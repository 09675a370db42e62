package reference

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// integer1 and integer2 hold the functions of integers.
var integer1 = map[scalar.Op]func(x int64) int64{
	scalar.Neg:        func(x int64) int64 { return -x },
	scalar.Abs:        func(x int64) int64 { return max(x, -x) }, // the least integer stays itself
	scalar.Sign:       func(x int64) int64 { return min(max(x, -1), 1) },
	scalar.AbsSquared: func(x int64) int64 { return x * x },
}

var integer2 = map[scalar.Op]func(x, y int64) int64{
	scalar.Add:     func(x, y int64) int64 { return x + y },
	scalar.Sub:     func(x, y int64) int64 { return x - y },
	scalar.Mul:     func(x, y int64) int64 { return x * y },
	scalar.Pow:     powInt,
	scalar.Maximum: func(x, y int64) int64 { return max(x, y) },
	scalar.Minimum: func(x, y int64) int64 { return min(x, y) },
}

// applyInteger works on integers and bool. Integer wraps every result to its
// type, and wrapping commutes with +, - and *.
func applyInteger(op scalar.Op, t elem.Type, in []Value) Value {
	x := in[0].Int
	if f, ok := integer1[op]; ok {
		return Integer(t, f(x))
	}
	switch op {
	case scalar.Floor, scalar.Ceil, scalar.Round:
		return in[0]
	case scalar.IsNaN, scalar.IsInf:
		return Truth(false)
	case scalar.Not:
		return Truth(x == 0)
	}
	y := in[1].Int
	if f, ok := integer2[op]; ok {
		return Integer(t, f(x, y))
	}
	switch {
	case op.IsCompare():
		return compare(op, x, y)
	case y == 0 && (op == scalar.Div || op == scalar.Rem):
		return Integer(t, 0)
	}
	switch op {
	case scalar.Div:
		return Integer(t, x/y)
	case scalar.Rem:
		return Integer(t, x%y)
	case scalar.And:
		return Truth(x != 0 && y != 0)
	case scalar.Or:
		return Truth(x != 0 || y != 0)
	case scalar.Xor:
		return Truth(x != y)
	}
	return unknown(op, in[0].Type)
}

// powInt multiplies, wrapping. A negative power is 1/x^-y by the rules of
// division: towards zero, and 0 for a zero divisor.
func powInt(x, y int64) int64 {
	if y < 0 {
		switch x {
		case 1:
			return 1
		case -1:
			if y%2 == 0 {
				return 1
			}
			return -1
		}
		return 0
	}
	p := int64(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}
