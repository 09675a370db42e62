package nd

import (
	"context"
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
)

// Look computes the array and calls look with its elements, in row-major order, without
// copying them if they are in the host's memory. The slice may be read until look returns;
// closing the device waits for that. T must be the host form of the array's element type.
// Look returns the error of look.
func Look[T Element](ctx context.Context, a *Array, look func([]T) error) error {
	if err := a.Err(); err != nil {
		return err
	}
	if t := elem.Of[T](); t != a.node.Type {
		return &OpError{Op: "look", Shapes: [][]int{a.Shape()}, Site: caller.Site("nd"),
			Err: fmt.Errorf("elements are %s, not %s", a.node.Type, t)}
	}
	if look == nil {
		return &OpError{Op: "look", Shapes: [][]int{a.Shape()}, Site: caller.Site("nd"), Err: errors.New("no function")}
	}
	var own error
	err := engine.Look(ctx, a.node, func(b []byte) error {
		own = look(elem.Slice[T](b))
		return own
	})
	if err != nil && own == nil {
		return evalError("look", err)
	}
	return err
}
