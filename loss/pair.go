package loss

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// check makes sure that x and y are signals that can be compared and that the
// common options are known. What it gives, if not nil, carries the error.
func check(op string, x, y *nd.Array, r Reduction, d Distance) *nd.Array {
	for _, a := range []*nd.Array{x, y} {
		if a == nil {
			return nd.Fail("loss", op, errors.New("nil Array"))
		}
		if a.Err() != nil {
			return a
		}
	}
	var err error
	switch {
	case x.DType() != nd.Float32 && x.DType() != nd.Float64:
		err = fmt.Errorf("x is %s: want float32 or float64", x.DType())
	case y.DType() != x.DType():
		err = fmt.Errorf("x is %s and y is %s: want one type", x.DType(), y.DType())
	case x.NDim() == 0:
		err = errors.New("x is a single number: want samples along the last axis")
	case x.Dim(-1) != y.Dim(-1):
		err = fmt.Errorf("x has %s and y has %d: want as many", counted.Of(x.Dim(-1), "sample"), y.Dim(-1))
	case !slices.Equal(x.Shape(), y.Shape()):
		err = fmt.Errorf("x is %v and y is %v: want one shape", x.Shape(), y.Shape())
	case slices.Contains(x.Shape(), 0):
		err = fmt.Errorf("x of shape %v has no samples", x.Shape())
	case int(r) >= len(reductionNames):
		err = fmt.Errorf("unknown reduction %d: want one of %v", r, reductionNames)
	case int(d) >= len(distanceNames):
		err = fmt.Errorf("unknown distance %d: want one of %v", d, distanceNames)
	}
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	return nil
}

// restated is the error that an operation of another package found in the
// options of a loss, as one of the loss, whose caller it names.
func restated(op string, bad, x, y *nd.Array) *nd.Array {
	err := bad.Err()
	if e := (*nd.OpError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return nd.Fail("loss", op, err, x, y)
}

// fact is an error about an option, which is named as in the code.
func fact(format string, args ...any) error { return fmt.Errorf(format, args...) }

// orDefault is an option that is a positive number, with its default for 0.
func orDefault(name string, v, def float64) (float64, error) {
	if v == 0 {
		return def, nil
	}
	if !(v > 0) || math.IsInf(v, 0) {
		return v, fmt.Errorf("%s %g: want a positive number", name, v)
	}
	return v, nil
}

// constant is numbers computed in float64 as an array of the type of another,
// on its device.
func constant(values []float64, like *nd.Array, shape ...int) *nd.Array {
	a := nd.From(values, shape...)
	if like.DType() == nd.Float32 {
		v := make([]float32, len(values))
		for i, x := range values {
			v[i] = float32(x)
		}
		a = nd.From(v, shape...)
	}
	return a.Beside(like)
}

// atLeast holds an array above a number, with gradient 0 below it.
func atLeast(a *nd.Array, low float64) *nd.Array { return a.Clip(low, nil) }

// root is the square root of a sum of squares, with gradient 0 where that is
// 0: there the norm has a corner.
func root(squares *nd.Array) *nd.Array {
	one, zero := nd.FullLike(squares, 1), nd.FullLike(squares, 0)
	some := squares.Greater(zero)
	return nd.Where(some, nd.Where(some, squares, one).Sqrt(), zero)
}
