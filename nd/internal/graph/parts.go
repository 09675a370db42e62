package graph

import (
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"slices"
)

// InParts rewrites the computation of n as a concatenation of parts along one
// of its axes, so that what is computed on the way is there for one part at a
// time. It gives nil if no axis goes through: every operation between n and
// what is there already must treat the indices along it apart.
func InParts(n *Node, parts int) *Node {
	for axis, dim := range n.Shape {
		if dim < parts {
			continue
		}
		c := cutter{memo: map[cutKey]*Node{}}
		pieces := lists.Make(parts, func(i int) *Node { return c.cut(n, axis, dim*i/parts, dim*(i+1)/parts) })
		if c.failed {
			continue
		}
		if joined, err := NewConcat(axis, pieces...); err == nil {
			return joined
		}
	}
	return nil
}

// cutter takes computations apart. Nodes that several others use stay shared.
type cutter struct {
	memo   map[cutKey]*Node
	depth  int
	failed bool // some operation needs all of its input
}

// deepest bounds the recursion over the graph.
const deepest = 100_000

type cutKey struct {
	n            *Node
	axis, lo, hi int
}

// cut is indices lo..hi-1 of n along an axis.
func (c *cutter) cut(n *Node, axis, lo, hi int) *Node {
	k := cutKey{n, axis, lo, hi}
	if m := c.memo[k]; m != nil {
		return m
	}
	if c.depth++; c.depth > deepest {
		c.failed = true
	}
	var m *Node
	if !c.failed {
		m = c.through(n, axis, lo, hi)
	}
	if m == nil {
		m = c.slice(n, axis, lo, hi)
	}
	c.depth--
	c.memo[k] = m
	return m
}

// slice is a view of what is there, or is never stored; anything else would
// have to be computed whole.
func (c *cutter) slice(n *Node, axis, lo, hi int) *Node {
	if n.Held() == nil && !isSource(n.Op) {
		c.failed = true
		return n
	}
	start, step := make([]int, len(n.Shape)), make([]int, len(n.Shape))
	start[axis] = lo
	for i := range step {
		step[i] = 1
	}
	m, err := NewSlice(n, start, step, with(n.Shape, axis, hi-lo))
	if err != nil {
		c.failed = true
		return n
	}
	return m
}

func isSource(o Op) bool { return o == Full || o == Iota || o == Random || o == Data }

// through pushes a cut to the inputs of n, or gives nil.
func (c *cutter) through(n *Node, axis, lo, hi int) *Node {
	if n.Held() != nil {
		return nil
	}
	in := n.In()
	if len(in) == 0 {
		return nil
	}
	// again is n over other inputs, cut along axis.
	again := func(attr Attr, in ...*Node) *Node {
		return New(Def{Op: n.Op, Attr: attr, In: in, Type: n.Type, Shape: with(n.Shape, axis, hi-lo),
			Args: n.Args, Device: n.Device, Stream: n.Stream})
	}
	// all cuts every input along the same axis, off indices further on.
	all := func(off int) *Node {
		cuts := lists.Map(in, func(x *Node) *Node { return c.cut(x, axis+off, lo, hi) })
		return again(n.Attr, cuts...)
	}
	switch n.Op {
	case Map, BitCast:
		return all(0)
	case Transpose:
		return again(n.Attr, c.cut(in[0], n.Attr.(TransposeAttr).Perm[axis], lo, hi))
	case Broadcast:
		at := axis - (len(n.Shape) - len(in[0].Shape))
		if at < 0 || in[0].Shape[at] != n.Shape[axis] {
			return again(n.Attr, in[0])
		}
		return again(n.Attr, c.cut(in[0], at, lo, hi))
	case Slice:
		a := n.Attr.(SliceAttr)
		if a.Step[axis] != 1 {
			return nil
		}
		first := a.Start[axis]
		return again(SliceAttr{with(a.Start, axis, 0), a.Step}, c.cut(in[0], axis, first+lo, first+hi))
	case Reshape:
		if len(in[0].Shape) <= axis || !slices.Equal(n.Shape[:axis+1], in[0].Shape[:axis+1]) {
			return nil
		}
		return all(0)
	case Frames:
		switch a := n.Attr.(FramesAttr); {
		case axis < a.Axis:
			return all(0)
		case axis == a.Axis: // frames lo..hi-1 overlap with their neighbours
			return again(n.Attr, c.cut(in[0], axis, lo*a.Hop, (hi-1)*a.Hop+a.Size))
		case axis > a.Axis+1:
			return again(a, c.cut(in[0], axis-1, lo, hi))
		}
	case Pad:
		if a := n.Attr.(PadAttr); a.Before[axis] == 0 && a.After[axis] == 0 {
			return all(0)
		}
	case Concat:
		if n.Attr.(AxisAttr).Axis != axis {
			return all(0)
		}
	case Gather:
		if n.Attr.(IndexAttr).Axis != axis {
			return all(0)
		}
	case Reduce:
		at := axis
		for _, r := range n.Attr.(ReduceAttr).Axes { // ascending
			if r <= at {
				at++
			}
		}
		return all(at - axis)
	case Scan:
		if n.Attr.(ScanAttr).Axis != axis {
			return all(0)
		}
	case Sort:
		if n.Attr.(SortAttr).Axis != axis {
			return all(0)
		}
	case FFT:
		if n.Attr.(FFTAttr).Axis != axis {
			return all(0)
		}
	case Overlap:
		if axis < len(n.Shape)-1 {
			return all(0)
		}
	case MatMul:
		switch last := len(n.Shape) - 1; axis {
		case last:
			return again(n.Attr, in[0], c.cut(in[1], axis, lo, hi))
		case last - 1:
			return again(n.Attr, c.cut(in[0], axis, lo, hi), in[1])
		}
		return all(0)
	case Butterfly:
		if axis < len(n.Shape)-1 {
			return again(n.Attr, c.cut(in[0], axis, lo, hi), in[1])
		}
	}
	return nil
}
