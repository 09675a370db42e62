package nd

import (
	"context"
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// IndexError is an index outside an axis, found while Take, Gather or
// ScatterAdd ran.
//
//	Op    string
//	Index int64 // the index
//	Len   int   // of the axis
type IndexError = ir.IndexError

// Eval computes the arrays and returns when they are there. An array that is already
// computed costs nothing, and several goroutines that evaluate one array compute it once.
//
// The context is checked between steps. When it is done, steps that have not started do
// not run; the arrays that needed them can be evaluated again. An error reaches only the
// arrays that depend on the failed step; these, too, can be evaluated again.
func Eval(ctx context.Context, arrays ...*Array) error {
	var few [8]*graph.Node
	nodes, err := toEvaluate(few[:0], arrays)
	if err != nil {
		return err
	}
	// Usually all arrays are on one device.
	for len(nodes) > 0 {
		n := sameDevice(nodes)
		if err := engine.Eval(ctx, nodes[:n]); err != nil {
			return evalError("eval", err)
		}
		nodes = nodes[n:]
	}
	return nil
}

// toEvaluate appends the nodes of arrays, or gives the first error one carries.
func toEvaluate(dst []*graph.Node, arrays []*Array) ([]*graph.Node, error) {
	for _, a := range arrays {
		if err := a.Err(); err != nil {
			return nil, err
		}
		dst = append(dst, a.node)
	}
	return dst, nil
}

// sameDevice is how many nodes, from the first, are on one device.
func sameDevice(nodes []*graph.Node) int {
	n := 1
	for n < len(nodes) && nodes[n].Device == nodes[0].Device {
		n++
	}
	return n
}

// Slice computes the array and copies its elements, in row-major order. T must
// be the host form of the array's element type.
func Slice[T Element](ctx context.Context, a *Array) ([]T, error) {
	if err := a.Err(); err != nil {
		return nil, err
	}
	if t := elem.Of[T](); t != a.node.Type {
		return nil, &OpError{Op: "slice", Shapes: [][]int{a.Shape()}, Site: caller.Site("nd"),
			Err: fmt.Errorf("elements are %s, not %s", a.node.Type, t)}
	}
	if err := roomOnHost(a.node.Len() * a.node.Type.Size()); err != nil {
		return nil, evalError("slice", err)
	}
	out := elem.Room[T](a.node.Len())
	if err := engine.Read(ctx, a.node, elem.Bytes(out)); err != nil {
		return nil, evalError("slice", err)
	}
	return out, nil
}

// roomOnHost refuses bytes that the machine does not have: a lazy array may be
// larger than any memory, and a failed allocation of Go's ends the process.
func roomOnHost(bytes int) error {
	if u := CPU().d.Pool().Usage(); u.Limit > 0 && bytes > u.Limit {
		return &OutOfMemoryError{Device: "host", Asked: bytes, Held: u.Active + u.Cached, Free: -1, Limit: u.Limit}
	}
	return nil
}

// Item computes an array that has one element and returns the element.
func Item[T Element](ctx context.Context, a *Array) (T, error) {
	var zero T
	if err := a.Err(); err != nil {
		return zero, err
	}
	if a.node.Len() != 1 {
		return zero, &OpError{Op: "item", Shapes: [][]int{a.Shape()}, Site: caller.Site("nd"),
			Err: fmt.Errorf("shape %v has %d elements, want one", a.node.Shape, a.node.Len())}
	}
	out, err := Slice[T](ctx, a)
	if err != nil {
		return zero, err
	}
	return out[0], nil
}

// evalError says what failed: the operation that a device was running and the line that
// called it, or the evaluation's where the launch has operations of several lines, or
// else the call.
func evalError(op string, err error) error {
	var launch *device.LaunchError
	if errors.As(err, &launch) {
		if from := launch.Label.From; from != nil {
			return &OpError{Op: from.Op, Err: launch.Err, Site: from.Site}
		}
		return &OpError{Op: launch.Label.Op, Err: launch.Err, Site: caller.Site("nd")}
	}
	var cancelled *device.Cancelled
	if errors.As(err, &cancelled) {
		err = cancelled.Cause
	}
	return fmt.Errorf("nd: %s: %w", op, err)
}
