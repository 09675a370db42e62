package nd

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
)

// Read computes the array and copies its elements to dst, in row-major order. It is Slice
// without the allocation. T must be the host form of the array's element type, and dst
// must be as long as the array.
func Read[T Element](ctx context.Context, dst []T, a *Array) error {
	if err := a.Err(); err != nil {
		return err
	}
	var err error
	switch t := elem.Of[T](); {
	case t != a.node.Type:
		err = fmt.Errorf("elements are %s, not %s", a.node.Type, t)
	case len(dst) != a.node.Len():
		err = fmt.Errorf("room for %s, there are %d", counted.Of(len(dst), "element"), a.node.Len())
	}
	if err != nil {
		return &OpError{Op: "read", Shapes: [][]int{a.Shape()}, Site: caller.Site("nd"), Err: err}
	}
	if err := engine.Read(ctx, a.node, elem.Bytes(dst)); err != nil {
		return evalError("read", err)
	}
	return nil
}
