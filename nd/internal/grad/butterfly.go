package grad

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// pullButterfly is, for the lines, the adjoint factors in reverse. For the
// factors it needs the line in front of each, and the cotangent behind it:
// both are computed factor by factor.
func pullButterfly(s *step, i int) *graph.Node {
	a := s.n.Attr.(graph.ButterflyAttr)
	x, w := s.in[0], s.in[1]
	last := len(a.Spans) - 1
	if i == 0 {
		spans := slices.Clone(a.Spans)
		slices.Reverse(spans)
		return must(graph.NewButterfly(s.g, adjointBlocks(flip(w, 0)), graph.ButterflyAttr{Spans: spans, From: a.To, To: a.From}))
	}
	one := func(v, w *graph.Node, f int) *graph.Node {
		return must(graph.NewButterfly(v, part(w, 0, f, 1), graph.ButterflyAttr{Spans: a.Spans[f : f+1]}))
	}
	before := []*graph.Node{ordered(x, w, a.From)}
	for f := range last {
		before = append(before, one(before[f], w, f))
	}
	g, back := ordered(s.g, w, a.To), adjointBlocks(w)
	grads := make([]*graph.Node, len(a.Spans))
	for f := last; f >= 0; f-- {
		grads[f] = blockGrad(g, before[f], a.Spans[f])
		if f > 0 {
			g = one(g, back, f)
		}
	}
	return must(graph.NewConcat(0, grads...))
}

// adjointBlocks is the factors with every block transposed and conjugated.
func adjointBlocks(w *graph.Node) *graph.Node { return conj(transpose(w, []int{0, 2, 1, 3})) }

// ordered takes lines in another order, by a factor that changes nothing else.
func ordered(x, w *graph.Node, order []int) *graph.Node {
	if order == nil {
		return x
	}
	dims := []int{1, 2, 2, w.Shape[3]}
	row, col := must(graph.NewIota(x.Place(), 1, dims)), must(graph.NewIota(x.Place(), 2, dims))
	p, t := x.Place(), x.Type
	same := where(apply(scalar.Equal, row, col), full(p, t, 1, dims), full(p, t, 0, dims))
	return must(graph.NewButterfly(x, same, graph.ButterflyAttr{Spans: []int{1}, From: order}))
}

// blockGrad is the cotangent of one factor's blocks, (1, 2, 2, n/2): of each
// pair, the products of the cotangents behind with the elements in front,
// added up over all lines.
func blockGrad(g, v *graph.Node, span int) *graph.Node {
	n := v.Shape[len(v.Shape)-1]
	lines, blocks := lists.Product(v.Shape[:len(v.Shape)-1]), n/(2*span)
	rows := reshape(g, []int{lines, blocks, 2, 1, span})
	cols := reshape(conj(v), []int{lines, blocks, 1, 2, span})
	all := []int{lines, blocks, 2, 2, span}
	products := apply(scalar.Mul, broadcast(rows, all), broadcast(cols, all))
	return reshape(transpose(sum(products, []int{0}), []int{1, 2, 0, 3}), []int{1, 2, 2, n / 2})
}
