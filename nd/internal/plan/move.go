package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// The steps of this file write one buffer piece by piece. All but the first
// add to what the first began, so that the failure of any is the failure of
// the whole.

// box is a part of an array: dims elements from start on every axis.
type box struct {
	start, dims []int
	// again, if not 0, is how much further along axis the box is once more.
	axis, again int
}

// boxOperand is the index space of a box of a contiguous array, and the operand.
func boxOperand(n *graph.Node, b box) ([]int, ir.Operand) {
	v := shape.Contiguous(n.Shape)
	v.Offset += lists.Dot(b.start, v.Strides)
	dims := b.dims
	if b.again > 0 {
		dims = slices.Insert(slices.Clone(dims), 0, 2)
		v.Strides = slices.Insert(v.Strides, 0, b.again*v.Strides[b.axis])
	}
	return dims, operand(n.Type, v)
}

// emitConcat copies every input, computed on the way, to its place. Each is
// written on the stream it is computed on.
func (e *emitter) emitConcat(pos NodeID) {
	n := e.g.Nodes[pos]
	axis := n.Attr.(graph.AxisAttr).Axis
	buf := e.newBuffer(pos)
	start := make([]int, len(n.Shape))
	first := true
	for i, in := range e.g.In[pos] {
		part := e.g.Nodes[in]
		if part.Len() == 0 && n.Len() > 0 {
			continue
		}
		src := e.joinedFrom(pos, i)
		c := e.newCoder(newBinding())
		v := c.value(src, nil)
		c.b.computes(pos, "concat")
		place := shape.View{Shape: part.Shape, Strides: shape.Contiguous(n.Shape).Strides}
		place.Offset = lists.Dot(start, place.Strides)
		place, _ = place.Reshape(e.g.Nodes[src].Shape)
		m := &ir.Map{Dims: slices.Clone(place.Shape), Code: c.w.Code, Value: []ir.ValueID{v}, Out: []ir.Operand{operand(n.Type, place)}}
		s := e.step(pos, m, c.b, c.w.Sources, buf)
		s.Adds, s.Stream = !first, e.joinedOn(pos, src)
		first = false
		start[axis] += part.Shape[axis]
	}
}

// emitPad writes the middle of a padded array and the padding around it.
func (e *emitter) emitPad(pos NodeID) {
	n := e.g.Nodes[pos]
	a := n.Attr.(graph.PadAttr)
	in := e.g.In[pos][0]
	dims := e.g.Nodes[in].Shape
	buf := e.newBuffer(pos)
	first := true
	piece := func(c *coder, v ir.ValueID, b box) {
		if slices.Contains(b.dims, 0) && n.Len() > 0 {
			return
		}
		c.b.computes(pos, "pad")
		dims, out := boxOperand(n, b)
		m := &ir.Map{Dims: dims, Code: c.w.Code, Value: []ir.ValueID{v}, Out: []ir.Operand{out}}
		e.step(pos, m, c.b, c.w.Sources, buf).Adds = !first
		first = false
	}
	fromInput := func(runs []padRun) {
		c := e.newCoder(newBinding())
		v := c.value(in, nil)
		if first {
			e.plan.Buffers[buf].pad = e.paddedBy(pos, c)
		}
		b := box{}
		for _, list := range [][]ir.Operand{c.w.In, c.w.Positions} {
			for i := range list {
				list[i] = readRuns(list[i], runs)
			}
		}
		for _, r := range runs {
			b.start = append(b.start, r.at)
			b.dims = append(b.dims, r.count)
		}
		piece(c, v, b)
	}
	if a.Mode != graph.PadConstant {
		eachCombination(len(dims), func(axis int) []padRun {
			return padRuns(a.Mode, dims[axis], a.Before[axis], a.After[axis])
		}, fromInput)
		return
	}
	middle := lists.Make(len(dims), func(i int) padRun { return padRun{at: a.Before[i], count: dims[i], step: 1} })
	fromInput(middle)
	for _, b := range margins(n.Shape, dims, a.Before) {
		c := e.newCoder(newBinding())
		piece(c, c.constant(pos), b)
	}
}

// margins divides what surrounds the middle of an array into two boxes per
// axis: each spans the middle on the axes before and everything on those
// after. Two of equal size are one that is there twice, but not on the last axis,
// where they are parts of lines.
func margins(outer, inner, before []int) []box {
	var out []box
	for axis := range outer {
		head, tail := before[axis], outer[axis]-before[axis]-inner[axis]
		edge := func(start, width int) {
			if width == 0 {
				return
			}
			b := box{start: make([]int, len(outer)), dims: slices.Clone(outer), axis: axis}
			copy(b.start[:axis], before[:axis])
			copy(b.dims[:axis], inner[:axis])
			b.start[axis], b.dims[axis] = start, width
			out = append(out, b)
		}
		edge(0, head)
		if head > 0 && head == tail && axis < len(outer)-1 {
			out[len(out)-1].again = head + inner[axis]
		} else {
			edge(head+inner[axis], tail)
		}
	}
	return out
}

// padRun is a stretch of a padded axis that shows evenly spaced elements of
// the input: count of them at output position at, from input position from.
type padRun struct{ at, count, from, step int }

// padRuns divides a padded axis of n elements.
func padRuns(mode graph.PadMode, n, before, after int) []padRun {
	head := padRun{at: 0, count: before}
	tail := padRun{at: before + n, count: after}
	switch mode {
	case graph.PadReflect:
		head.from, head.step = before, -1
		tail.from, tail.step = n-2, -1
	case graph.PadEdge:
		tail.from = n - 1
	case graph.PadWrap:
		head.from, head.step = n-before, 1
		tail.step = 1
	}
	runs := []padRun{{at: before, count: n, step: 1}}
	for _, r := range [...]padRun{head, tail} {
		if r.count > 0 {
			runs = append(runs, r)
		}
	}
	return runs
}

// readRuns restates an operand over the input for one run per axis.
func readRuns(o ir.Operand, runs []padRun) ir.Operand {
	out := ir.Operand{Type: o.Type, Offset: o.Offset, Strides: make([]int, len(runs))}
	for i, r := range runs {
		out.Offset += r.from * o.Strides[i]
		out.Strides[i] = r.step * o.Strides[i]
	}
	return out
}

// eachCombination calls f with one run of every axis, in all combinations.
func eachCombination(axes int, runs func(axis int) []padRun, f func([]padRun)) {
	chosen := make([]padRun, axes)
	var choose func(axis int)
	choose = func(axis int) {
		if axis == axes {
			f(chosen)
			return
		}
		for _, r := range runs(axis) {
			chosen[axis] = r
			choose(axis + 1)
		}
	}
	choose(0)
}
