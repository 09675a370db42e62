package nd

import (
	"fmt"
	"math"
	"math/big"
	"reflect"

	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// constant encodes a Go number as an element of type t. The number may have
// any numeric type, since in x.AddScalar(1) the array decides what 1 is, but
// its value must exist in t: fractions and overflow are errors for integers,
// imaginary parts for reals. Only rounding to a float type is silent.
func constant(t DType, v any) (scalar.Arg, error) {
	switch v := v.(type) {
	case int:
		return intConstant(t, int64(v))
	case float64:
		return floatConstant(t, v)
	case complex128:
		return complexConstant(t, v)
	case bool:
		if t != Bool {
			return scalar.Arg{}, fmt.Errorf("constant %t does not fit %s", v, t)
		}
		return scalar.ArgOf(t, complex(float64(truth(v)), 0)), nil
	case F16:
		return floatConstant(t, float64(v.Float32()))
	case BF16:
		return floatConstant(t, float64(v.Float32()))
	}
	r := reflect.ValueOf(v)
	switch {
	case r.CanInt():
		return intConstant(t, r.Int())
	case r.CanUint():
		if u := r.Uint(); u > math.MaxInt64 {
			if t.IsFloat() || t.IsComplex() {
				return floatConstant(t, float64(u))
			}
			return scalar.Arg{}, fmt.Errorf("constant %d overflows %s", u, t)
		}
		return intConstant(t, int64(r.Uint()))
	case r.CanFloat():
		return floatConstant(t, r.Float())
	case r.CanComplex():
		return complexConstant(t, r.Complex())
	}
	return scalar.Arg{}, fmt.Errorf("constant of type %T is not a number", v)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func intConstant(t DType, v int64) (scalar.Arg, error) {
	switch {
	case t.IsFloat() || t.IsComplex():
		return scalar.ArgOf(t, complex(float64(v), 0)), nil
	case t.IsInteger():
		lo, hi := t.Range()
		if v < lo || v > hi {
			return scalar.Arg{}, fmt.Errorf("constant %d overflows %s", v, t)
		}
		return scalar.IntArg(v), nil
	}
	return scalar.Arg{}, fmt.Errorf("constant %d does not fit %s", v, t)
}

func floatConstant(t DType, v float64) (scalar.Arg, error) {
	switch {
	case t.IsFloat() || t.IsComplex():
		return scalar.ArgOf(t, complex(v, 0)), nil
	case t.IsInteger() && v == math.Trunc(v) && !math.IsInf(v, 0):
		whole, _ := big.NewFloat(v).Int(nil)
		if !whole.IsInt64() {
			return scalar.Arg{}, fmt.Errorf("constant %g overflows %s", v, t)
		}
		return intConstant(t, whole.Int64())
	}
	return scalar.Arg{}, fmt.Errorf("constant %g does not fit %s", v, t)
}

func complexConstant(t DType, v complex128) (scalar.Arg, error) {
	if t.IsComplex() {
		return scalar.ArgOf(t, v), nil
	}
	if imag(v) == 0 {
		return floatConstant(t, real(v))
	}
	return scalar.Arg{}, fmt.Errorf("constant %g does not fit %s", v, t)
}
