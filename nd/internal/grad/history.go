package grad

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// HistoryError says that an array cannot be differentiated by, because an array
// between it and the loss was evaluated first. Evaluated arrays do not keep the
// operations that made them.
type HistoryError struct {
	Input     int    // of the arrays to differentiate by
	Evaluated string // the array whose history is gone: its operation, dtype and shape
}

func (e *HistoryError) Error() string {
	return fmt.Sprintf("input %d: the loss depends on it through %s, which was evaluated before Grad: its history is gone; "+
		"call Grad first and evaluate both together, or use StopGradient of it where it is a constant", e.Input, e.Evaluated)
}

// checkHistory refuses to leave a part of a gradient out because the way to it
// is gone.
func (p *pass) checkHistory(wrt []*graph.Node) error {
	for _, c := range p.cut {
		past := c.Past()
		if past == nil {
			continue
		}
		for i, n := range wrt {
			if n.Compare(c) < 0 && past.May(n) {
				return &HistoryError{Input: i, Evaluated: describe(c)}
			}
		}
	}
	return nil
}

// describe names a node for people.
func describe(n *graph.Node) string {
	name := n.Op.String()
	switch a := n.Attr.(type) {
	case graph.MapAttr:
		name = a.Op.String()
	case graph.ReduceAttr:
		name = a.Op.String()
	}
	return fmt.Sprintf("the %s %v array made by %s", n.Type, n.Shape, name)
}
