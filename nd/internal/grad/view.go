package grad

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func pullTranspose(s *step, _ int) *graph.Node {
	perm := s.n.Attr.(graph.TransposeAttr).Perm
	return transpose(s.g, inverse(perm))
}

func inverse(perm []int) []int {
	back := make([]int, len(perm))
	for i, p := range perm {
		back[p] = i
	}
	return back
}

// pullBroadcast adds up what every copy of an element was sent.
func pullBroadcast(s *step, i int) *graph.Node {
	return gathered(s.g, s.in[i].Shape)
}

// gathered sums g over the axes along which dims was repeated.
func gathered(g *graph.Node, dims []int) *graph.Node {
	lead := len(g.Shape) - len(dims)
	axes := lists.Where(len(g.Shape), func(i int) bool { return i < lead || dims[i-lead] == 1 && g.Shape[i] != 1 })
	return reshape(sum(g, axes), dims)
}

func pullReshape(s *step, i int) *graph.Node { return reshape(s.g, s.in[i].Shape) }

// pullSlice puts the elements back where they came from, with zeros between. A
// part of one axis waits for the others.
func pullSlice(s *step, i int) *graph.Node {
	a := s.n.Attr.(graph.SliceAttr)
	dims := s.in[i].Shape
	if s.n.Len() == 0 {
		return number(s.in[i], 0)
	}
	if axis := partOf(a, s.n.Shape, dims); axis >= 0 {
		e := s.entry(s.in[i])
		e.pieces = append(e.pieces, piece{axis, a.Start[axis], s.g})
		return nil
	}
	g := s.g
	before, after := make([]int, len(dims)), make([]int, len(dims))
	for axis, n := range s.n.Shape {
		start, step := a.Start[axis], a.Step[axis]
		if n == 1 {
			step = 1
		}
		if step < 0 {
			g = flip(g, axis)
			start, step = start+(n-1)*step, -step
		}
		g = spread(g, axis, step)
		before[axis], after[axis] = start, dims[axis]-start-g.Shape[axis]
	}
	return must(graph.NewPad(g, graph.PadConstant, before, after, scalar.Arg{}))
}

// spread puts step-1 zeros between the elements of an axis.
func spread(x *graph.Node, axis, step int) *graph.Node {
	if step == 1 {
		return x
	}
	n := x.Shape[axis]
	x = reshape(x, with(x.Shape, axis, n, 1))
	x = margin(x, axis+1, 0, step-1)
	x = reshape(x, slices.Concat(x.Shape[:axis], []int{n * step}, x.Shape[axis+2:]))
	return part(x, axis, 0, (n-1)*step+1)
}

// pullFrames adds every sample of a frame to the element it shows. Frames of
// half types, which need more precise sums, and of an inner axis are a sum of
// views; or, where each overlaps all others, as the frames of the taps of a filter do, they are parts of
// the axis.
func pullFrames(s *step, i int) *graph.Node {
	a := s.n.Attr.(graph.FramesAttr)
	length := s.in[i].Shape[a.Axis]
	frames, half, last := s.n.Shape[a.Axis], s.g.Type.IsHalf(), a.Axis == len(s.in[i].Shape)-1
	switch {
	case !half && last:
		return addedFrames(s.g, a.Hop, length)
	case !half && frames <= maxOverlap && frames*a.Hop <= a.Size && s.n.Len() > 0:
		e := s.entry(s.in[i])
		for f := range frames {
			g := part(s.g, a.Axis, f, 1)
			e.pieces = append(e.pieces, piece{a.Axis, f * a.Hop, reshape(g, with(g.Shape, a.Axis))})
		}
		return nil
	}
	return fit(overlapAdd(s.g, a.Axis, a.Size, a.Hop), a.Axis, length)
}

// overlapAdd adds frames, hop apart, where they overlap. It is a view and one
// sum, so that no two additions meet in memory: frames are cut into parts of hop
// samples, and what part b of the result adds up lies in a row with a constant
// stride. Frames of zeros on either side make the row as long for all b.
func overlapAdd(g *graph.Node, axis, size, hop int) *graph.Node {
	frames, tail := g.Shape[axis], g.Shape[axis+2:]
	lead := g.Shape[:axis]
	parts := (size + hop - 1) / hop
	if parts > 1 {
		g = margin(g, axis, parts-1, parts-1)
		frames += 2 * (parts - 1)
	}
	g = margin(g, axis+1, 0, parts*hop-size)
	if parts == 1 {
		return reshape(g, slices.Concat(lead, []int{frames * hop}, tail))
	}
	// Part r of frame f is row f*parts+r. Part b of the sum is part r of frame
	// b-r, for all r: rows that are parts-1 apart.
	g = reshape(g, slices.Concat(lead, []int{frames * parts, hop}, tail))
	g = part(g, axis, parts-1, frames*parts-(parts-1))
	g = must(graph.NewFrames(g, axis, (parts-1)*(parts-1)+1, parts))
	if parts > 2 {
		start, step, dims := whole(g.Shape)
		step[axis+1], dims[axis+1] = parts-1, parts
		g = must(graph.NewSlice(g, start, step, dims))
	}
	blocks := g.Shape[axis]
	g = sum(g, []int{axis + 1})
	return reshape(g, slices.Concat(lead, []int{blocks * hop}, tail))
}
