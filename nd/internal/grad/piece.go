package grad

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// piece is the cotangent of a run of elements along one axis of a node, and of
// all of the other axes.
type piece struct {
	axis, start int
	g           *graph.Node
}

func (p piece) end() int { return p.start + p.g.Shape[p.axis] }

// partOf is the one axis of dims of which a slice keeps a run, or -1.
func partOf(a graph.SliceAttr, kept, dims []int) int {
	axis := -1
	for i, n := range kept {
		if n == dims[i] && a.Start[i] == 0 {
			continue
		}
		if axis >= 0 || n > 1 && a.Step[i] != 1 {
			return -1
		}
		axis = i
	}
	return axis
}

// maxOverlap bounds how many pieces join adds up by segments. Beyond it, filling
// up each with zeros is less graph.
const maxOverlap = 64

// join adds the pieces of a node to its cotangent. The axis is cut wherever a
// piece begins or ends; each segment is the sum of the pieces that cover it, and
// all of them are written once. Pieces by themselves would be filled up with
// zeros and added.
func (p *pass) join(n *graph.Node) {
	list := p.entry(n).pieces
	if len(list) == 0 {
		return
	}
	axis, length := list[0].axis, 0
	cuts := []int{0, n.Shape[axis]}
	for _, q := range list {
		cuts = append(cuts, q.start, q.end())
		length += q.end() - q.start
	}
	if len(list) == 1 || slices.ContainsFunc(list, func(q piece) bool { return q.axis != axis }) ||
		length > n.Shape[axis] && len(list) > maxOverlap {
		for _, q := range list {
			p.add(n, margin(q.g, q.axis, q.start, n.Shape[q.axis]-q.end()))
		}
		return
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var segments []*graph.Node
	for i, from := range cuts[:len(cuts)-1] {
		to := cuts[i+1]
		var sum *graph.Node
		for _, q := range list {
			if q.start > from || q.end() < to {
				continue
			}
			if g := part(q.g, axis, from-q.start, to-from); sum == nil {
				sum = g
			} else {
				sum = add(sum, g)
			}
		}
		if sum == nil {
			sum = full(n.Place(), n.Type, 0, with(n.Shape, axis, to-from))
		}
		segments = append(segments, sum)
	}
	p.add(n, must(graph.NewConcat(axis, segments...)))
}
