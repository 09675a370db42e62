package nd

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// The reductions of this file are over the given axes, or over all axes if
// none is given. Reduced axes are dropped; ExpandDims with the same axes puts
// them back with length 1.

// reduce is a reduction node over axes.
func (a *Array) reduce(op graph.ReduceOp, axes []int) *Array {
	if bad := unusable(op.String(), a); bad != nil {
		return bad
	}
	if len(axes) == 0 {
		axes = shape.AllAxes(a.NDim())
	}
	n, err := graph.NewReduce(op, a.node, axes)
	return built(op.String(), n, err, a)
}

// Sum adds elements. Integers keep their type and wrap around; floats are
// added in a fixed order, half types in float32. The sum of bools is how many
// are true, an int64.
func (a *Array) Sum(axes ...int) *Array {
	if a.DType() == Bool {
		return named("sum", a.Cast(Int64).Sum(axes...))
	}
	return a.reduce(graph.Sum, axes)
}

// Prod multiplies elements.
func (a *Array) Prod(axes ...int) *Array { return a.reduce(graph.Prod, axes) }

// Max is the greatest element, NaN if there is one. Of nothing it is -Inf, or
// the least integer.
func (a *Array) Max(axes ...int) *Array { return a.reduce(graph.Max, axes) }

// Min is the least element, NaN if there is one. Of nothing it is +Inf, or the
// greatest integer.
func (a *Array) Min(axes ...int) *Array { return a.reduce(graph.Min, axes) }

// ArgMax is the int64 position of the greatest element, or of the first NaN if there is
// one. Of equal elements it is the first. Over several axes positions count in row-major
// order.
func (a *Array) ArgMax(axes ...int) *Array { return a.reduce(graph.ArgMax, axes) }

// ArgMin is the int64 position of the least element, as ArgMax.
func (a *Array) ArgMin(axes ...int) *Array { return a.reduce(graph.ArgMin, axes) }

// All reports whether every element of a bool array is true.
func (a *Array) All(axes ...int) *Array { return a.reduce(graph.All, axes) }

// Any reports whether some element of a bool array is true.
func (a *Array) Any(axes ...int) *Array { return a.reduce(graph.Any, axes) }

// Mean is the arithmetic mean of floats or complex numbers; NaN of nothing. The
// mean of bools is the part that is true, a float64.
func (a *Array) Mean(axes ...int) *Array {
	if a.DType() == Bool {
		return named("mean", a.Cast(Float64).Mean(axes...))
	}
	return a.stable("mean", axes, false, func(x *Array, axes []int, n int) *Array {
		if t := x.DType(); n&(n-1) == 0 && n > 0 && (t == Float32 || t == Float64) {
			return x.Sum(axes...).MulScalar(1 / float64(n)) // the same bits, and no division
		}
		return x.Sum(axes...).DivScalar(n)
	})
}

// Var is the mean squared distance from the mean, which is real.
func (a *Array) Var(axes ...int) *Array { return a.variance("var", 0, axes) }

// VarDDof is Var with ddof taken off the number of elements before dividing;
// 1 makes it the unbiased estimate.
func (a *Array) VarDDof(ddof int, axes ...int) *Array { return a.variance("var", ddof, axes) }

// Std is the square root of Var.
func (a *Array) Std(axes ...int) *Array {
	if bad := unusable("std", a); bad != nil {
		return bad
	}
	return a.variance("std", 0, axes).Sqrt()
}

func (a *Array) variance(op string, ddof int, axes []int) *Array {
	return a.stable(op, axes, false, func(x *Array, axes []int, n int) *Array {
		mean := x.Sum(axes...).DivScalar(n).ExpandDims(axes...)
		// Two passes: squares of distances cannot cancel as squares of elements do.
		return x.Sub(mean).AbsSquared().Sum(axes...).DivScalar(max(n-ddof, 0))
	})
}

// LogSumExp is the logarithm of the sum of exponentials of floats, without
// overflow; -Inf of nothing.
func (a *Array) LogSumExp(axes ...int) *Array {
	return a.stable("log_sum_exp", axes, true, func(x *Array, axes []int, n int) *Array {
		top := x.Max(axes...)
		// Where the greatest is infinite or NaN, subtracting it would make NaN
		// of Inf, and shifting is of no use.
		// Whatever is subtracted, the result is the same, so top needs no gradient.
		top = StopGradient(Where(top.IsInf().Or(top.IsNaN()), FullLike(top, 0), top))
		return x.Sub(top.ExpandDims(axes...)).Exp().Sum(axes...).Log().Add(top)
	})
}

// Norm is the square root of the sum of squared moduli, which is real.
func (a *Array) Norm(axes ...int) *Array {
	return a.stable("norm", axes, false, func(x *Array, axes []int, n int) *Array {
		return x.AbsSquared().Sum(axes...).Sqrt()
	})
}

// stable runs a reduction that is made of others: f gets the elements, the
// axes in ascending order, and how many elements meet in each result. Half
// types are computed in float32 throughout and rounded once.
func (a *Array) stable(op string, axes []int, realOnly bool, f func(x *Array, axes []int, n int) *Array) *Array {
	if bad := unusable(op, a); bad != nil {
		return bad
	}
	t := a.node.Type
	if realOnly && !t.IsFloat() {
		return failed(op, &scalar.TypeError{In: []elem.Type{t}, Want: "a float dtype"}, a)
	}
	if !t.IsFloat() && !t.IsComplex() {
		return failed(op, &scalar.TypeError{In: []elem.Type{t}, Want: "a float or complex dtype"}, a)
	}
	resolved, err := shape.Axes(axes, a.node.Shape)
	if err != nil {
		return failed(op, err, a)
	}
	if len(axes) == 0 {
		resolved = shape.AllAxes(a.NDim())
	}
	n := 1
	for _, i := range resolved {
		n *= a.node.Shape[i]
	}
	out := f(a.Cast(t.Compute()), resolved, n)
	if t.IsHalf() {
		out = out.Cast(t)
	}
	return named(op, out)
}
