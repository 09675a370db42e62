package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// MatMul multiplies matrices: the last two axes of each operand, with the axes
// before them broadcast. An operand with one axis is a row on the left and a
// column on the right, and its axis of length 1 is dropped from the result, as
// in NumPy. A mode says how products are added up.
func (a *Array) MatMul(b *Array, mode ...Accumulation) *Array {
	if bad := unusable("matmul", a, b); bad != nil {
		return bad
	}
	if a.NDim() == 0 || b.NDim() == 0 {
		return failed("matmul", fmt.Errorf("shapes %v and %v: a scalar is not a matrix, use Mul", a.node.Shape, b.node.Shape), a, b)
	}
	left, right := a, b
	if a.NDim() == 1 {
		left = a.ExpandDims(0)
	}
	if b.NDim() == 1 {
		right = b.ExpandDims(1)
	}
	var as graph.MatMulAttr
	if len(mode) > 0 {
		as.Mode = mode[0]
	}
	out := left.product(right, as)
	if out.err != nil {
		return out
	}
	if b.NDim() == 1 {
		out = out.Squeeze(-1)
	}
	if a.NDim() == 1 {
		axis := -2
		if b.NDim() == 1 {
			axis = -1
		}
		out = out.Squeeze(axis)
	}
	return named("matmul", out)
}
