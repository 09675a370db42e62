package reference

import (
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// view says which element of its input a view shows.
func view(n *graph.Node, in Array) element {
	show := func(index []int) (Value, error) { return in.at(index), nil }
	switch n.Op {
	case graph.Transpose:
		perm := n.Attr.(graph.TransposeAttr).Perm
		return func(at []int) (Value, error) {
			from := make([]int, len(at))
			for i, axis := range perm {
				from[axis] = at[i]
			}
			return show(from)
		}
	case graph.Broadcast:
		return func(at []int) (Value, error) {
			from := append([]int(nil), at[len(at)-len(in.Shape):]...)
			for i, d := range in.Shape {
				if d == 1 {
					from[i] = 0
				}
			}
			return show(from)
		}
	case graph.Slice:
		attr := n.Attr.(graph.SliceAttr)
		return func(at []int) (Value, error) {
			from := lists.Make(len(at), func(i int) int { return attr.Start[i] + at[i]*attr.Step[i] })
			return show(from)
		}
	case graph.Frames:
		attr := n.Attr.(graph.FramesAttr)
		return func(at []int) (Value, error) {
			from := append([]int(nil), at[:attr.Axis]...)
			from = append(from, at[attr.Axis]*attr.Hop+at[attr.Axis+1])
			return show(append(from, at[attr.Axis+2:]...))
		}
	case graph.BitCast:
		return func(at []int) (Value, error) {
			var bits [16]byte
			Store(in.at(at), bits[:], 0)
			return Load(n.Type, bits[:], 0), nil
		}
	case graph.Transfer:
		return show
	}
	// Reshape keeps the row-major order, in which elements are asked for.
	next := -1
	return func([]int) (Value, error) {
		next++
		return in.Values[next], nil
	}
}

// move says which element of which input a Pad, Concat, Take or Gather puts
// at an index.
func move(n *graph.Node, in []Array) element {
	switch n.Op {
	case graph.Pad:
		return padded(n, in[0])
	case graph.Concat:
		axis := n.Attr.(graph.AxisAttr).Axis
		return func(at []int) (Value, error) {
			from := append([]int(nil), at...)
			part := 0
			for ; from[axis] >= in[part].Shape[axis]; part++ {
				from[axis] -= in[part].Shape[axis]
			}
			return in[part].at(from), nil
		}
	}
	axis := n.Attr.(graph.IndexAttr).Axis
	data, index := in[0], in[1]
	return func(at []int) (Value, error) {
		// Take's index has its own axes in place of the one; Gather's has all.
		where, next := at, axis+1
		if n.Op == graph.Take {
			next = axis + len(index.Shape)
			where = at[axis:next]
		}
		i, err := resolve(n.Op.String(), index.at(where).Int, data.Shape[axis])
		if err != nil {
			return Value{}, err
		}
		from := append(append([]int(nil), at[:axis]...), i)
		return data.at(append(from, at[next:]...)), nil
	}
}

func padded(n *graph.Node, in Array) element {
	attr := n.Attr.(graph.PadAttr)
	var fill Value
	if attr.Mode == graph.PadConstant {
		fill = Argument(n.Type, n.Args[0])
	}
	return func(at []int) (Value, error) {
		from := make([]int, len(at))
		for i, x := range at {
			j, inside := padSource(attr.Mode, x-attr.Before[i], in.Shape[i])
			if !inside {
				return fill, nil
			}
			from[i] = j
		}
		return in.at(from), nil
	}
}

// padSource is the position in an axis of length n that stands at i, which
// may lie outside it.
func padSource(mode graph.PadMode, i, n int) (j int, inside bool) {
	if i >= 0 && i < n {
		return i, true
	}
	switch mode {
	case graph.PadEdge:
		return min(max(i, 0), n-1), true
	case graph.PadWrap:
		return ((i % n) + n) % n, true
	case graph.PadReflect:
		if n == 1 {
			return 0, true
		}
		period := 2 * (n - 1)
		i = ((i % period) + period) % period
		return min(i, period-i), true
	}
	return 0, false
}
