package nd

import (
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Concat joins arrays along an axis. They agree in everything but the length
// of that axis.
func Concat(axis int, arrays ...*Array) *Array {
	nodes, bad := nodesOf("concat", arrays)
	if bad != nil {
		return bad
	}
	n, err := graph.NewConcat(axis, nodes...)
	return built("concat", n, err, arrays...)
}

// Stack joins arrays of one shape along a new axis, which gets the given place
// in the result.
func Stack(axis int, arrays ...*Array) *Array {
	nodes, bad := nodesOf("stack", arrays)
	if bad != nil {
		return bad
	}
	at, err := shape.Axis(axis, make([]int, len(nodes[0].Shape)+1))
	if err != nil {
		return failed("stack", fmt.Errorf("axis %d for %d arrays of shape %v", axis, len(nodes), nodes[0].Shape), arrays...)
	}
	expanded := make([]*Array, len(arrays))
	for i, a := range arrays {
		if !slices.Equal(a.node.Shape, nodes[0].Shape) {
			return failed("stack", fmt.Errorf("shapes %v and %v differ", nodes[0].Shape, a.node.Shape), arrays...)
		}
		expanded[i] = a.ExpandDims(at)
	}
	return named("stack", Concat(at, expanded...))
}

// nodesOf is the nodes of at least one usable array.
func nodesOf(op string, arrays []*Array) ([]*graph.Node, *Array) {
	if len(arrays) == 0 {
		return nil, failed(op, fmt.Errorf("no arrays"))
	}
	if bad := unusable(op, arrays...); bad != nil {
		return nil, bad
	}
	nodes := make([]*graph.Node, len(arrays))
	for i, a := range arrays {
		nodes[i] = a.node
	}
	return nodes, nil
}

// maxParts bounds what Split returns: a lazy array can be longer than a list
// of its parts could be.
const maxParts = 1 << 20

// Split cuts an axis into n parts, without a copy. Where n does not divide the
// axis the first parts are one longer. There is always at least one part, to
// carry an error.
func Split(a *Array, n, axis int) []*Array {
	if bad := unusable("split", a); bad != nil {
		return []*Array{bad}
	}
	axis, err := shape.Axis(axis, a.node.Shape)
	if err != nil {
		return []*Array{failed("split", err, a)}
	}
	length := a.node.Shape[axis]
	if n < 1 || n > min(max(length, 1), maxParts) {
		return []*Array{failed("split", fmt.Errorf("%d parts of axis %d of shape %v", n, axis, a.node.Shape), a)}
	}
	parts := make([]*Array, n)
	start := 0
	for i := range parts {
		stop := start + length/n
		if i < length%n {
			stop++
		}
		parts[i] = a.SliceAxis(axis, Range{Start: start, Stop: stop})
		start = stop
	}
	return parts
}

// Roll shifts an axis by shift places; what leaves at one end enters at the
// other.
func (a *Array) Roll(shift, axis int) *Array {
	if bad := unusable("roll", a); bad != nil {
		return bad
	}
	axis, err := shape.Axis(axis, a.node.Shape)
	if err != nil {
		return failed("roll", err, a)
	}
	n := a.node.Shape[axis]
	if n == 0 {
		return a
	}
	shift %= n
	if shift < 0 {
		shift += n
	}
	if shift == 0 {
		return a
	}
	return named("roll", Concat(axis,
		a.SliceAxis(axis, Range{Start: n - shift, Stop: End}),
		a.SliceAxis(axis, Range{Stop: n - shift})))
}

// Tile repeats the whole array counts[i] times along axis i. With fewer counts
// than axes they are for the last ones; with more, axes are added in front.
func (a *Array) Tile(counts ...int) *Array {
	if bad := unusable("tile", a); bad != nil {
		return bad
	}
	old := a.node.Shape
	rank := max(len(old), len(counts))
	// Every axis becomes (count, length); repeating is a broadcast of the
	// first, and only the last step copies.
	pairs, spread, dims := make([]int, 0, 2*rank), make([]int, 0, 2*rank), make([]int, 0, rank)
	for i := range rank {
		count, length := 1, 1
		if k := i - rank + len(counts); k >= 0 {
			count = counts[k]
		}
		if k := i - rank + len(old); k >= 0 {
			length = old[k]
		}
		if err := repeatable(count, length, i); err != nil {
			return failed("tile", err, a)
		}
		pairs = append(pairs, 1, length)
		spread = append(spread, count, length)
		dims = append(dims, count*length)
	}
	return named("tile", a.Reshape(pairs...).BroadcastTo(spread...).Reshape(dims...))
}

// Repeat repeats each element count times along an axis.
func (a *Array) Repeat(count, axis int) *Array {
	if bad := unusable("repeat", a); bad != nil {
		return bad
	}
	axis, err := shape.Axis(axis, a.node.Shape)
	if err == nil {
		err = repeatable(count, a.node.Shape[axis], axis)
	}
	if err != nil {
		return failed("repeat", err, a)
	}
	dims := clone(a.node.Shape)
	dims[axis] *= count
	spread := slices.Insert(clone(a.node.Shape), axis+1, count)
	return named("repeat", a.ExpandDims(axis+1).BroadcastTo(spread...).Reshape(dims...))
}

// repeatable checks that an axis of some length can be repeated: the product
// must be countable before it is made a dimension.
func repeatable(count, length, axis int) error {
	if count < 0 {
		return fmt.Errorf("%d repetitions of axis %d", count, axis)
	}
	if length > 0 && count > math.MaxInt/length {
		return fmt.Errorf("%d repetitions of axis %d, of length %d, are too many", count, axis, length)
	}
	return nil
}
