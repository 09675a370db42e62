package reference

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// Cast converts v to t: float to integer truncates towards zero, saturates,
// and maps NaN to 0; integer to integer wraps; complex to real takes the real
// part; anything to bool is "!= 0".
func Cast(t elem.Type, v Value) Value {
	fromInt := v.Type == elem.Bool || v.Type.IsInteger()
	switch {
	case t == elem.Bool:
		return Truth(v.Int != 0 || v.Num != 0)
	case t.IsInteger() && fromInt:
		return Integer(t, v.Int)
	case t.IsInteger():
		return Integer(t, saturate(t, v.Float64()))
	case t.IsComplex() && fromInt:
		return Complex(t, complex(fromInteger(t.Real(), v.Int), 0))
	case t.IsComplex():
		return Complex(t, v.Num)
	case fromInt:
		return Float(t, fromInteger(t, v.Int))
	}
	return Float(t, v.Float64())
}

// fromInteger rounds once to float32 where that is the type of arithmetic:
// by way of float64 a large int64 would be rounded twice.
func fromInteger(t elem.Type, v int64) float64 {
	if t == elem.Float64 {
		return float64(v)
	}
	return float64(float32(v))
}

func saturate(t elem.Type, x float64) int64 {
	lo, hi := limits(t)
	switch {
	case x != x:
		return 0
	case x <= float64(lo):
		return lo
	case x >= float64(hi):
		return hi
	}
	return int64(math.Trunc(x))
}

// limits are the least and the greatest value of an integer type or bool.
func limits(t elem.Type) (lo, hi int64) {
	if t == elem.Bool {
		return 0, 1
	}
	return t.Range()
}
