package graph

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Verify checks every rule on every node that the outputs need, and reports
// the first that is broken. A node that holds a value may have let go of its
// inputs; only its own type and shape are checked then.
func Verify(outputs ...*Node) error {
	for _, n := range Topological(nil, outputs...) {
		if err := verify(n); err != nil {
			return fmt.Errorf("graph: %s: %w", n.Op, err)
		}
	}
	return nil
}

func verify(n *Node) error {
	if n.Op == Invalid || n.Op >= opCount {
		return fmt.Errorf("not an operation")
	}
	if !n.Type.Valid() {
		return fmt.Errorf("%s is not a dtype", n.Type)
	}
	if _, err := shape.Size(n.Shape); err != nil {
		return err
	}
	in := n.In()
	if len(in) == 0 && n.Held() != nil {
		return nil
	}
	if n.Op != Transfer {
		for _, x := range in {
			if x.Device != n.Device {
				return fmt.Errorf("on device %d with an operand on device %d", n.Device, x.Device)
			}
		}
	}
	t, dims, err := infer(&Def{Op: n.Op, Attr: n.Attr, Type: n.Type, Shape: n.Shape, Args: n.Args,
		Device: n.Device, Stream: n.Stream}, in)
	if err != nil {
		return err
	}
	if t != n.Type || !slices.Equal(dims, n.Shape) {
		return fmt.Errorf("%s %v, but its operands make %s %v", n.Type, n.Shape, t, dims)
	}
	return nil
}
