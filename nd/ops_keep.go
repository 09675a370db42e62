package nd

import "github.com/twiddle-go/twiddle/nd/internal/shape"

// Kept is an array about to be reduced over some axes that stay, with length 1,
// so that the result broadcasts against the array:
//
//	centred := x.Sub(x.Keep(-1).Mean())
//	unit := x.Div(x.Keep(-1).Norm())
type Kept struct {
	a    *Array
	axes []int
}

// Keep returns the array for a reduction that keeps the reduced axes, with length 1: the
// given axes, or all of them. It is NumPy's keepdims: a.Keep(0).Sum().
func (a *Array) Keep(axes ...int) Kept { return Kept{a, axes} }

// with reduces and puts the axes back.
func (k Kept) with(reduce func(a *Array, axes ...int) *Array) *Array {
	out := reduce(k.a, k.axes...)
	if out.Err() != nil {
		return out
	}
	axes := shape.AllAxes(k.a.NDim())
	if len(k.axes) > 0 {
		axes, _ = shape.Axes(k.axes, k.a.node.Shape) // reduce has checked them
	}
	return out.ExpandDims(axes...)
}

// Sum is Array.Sum.
func (k Kept) Sum() *Array { return k.with((*Array).Sum) }

// Prod is Array.Prod.
func (k Kept) Prod() *Array { return k.with((*Array).Prod) }

// Max is Array.Max.
func (k Kept) Max() *Array { return k.with((*Array).Max) }

// Min is Array.Min.
func (k Kept) Min() *Array { return k.with((*Array).Min) }

// Mean is Array.Mean.
func (k Kept) Mean() *Array { return k.with((*Array).Mean) }

// Var is Array.Var.
func (k Kept) Var() *Array { return k.with((*Array).Var) }

// Std is Array.Std.
func (k Kept) Std() *Array { return k.with((*Array).Std) }

// Norm is Array.Norm.
func (k Kept) Norm() *Array { return k.with((*Array).Norm) }

// LogSumExp is Array.LogSumExp.
func (k Kept) LogSumExp() *Array { return k.with((*Array).LogSumExp) }

// ArgMax is Array.ArgMax.
func (k Kept) ArgMax() *Array { return k.with((*Array).ArgMax) }

// ArgMin is Array.ArgMin.
func (k Kept) ArgMin() *Array { return k.with((*Array).ArgMin) }

// All is Array.All.
func (k Kept) All() *Array { return k.with((*Array).All) }

// Any is Array.Any.
func (k Kept) Any() *Array { return k.with((*Array).Any) }

// Median is Array.Median.
func (k Kept) Median() *Array { return k.with((*Array).Median) }

// Quantile is Array.Quantile.
func (k Kept) Quantile(q float64) *Array {
	return k.with(func(a *Array, axes ...int) *Array { return a.Quantile(q, axes...) })
}
