package reference

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// applyInteger works on integers and bool. Integer wraps every result to its
// type, and wrapping commutes with +, - and *.
func applyInteger(op scalar.Op, t elem.Type, in []Value) Value {
	x := in[0].Int
	switch op {
	case scalar.Neg:
		return Integer(t, -x)
	case scalar.Abs:
		return Integer(t, max(x, -x)) // the least integer stays itself
	case scalar.Sign:
		return Integer(t, signInt(x))
	case scalar.Floor, scalar.Ceil, scalar.Round:
		return in[0]
	case scalar.AbsSquared:
		return Integer(t, x*x)
	case scalar.IsNaN, scalar.IsInf:
		return Truth(false)
	case scalar.Not:
		return Truth(x == 0)
	}
	y := in[1].Int
	switch op {
	case scalar.Add:
		return Integer(t, x+y)
	case scalar.Sub:
		return Integer(t, x-y)
	case scalar.Mul:
		return Integer(t, x*y)
	case scalar.Div:
		if y == 0 {
			return Integer(t, 0)
		}
		return Integer(t, x/y)
	case scalar.Rem:
		if y == 0 {
			return Integer(t, 0)
		}
		return Integer(t, x%y)
	case scalar.Pow:
		return Integer(t, powInt(x, y))
	case scalar.Maximum:
		return Integer(t, max(x, y))
	case scalar.Minimum:
		return Integer(t, min(x, y))
	case scalar.And:
		return Truth(x != 0 && y != 0)
	case scalar.Or:
		return Truth(x != 0 || y != 0)
	case scalar.Xor:
		return Truth(x != y)
	}
	if op.IsCompare() {
		return compare(op, x, y)
	}
	return unknown(op, in[0].Type)
}

func signInt(x int64) int64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
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
