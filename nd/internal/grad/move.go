package grad

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// pullPad cuts the padding off. Padding that repeats elements is first added to
// them, one axis after the other.
func pullPad(s *step, i int) *graph.Node {
	a := s.n.Attr.(graph.PadAttr)
	g := s.g
	for axis, n := range s.in[i].Shape {
		before, after := a.Before[axis], a.After[axis]
		if before == 0 && after == 0 {
			continue
		}
		middle := part(g, axis, before, n)
		if a.Mode != graph.PadConstant {
			var ends []ending
			if before > 0 {
				ends = append(ends, repeated(a.Mode, part(g, axis, 0, before), axis, n, true))
			}
			if after > 0 {
				ends = append(ends, repeated(a.Mode, part(g, axis, before+n, after), axis, n, false))
			}
			middle = addEnds(middle, axis, ends)
		}
		g = middle
	}
	return g
}

// ending is the cotangent of padding at one end, as it is added to the elements
// from first on.
type ending struct {
	g     *graph.Node
	first int
}

// repeated is the ending of padding that repeats elements of an axis of n.
func repeated(mode graph.PadMode, g *graph.Node, axis, n int, head bool) ending {
	width := g.Shape[axis]
	first := 0
	switch mode {
	case graph.PadEdge:
		g = reshape(sum(g, []int{axis}), with(g.Shape, axis, 1))
		if !head {
			first = n - 1
		}
	case graph.PadReflect:
		g = flip(g, axis)
		first = 1
		if !head {
			first = n - 1 - width
		}
	case graph.PadWrap:
		if head {
			first = n - width
		}
	}
	return ending{g, first}
}

// addEnds adds endings to an axis, part by part, so that what they do not reach
// is only copied; with zeros around them where they meet.
func addEnds(x *graph.Node, axis int, ends []ending) *graph.Node {
	slices.SortStableFunc(ends, func(a, b ending) int { return a.first - b.first })
	n := x.Shape[axis]
	var parts []*graph.Node
	at := 0
	for _, e := range ends {
		if e.first < at {
			for _, e := range ends {
				x = add(x, margin(e.g, axis, e.first, n-e.first-e.g.Shape[axis]))
			}
			return x
		}
		if e.first > at {
			parts = append(parts, part(x, axis, at, e.first-at))
		}
		at = e.first + e.g.Shape[axis]
		parts = append(parts, add(part(x, axis, e.first, e.g.Shape[axis]), e.g))
	}
	if at < n {
		parts = append(parts, part(x, axis, at, n-at))
	}
	return must(graph.NewConcat(axis, parts...))
}

func pullConcat(s *step, i int) *graph.Node {
	axis := s.n.Attr.(graph.AxisAttr).Axis
	start := lists.Sum(s.in[:i], func(x *graph.Node) int { return x.Shape[axis] })
	return part(s.g, axis, start, s.in[i].Shape[axis])
}

// pullTake adds to each position what its copies were sent. The index array,
// whatever its shape, becomes one axis.
func pullTake(s *step, i int) *graph.Node {
	axis := s.n.Attr.(graph.IndexAttr).Axis
	data, index := s.in[0], s.in[1]
	if i != 0 {
		return nil
	}
	g := reshape(s.g, with(data.Shape, axis, index.Len()))
	ones := slices.Repeat([]int{1}, len(data.Shape))
	ones[axis] = index.Len()
	return must(graph.NewScatterAdd(number(data, 0), reshape(index, ones), g, axis, s.n.From().Gradient()))
}

func pullGather(s *step, i int) *graph.Node {
	if i != 0 {
		return nil
	}
	axis := s.n.Attr.(graph.IndexAttr).Axis
	return must(graph.NewScatterAdd(number(s.in[0], 0), s.in[1], s.g, axis, s.n.From().Gradient()))
}

func pullScatterAdd(s *step, i int) *graph.Node {
	switch i {
	case 0:
		return s.g
	case 2:
		return must(graph.NewGather(s.g, s.in[1], s.n.Attr.(graph.IndexAttr).Axis, s.n.From().Gradient()))
	}
	return nil
}

// pullSort sends every element back to where it was.
func pullSort(s *step, i int) *graph.Node {
	a := s.n.Attr.(graph.SortAttr)
	if a.Arg {
		return nil
	}
	x := s.in[i]
	a.Arg = true
	order := must(graph.NewSort(x, a))
	return must(graph.NewScatterAdd(number(x, 0), order, s.g, a.Axis, nil))
}

// rows is all axes but the last as one.
func rows(x *graph.Node) *graph.Node {
	last := len(x.Shape) - 1
	return reshape(x, []int{lists.Product(x.Shape[:last]), x.Shape[last]})
}

// adjoint is the conjugate of the transposed matrices in the last two axes.
func adjoint(x *graph.Node) *graph.Node {
	perm := lists.Make(len(x.Shape), func(i int) int { return i })
	slices.Reverse(perm[len(perm)-2:])
	return conj(transpose(x, perm))
}

// pullMatMul is g b* for the left operand and a* g for the right one.
func pullMatMul(s *step, i int) *graph.Node {
	a, b := s.in[0], s.in[1]
	g := s.g
	if s.n.Adding().Root {
		g = pullSqrt(s) // what is stored is the root of the product
	}
	if i == 0 {
		return must(graph.NewMatMul(g, adjoint(b)))
	}
	if w := s.shared(b); w != nil {
		// One matrix multiplies a whole batch: its gradient is one product over
		// all rows, and not a product for each item and their sum.
		s.to = w
		return reshape(must(graph.NewMatMul(adjoint(rows(a)), rows(g))), w.Shape)
	}
	if w := s.windowsOf(b); w != nil && s.n.Attr == nil {
		if of := w.pull(a, g); of != nil {
			s.to = w.of
			return of
		}
	}
	return must(graph.NewMatMul(adjoint(a), g))
}

// shared is the one matrix that a broadcast repeats, or nil.
func (s *step) shared(b *graph.Node) *graph.Node {
	e := s.entry(b)
	if b.Op != graph.Broadcast || e.wrt || len(e.in) == 0 {
		return nil
	}
	w := e.in[0]
	n := len(w.Shape) - 2
	if n < 0 || slices.ContainsFunc(w.Shape[:n], func(d int) bool { return d != 1 }) {
		return nil
	}
	return w
}
