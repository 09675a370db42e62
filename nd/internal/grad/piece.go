package grad

import (
	"cmp"
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

// join adds the pieces of a node to its cotangent. Pieces that do not overlap
// become one array at the cost of writing it once; each by itself would be
// filled up with zeros and added.
func (p *pass) join(n *graph.Node) {
	list := p.pieces[n]
	if len(list) == 0 {
		return
	}
	axis, length := list[0].axis, 0
	if slices.ContainsFunc(list, func(q piece) bool { return q.axis != axis }) {
		p.pad(n, list)
		return
	}
	sorted := slices.SortedStableFunc(slices.Values(list), func(a, b piece) int { return cmp.Compare(a.start, b.start) })
	var parts []*graph.Node
	zeros := func(count int) {
		if count > 0 {
			parts = append(parts, full(n.Place(), n.Type, 0, with(n.Shape, axis, count)))
		}
	}
	for _, q := range sorted {
		if q.start < length {
			p.pad(n, list)
			return
		}
		zeros(q.start - length)
		parts = append(parts, q.g)
		length = q.end()
	}
	if len(list) == 1 {
		p.pad(n, list) // zeros around one piece are a Pad
		return
	}
	zeros(n.Shape[axis] - length)
	p.add(n, must(graph.NewConcat(axis, parts...)))
}

func (p *pass) pad(n *graph.Node, list []piece) {
	for _, q := range list {
		p.add(n, margin(q.g, q.axis, q.start, n.Shape[q.axis]-q.end()))
	}
}
