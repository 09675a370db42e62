package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// CumSum is the running sum along an axis.
func (a *Array) CumSum(axis int) *Array { return a.scan("cumsum", graph.Sum, axis) }

// CumProd is the running product along an axis.
func (a *Array) CumProd(axis int) *Array { return a.scan("cumprod", graph.Prod, axis) }

func (a *Array) scan(op string, how graph.ReduceOp, axis int) *Array {
	if bad := unusable(op, a); bad != nil {
		return bad
	}
	n, err := graph.NewScan(how, a.node, axis)
	return built(op, n, err, a)
}

// Sort sorts along an axis in ascending order, with NaN last.
func (a *Array) Sort(axis int) *Array {
	return a.sort("sort", graph.SortAttr{Axis: axis})
}

// SortDescending orders along an axis, greatest first, NaN still last.
func (a *Array) SortDescending(axis int) *Array {
	return a.sort("sort", graph.SortAttr{Axis: axis, Descending: true})
}

// ArgSort is the int64 positions that Sort would take elements from. Equal
// elements keep their order.
func (a *Array) ArgSort(axis int) *Array {
	return a.sort("argsort", graph.SortAttr{Axis: axis, Arg: true})
}

// ArgSortDescending is the positions for SortDescending. Equal elements keep
// their order.
func (a *Array) ArgSortDescending(axis int) *Array {
	return a.sort("argsort", graph.SortAttr{Axis: axis, Arg: true, Descending: true})
}

func (a *Array) sort(op string, s graph.SortAttr) *Array {
	if bad := unusable(op, a); bad != nil {
		return bad
	}
	n, err := graph.NewSort(a.node, s)
	return built(op, n, err, a)
}

// TopK returns the k greatest elements along an axis, greatest first, and their int64
// positions. Of equal elements the first are taken; NaN comes after all numbers.
func (a *Array) TopK(k, axis int) (values, positions *Array) {
	if bad := unusable("topk", a); bad != nil {
		return bad, bad
	}
	axis, err := shape.Axis(axis, a.node.Shape)
	if err == nil && (k < 0 || k > a.node.Shape[axis]) {
		err = fmt.Errorf("k %d: want 0 to the %d elements of axis %d of shape %v", k, a.node.Shape[axis], axis, a.node.Shape)
	}
	if err != nil {
		bad := failed("topk", err, a)
		return bad, bad
	}
	if k == 0 {
		none := a.SliceAxis(axis, Range{})
		return none, none.Cast(Int64)
	}
	positions = a.sort("topk", graph.SortAttr{Axis: axis, Arg: true, Descending: true, K: k})
	if positions.err != nil {
		return positions, positions
	}
	return named("topk", a.Gather(positions, axis)), positions
}
