package grad

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func pullReduce(s *step, i int) *graph.Node {
	a := s.n.Attr.(graph.ReduceAttr)
	x := s.in[i]
	back := func(y *graph.Node) *graph.Node { return repeat(y, a.Axes, x.Shape) }
	switch a.Op {
	case graph.Sum:
		return back(s.g)
	case graph.Prod:
		return mul(back(s.g), conj(productOfOthers(x, a.Axes)))
	case graph.Max, graph.Min:
		// Equal extremes share the cotangent. Where there is a NaN it is the
		// extreme, and equals nothing.
		best := apply(scalar.Or, apply(scalar.Equal, x, back(s.n)), apply(scalar.IsNaN, x))
		count := must(graph.NewReduce(graph.Sum, cast(best, x.Type), a.Axes))
		return where(best, back(div(s.g, count)), number(x, 0))
	}
	return nil
}

// productOfOthers is, for each element, the product of all others that are
// reduced with it: of those before it and of those after it, so that zeros need
// no division.
func productOfOthers(x *graph.Node, axes []int) *graph.Node {
	perm, dims, n := []int{}, []int{}, 1
	for i, d := range x.Shape {
		if !slices.Contains(axes, i) {
			perm, dims = append(perm, i), append(dims, d)
		}
	}
	for _, i := range axes {
		perm, n = append(perm, i), n*x.Shape[i]
	}
	turned := transpose(x, perm)
	line := reshape(turned, append(dims, n))
	last := len(dims)
	others := mul(productBefore(line, last), flip(productBefore(flip(line, last), last), last))
	return transpose(reshape(others, turned.Shape), inverse(perm))
}

// productBefore is the running product of what comes before each element.
func productBefore(x *graph.Node, axis int) *graph.Node {
	n := x.Shape[axis]
	if n < 2 {
		return number(x, 1)
	}
	running := must(graph.NewScan(graph.Prod, part(x, axis, 0, n-1), axis))
	one := full(x.Place(), x.Type, 1, with(x.Shape, axis, 1))
	return must(graph.NewConcat(axis, one, running))
}

func pullScan(s *step, i int) *graph.Node {
	a := s.n.Attr.(graph.ScanAttr)
	if a.Op == graph.Sum {
		return sumFrom(s.g, a.Axis)
	}
	// With y the running products of x, the cotangent of x[k] is the sum of
	// g[i]*y[i]/x[k] from k on. That holds up to the first zero. At it, the
	// quotient is the running product with this one factor left out, and after
	// it all products stay zero.
	x := s.in[i]
	zero := s.isZero(x)
	seen := must(graph.NewScan(graph.Sum, cast(zero, elem.Int64), a.Axis))
	first := apply(scalar.And, zero, apply(scalar.Equal, seen, full(seen.Place(), elem.Int64, 1, seen.Shape)))
	one := number(x, 1)
	without := must(graph.NewScan(graph.Prod, where(first, one, x), a.Axis))
	before := div(sumFrom(mul(s.g, conj(s.n)), a.Axis), conj(where(zero, one, x)))
	at := sumFrom(mul(s.g, conj(without)), a.Axis)
	return where(first, at, where(zero, number(x, 0), before))
}

// sumFrom is the sum of each element and all after it.
func sumFrom(x *graph.Node, axis int) *graph.Node {
	return flip(must(graph.NewScan(graph.Sum, flip(x, axis), axis)), axis)
}
