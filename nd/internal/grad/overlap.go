package grad

import "github.com/twiddle-go/twiddle/nd/internal/graph"

// pullOverlap gives every frame the part of the gradient that it was added to.
func pullOverlap(s *step, i int) *graph.Node {
	a := s.n.Attr.(graph.OverlapAttr)
	dims := s.in[i].Shape
	n := len(dims)
	turns, phases, size := dims[n-3], dims[n-2], dims[n-1]
	frames := turns * phases
	if frames == 0 || size == 0 {
		return full(s.g.Place(), s.g.Type, 0, dims)
	}
	axis := n - 3
	g := fit(margin(s.g, axis, a.Skip, 0), axis, (frames-1)*a.Hop+size)
	g = must(graph.NewFrames(g, axis, size, a.Hop))
	if a.Count < frames {
		g = fit(part(g, axis, 0, a.Count), axis, frames)
	}
	return reshape(g, dims)
}

// addedFrames is the gradient of frames along the last axis: what each of them
// was sent, added where they overlap.
func addedFrames(g *graph.Node, hop, length int) *graph.Node {
	n := len(g.Shape)
	x := reshape(g, with(g.Shape, n-2, g.Shape[n-2], 1))
	return must(graph.NewOverlap(x, graph.OverlapAttr{Hop: hop, Count: g.Shape[n-2], Length: length}))
}
