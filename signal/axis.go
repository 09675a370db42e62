package signal

import (
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// lines is an array seen with the axis that an operation works along at the
// end.
type lines struct {
	*nd.Array
	at int // where the axis was
}

// along checks that x is an array of floats, or of complex numbers where
// those will do, with samples along the chosen axis, and brings that axis to
// the end. Float16 and bfloat16, which are for storage, become float32 on the way.
// What it gives carries the error if something is wrong.
func along(op string, x *nd.Array, axis nd.AxisChoice, complexToo bool) (lines, *nd.Array) {
	if bad := unusable(op, x); bad != nil {
		return lines{}, bad
	}
	switch t := x.DType(); {
	case t.IsFloat():
		x = single(x)
	case complexToo && t.IsComplex():
	case complexToo:
		return lines{}, fail(op, "x is %s: want a float or a complex dtype, use Cast", t)(x)
	case t.IsComplex():
		return lines{}, fail(op, "x is %s: want a float dtype", t)(x)
	default:
		return lines{}, fail(op, "x is %s: want a float dtype, use Cast", t)(x)
	}
	at, err := axis.Of(x)
	if err != nil {
		return lines{}, nd.Fail("signal", op, err, x)
	}
	if x.Dim(at) == 0 {
		return lines{}, fail(op, "x of shape %v has no samples along axis %d", x.Shape(), at)(x)
	}
	return lines{moveAxis(x, at, x.NDim()-1), at}, nil
}

// single is x, or float16 and bfloat16, which are for storage, as float32.
func single(x *nd.Array) *nd.Array {
	if x == nil || !x.DType().IsHalf() {
		return x
	}
	return x.Cast(nd.Float32)
}

// back puts the last axis of a result where the lines had theirs.
func (l lines) back(y *nd.Array) *nd.Array { return moveAxis(y, y.NDim()-1, l.at) }

// backTwo is back for a result with one more axis at its end, which stays
// there.
func (l lines) backTwo(y *nd.Array) *nd.Array { return moveAxis(y, y.NDim()-2, l.at) }

// moveAxis takes an axis out and inserts it at another place.
func moveAxis(x *nd.Array, from, to int) *nd.Array {
	if from == to || x.Err() != nil {
		return x
	}
	perm := make([]int, 0, x.NDim())
	for i := range x.NDim() {
		if i != from {
			perm = append(perm, i)
		}
	}
	perm = append(perm[:to], append([]int{from}, perm[to:]...)...)
	return x.Transpose(perm...)
}

// unusable gives the Array that op has to return because an operand is nil or
// carries an error.
func unusable(op string, operands ...*nd.Array) *nd.Array {
	for _, a := range operands {
		if a == nil {
			return nd.Fail("signal", op, errors.New("nil Array"))
		}
		if a.Err() != nil {
			return a
		}
	}
	return nil
}

// fact is an error about an option, which is named as in the code.
func fact(format string, args ...any) error { return fmt.Errorf(format, args...) }

// fail gives what makes the Array that carries an error about operands.
func fail(op, format string, args ...any) func(operands ...*nd.Array) *nd.Array {
	err := fmt.Errorf(format, args...)
	return func(operands ...*nd.Array) *nd.Array { return nd.Fail("signal", op, err, operands...) }
}
