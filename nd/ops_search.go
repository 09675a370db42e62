package nd

import (
	"fmt"
	"math/bits"
)

// SearchSorted gives, for each element of x, the int64 position in sorted, which
// has one axis and ascends, before which it would be put: behind equal elements,
// so that it is how many of them are at most x. NaN goes to the end.
func SearchSorted(sorted, x *Array) *Array {
	if bad := searchable("search_sorted", sorted, x); bad != nil {
		return bad
	}
	return named("search_sorted", searched(sorted, x))
}

// searchable gives the Array that op has to return if sorted and x do not fit
// each other; nil if they do.
func searchable(op string, sorted, x *Array) *Array {
	if bad := unusable(op, sorted, x); bad != nil {
		return bad
	}
	if sorted.NDim() != 1 {
		return failed(op, fmt.Errorf("shape %v, want one axis", sorted.node.Shape), sorted, x)
	}
	if sorted.node.Type != x.node.Type || !x.node.Type.IsOrdered() {
		return failed(op, fmt.Errorf("%s in %s: want one dtype that has an order", x.node.Type, sorted.node.Type), sorted, x)
	}
	return nil
}

// searched halves the candidates of all elements at once: as many takes as the
// length has bits.
func searched(sorted, x *Array) *Array {
	n := sorted.Len()
	place := FullLike(x.Cast(Bool).Cast(Int64), 0)
	if n == 0 {
		return place
	}
	isNaN := FullLike(x.Equal(x), false)
	if x.DType().IsFloat() {
		isNaN = x.IsNaN()
	}
	for step := 1 << (bits.Len(uint(n)) - 1); step > 0; step /= 2 {
		next := place.AddScalar(step)
		candidate := sorted.Take(next.MinimumScalar(n).SubScalar(1), 0)
		behind := next.LessEqualScalar(n).And(candidate.LessEqual(x).Or(isNaN))
		place = Where(behind, next, place)
	}
	return place
}

// Interp is the piecewise linear function through the points (xp, fp) at each
// element of x. xp and fp have one axis, and xp ascends. Left of the first point
// it is fp's first element, right of the last its last; NaN gives NaN.
func Interp(x, xp, fp *Array) *Array {
	if bad := searchable("interp", xp, x); bad != nil {
		return bad
	}
	if bad := unusable("interp", fp); bad != nil {
		return bad
	}
	switch {
	case !x.node.Type.IsFloat() || fp.node.Type != x.node.Type:
		return failed("interp", fmt.Errorf("%s values at %s points: want one float dtype", fp.node.Type, x.node.Type), x, xp, fp)
	case fp.NDim() != 1 || fp.Len() != xp.Len() || xp.Len() == 0:
		return failed("interp", fmt.Errorf("points %v and values %v: want one axis of the same length, not empty", xp.node.Shape, fp.node.Shape), x, xp, fp)
	}
	n := xp.Len()
	if n == 1 {
		return named("interp", Where(x.IsNaN(), x, fp.Reshape()))
	}
	left := searched(xp, x).SubScalar(1).Clip(0, n-2)
	right := left.AddScalar(1)
	x0, x1, f0, f1 := xp.Take(left, 0), xp.Take(right, 0), fp.Take(left, 0), fp.Take(right, 0)
	// Within the segment, and exact at both of its ends.
	at := x.Sub(x0).Div(x1.Sub(x0))
	inner := f0.Add(f1.Sub(f0).Mul(at))
	out := Where(x.GreaterEqual(x1), f1, Where(x.LessEqual(x0), f0, inner))
	return named("interp", Where(x.IsNaN(), x, out))
}
