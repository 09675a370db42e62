package nd

import (
	"cmp"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// End, as the Stop of a Range, goes through to the last element in the
// direction of the step.
const End = shape.End

// Range selects elements Start, Start+Step, ... before Stop along an axis, as
// NumPy's start:stop:step. Negative bounds count from the end, bounds outside
// the axis are clipped, and a Step of 0 means 1. Stop is taken at its word: the
// zero Range selects nothing, All selects everything. A forward Range that has
// a Start and stops at 0, so that it could only select nothing, is refused: its
// Stop was left out. Head, Tail, Skip and Between are shorter.
//
//	nd.Skip(2)                                   // all but the first two
//	nd.Range{Stop: -1}                           // all but the last
//	nd.Range{Start: 1, Stop: nd.End, Step: 2}    // every second one
//	nd.Range{Start: -1, Stop: nd.End, Step: -1}  // reversed
type Range struct{ Start, Stop, Step int }

// All is a whole axis.
var All = Range{Stop: End}

// Slice selects a range of each axis, without a copy; axes without a range
// stay whole. To copy elements out of the engine see the function Slice.
func (a *Array) Slice(ranges ...Range) *Array {
	if bad := unusable("slice", a); bad != nil {
		return bad
	}
	old := a.node.Shape
	if len(ranges) > len(old) {
		return failed("slice", fmt.Errorf("%s for shape %v", counted.Of(len(ranges), "range"), old), a)
	}
	// One backing array for the three lists.
	lists := make([]int, 3*len(old))
	start, step, dims := lists[:len(old)], lists[len(old):2*len(old)], lists[2*len(old):]
	for i, n := range old {
		start[i], step[i], dims[i] = 0, 1, n
		if i >= len(ranges) {
			continue
		}
		r := ranges[i]
		r.Step = cmp.Or(r.Step, 1)
		if r.Start > 0 && r.Stop == 0 && r.Step > 0 {
			return failed("slice", fmt.Errorf("range of axis %d starts at %d and stops at 0: give it a Stop, or nd.Skip(%d) to go to the end", i, r.Start, r.Start), a)
		}
		var err error
		if start[i], step[i], dims[i], err = shape.Range(n, r.Start, r.Stop, r.Step); err != nil {
			return failed("slice", err, a)
		}
	}
	n, err := graph.NewSlice(a.node, start, step, dims)
	return built("slice", n, err, a)
}

// SliceAxis selects a range of one axis.
func (a *Array) SliceAxis(axis int, r Range) *Array {
	if bad := unusable("slice", a); bad != nil {
		return bad
	}
	axis, err := shape.Axis(axis, a.node.Shape)
	if err != nil {
		return failed("slice", err, a)
	}
	ranges := make([]Range, axis+1)
	for i := range ranges {
		ranges[i] = All
	}
	ranges[axis] = r
	return a.Slice(ranges...)
}

// At is the element, or the subarray, at the given places of the leading axes,
// which are dropped. Negative places count from the end; a place outside its
// axis is an error.
func (a *Array) At(places ...int) *Array {
	if bad := unusable("at", a); bad != nil {
		return bad
	}
	old := a.node.Shape
	if len(places) > len(old) {
		return failed("at", fmt.Errorf("%s for shape %v", counted.Of(len(places), "place"), old), a)
	}
	ranges := make([]Range, len(places))
	for i, p := range places {
		if p < 0 {
			p += old[i]
		}
		if p < 0 || p >= old[i] {
			return failed("at", fmt.Errorf("place %d out of range for axis %d of shape %v", places[i], i, old), a)
		}
		ranges[i] = Range{Start: p, Stop: p + 1}
	}
	return named("at", a.Slice(ranges...).Reshape(old[len(places):]...))
}

// Flip reverses axes; without arguments all of them.
func (a *Array) Flip(axes ...int) *Array {
	if bad := unusable("flip", a); bad != nil {
		return bad
	}
	which, err := shape.Axes(axes, a.node.Shape)
	if err != nil {
		return failed("flip", err, a)
	}
	if len(axes) == 0 {
		which = shape.AllAxes(a.NDim())
	}
	ranges := make([]Range, a.NDim())
	for i := range ranges {
		ranges[i] = All
	}
	for _, i := range which {
		ranges[i] = Range{Start: -1, Stop: End, Step: -1}
	}
	return named("flip", a.Slice(ranges...))
}
