package graph

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// NewScan is the running Sum or Prod along an axis.
func NewScan(op ReduceOp, x *Node, axis int) (*Node, error) {
	axis, err := shape.Axis(axis, x.Shape)
	if err != nil {
		return nil, err
	}
	return apply(Def{Op: Scan, Attr: ScanAttr{op, axis}}, x)
}

// NewSort orders along a.Axis, which may count from the end. a.K, where
// positive, is how many are kept.
func NewSort(x *Node, a SortAttr) (*Node, error) {
	var err error
	if a.Axis, err = shape.Axis(a.Axis, x.Shape); err != nil {
		return nil, err
	}
	return apply(Def{Op: Sort, Attr: a}, x)
}

func inferScan(d *Def, in []*Node) (elem.Type, []int, error) {
	a, x, err := unary[ScanAttr](d, in)
	if err == nil {
		err = inAxes(a.Axis, x.Shape)
	}
	if err == nil && a.Op != Sum && a.Op != Prod {
		err = fmt.Errorf("no running %s", a.Op)
	}
	if err == nil {
		err = reducible(a.Op, x.Type)
	}
	if err != nil {
		return wrong(err)
	}
	return x.Type, x.Shape, nil
}

func inferSort(d *Def, in []*Node) (elem.Type, []int, error) {
	a, x, err := unary[SortAttr](d, in)
	if err == nil {
		err = inAxes(a.Axis, x.Shape)
	}
	if err == nil && !x.Type.IsOrdered() {
		err = typeFact(x.Type, "an ordered dtype")
	}
	if err != nil {
		return wrong(err)
	}
	dims := x.Shape
	if n := x.Shape[a.Axis]; a.K < 0 || a.K > n {
		return wrongf("k %d of %d elements", a.K, n)
	} else if a.K > 0 {
		dims = with(x.Shape, a.Axis, a.K)
	}
	if a.Arg {
		return elem.Int64, dims, nil
	}
	return x.Type, dims, nil
}

// typeFact says that an operation outside package scalar refuses a type.
func typeFact(t elem.Type, want string) error {
	return &scalar.TypeError{In: []elem.Type{t}, Want: want}
}
