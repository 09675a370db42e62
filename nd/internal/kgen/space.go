package kgen

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// space is an index space and the operands over it.
type space struct {
	dims []int
	ops  []ir.Operand
}

// newSpace copies what it is given and drops dimensions of one element.
func newSpace(dims []int, ops ...ir.Operand) *space {
	s := &space{dims: dims, ops: slices.Clone(ops)}
	s.apply((*ir.Space).DropUnits)
	return s
}

func (s *space) apply(change func(*ir.Space)) {
	t := ir.SpaceOf(s.dims, s.ops)
	change(t)
	s.dims = t.Dims
}

// forward turns dimensions around that operand main walks backwards.
func (s *space) forward(main int) { s.apply(func(t *ir.Space) { t.Forward(main) }) }

// order puts the dimension with the smallest stride of operand main last;
// those it does not depend on come first.
func (s *space) order(main int) { s.apply(func(t *ir.Space) { t.Order(main) }) }

// join makes one dimension of neighbours that every operand walks as one.
func (s *space) join() { s.apply((*ir.Space).Join) }

// narrowMost is what 32 bits are enough for, with room for the last block's
// threads. Tests make it less.
var narrowMost = 1<<31 - 1<<20

// isWide reports that 32 bits are not enough for a point's number or for a
// position within an operand.
func (s *space) isWide() bool {
	if ir.Count(s.dims) > narrowMost {
		return true
	}
	for _, o := range s.ops {
		reach := 0
		for d, n := range s.dims {
			reach += abs(o.Strides[d]) * max(n-1, 0)
		}
		if reach > narrowMost {
			return true
		}
	}
	return false
}

func abs(x int) int { return max(x, -x) }

// ceil is x/y rounded up.
func ceil(x, y int) int { return (x + y - 1) / y }
