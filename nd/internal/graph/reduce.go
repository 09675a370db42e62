package graph

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// NewReduce combines elements over the given axes, which are dropped. Over no
// axes every element is its own result.
func NewReduce(op ReduceOp, x *Node, axes []int) (*Node, error) {
	axes, err := shape.Axes(axes, x.Shape)
	if err != nil {
		return nil, err
	}
	if len(axes) == 0 {
		if err := reducible(op, x.Type); err != nil {
			return nil, err
		}
		if op.IsArg() {
			return NewFull(x.Place(), elem.Int64, scalar.IntArg(0), x.Shape)
		}
		return x, nil
	}
	return apply(Def{Op: Reduce, Attr: ReduceAttr{op, axes}}, x)
}

func inferReduce(d *Def, in []*Node) (elem.Type, []int, error) {
	a, x, err := unary[ReduceAttr](d, in)
	if err == nil {
		err = reducible(a.Op, x.Type)
	}
	if err != nil {
		return wrong(err)
	}
	if len(a.Axes) == 0 {
		return wrongf("no axes")
	}
	dims := make([]int, 0, len(x.Shape))
	count := 1
	for i, n := range x.Shape {
		if slices.Contains(a.Axes, i) {
			count = min(count, n) // only whether it is empty matters
		} else {
			dims = append(dims, n)
		}
	}
	for i, axis := range a.Axes {
		if err := inAxes(axis, x.Shape); err != nil {
			return wrong(err)
		}
		if i > 0 && a.Axes[i-1] >= axis {
			return wrongf("axes %v are not ascending", a.Axes)
		}
	}
	if a.Op.IsArg() {
		if count == 0 {
			return wrongf("no elements over axes %v of shape %v", a.Axes, x.Shape)
		}
		return elem.Int64, dims, nil
	}
	return x.Type, dims, nil
}

// reducible says which types a reduction takes.
func reducible(op ReduceOp, t elem.Type) error {
	ok, want := false, ""
	switch op {
	case Sum, Prod:
		ok, want = t != elem.Bool, "a number"
	case Max, Min, ArgMax, ArgMin:
		ok, want = t.IsOrdered() && t != elem.Bool, "a real dtype"
	case All, Any:
		ok, want = t == elem.Bool, "bool"
	default:
		want = "a known reduction"
	}
	if !ok {
		return typeFact(t, want)
	}
	return nil
}
