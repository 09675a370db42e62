package plain

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
	s := &space{}
	for _, o := range ops {
		o.Strides = nil
		s.ops = append(s.ops, o)
	}
	for d, n := range dims {
		if n == 1 {
			continue
		}
		s.dims = append(s.dims, n)
		for i := range ops {
			s.ops[i].Strides = append(s.ops[i].Strides, ops[i].Strides[d])
		}
	}
	return s
}

// forward turns dimensions around that operand main walks backwards.
func (s *space) forward(main int) {
	for d, n := range s.dims {
		if s.ops[main].Strides[d] >= 0 {
			continue
		}
		for i := range s.ops {
			o := &s.ops[i]
			o.Offset += (n - 1) * o.Strides[d]
			o.Strides[d] = -o.Strides[d]
		}
	}
}

// order puts the dimension with the smallest stride of operand main last;
// those it does not depend on come first.
func (s *space) order(main int) {
	perm := make([]int, len(s.dims))
	for d := range perm {
		perm[d] = d
	}
	strides := slices.Clone(s.ops[main].Strides)
	rank := func(d int) int {
		if strides[d] == 0 {
			return 1 << 62
		}
		return abs(strides[d])
	}
	slices.SortStableFunc(perm, func(a, b int) int { return rank(b) - rank(a) })
	s.permute(perm)
}

func (s *space) permute(perm []int) {
	apply := func(list []int) []int {
		out := make([]int, len(perm))
		for i, p := range perm {
			out[i] = list[p]
		}
		return out
	}
	s.dims = apply(s.dims)
	for i := range s.ops {
		s.ops[i].Strides = apply(s.ops[i].Strides)
	}
}

// join makes one dimension of neighbours that every operand walks as one.
func (s *space) join() {
	for d := len(s.dims) - 2; d >= 0; d-- {
		whole := true
		for _, o := range s.ops {
			whole = whole && o.Strides[d] == o.Strides[d+1]*s.dims[d+1]
		}
		if !whole {
			continue
		}
		s.dims[d+1] *= s.dims[d]
		s.dims = slices.Delete(s.dims, d, d+1)
		for i := range s.ops {
			s.ops[i].Strides = slices.Delete(s.ops[i].Strides, d, d+1)
		}
	}
}

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
