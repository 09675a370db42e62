package layer

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Attention is the options of scaled_dot_product_attention.
type Attention struct {
	Causal bool // a position sees itself and earlier ones
	// Mask is added to scores (..., queries, keys): 0 where a query sees a key, and -Inf where it does not. It may be bool, too:
	// true where it does.
	Mask  *nd.Array
	Scale float64 // of scores; 0 is 1 over the root of the features
}

// Apply is the mean of values v (..., keys, outputs) for each query of q (..., queries, features), weighted by the softmax of its
// products with the keys k (..., keys, features): (..., queries, outputs). A query that sees no key gets zeros.
func (a Attention) Apply(q, k, v *nd.Array) *nd.Array {
	const op = "attention"
	if bad := usable(op, q, k, v); bad != nil {
		return bad
	}
	if q.NDim() < 2 || k.NDim() != q.NDim() || v.NDim() != q.NDim() || q.Dim(-1) != k.Dim(-1) || k.Dim(-2) != v.Dim(-2) || q.Dim(-1) == 0 || k.Dim(-2) == 0 {
		return nd.Fail("layer", op, fmt.Errorf("queries, keys and values of shapes %v, %v and %v: want (..., queries, features), (..., keys, features) and (..., keys, outputs)",
			q.Shape(), k.Shape(), v.Shape()), q, k, v)
	}
	scale := a.Scale
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(q.Dim(-1)))
	}
	scores := q.MulScalar(scale).MatMul(k.SwapAxes(-1, -2))
	never := math.Inf(-1)
	if a.Causal {
		i, j := nd.Arange(0, q.Dim(-2), 1).Beside(q).ExpandDims(1), nd.Arange(0, k.Dim(-2), 1).Beside(q)
		scores = nd.Where(j.LessEqual(i), scores, never)
	}
	if a.Mask != nil {
		if bad := usable(op, a.Mask); bad != nil {
			return bad
		}
		if a.Mask.DType() == nd.Bool {
			scores = nd.Where(a.Mask, scores, never)
		} else {
			scores = scores.Add(a.Mask)
		}
	}
	top := nd.StopGradient(scores.Keep(-1).Max())
	if a.Mask != nil { // of a query that sees no key, exponentials of -Inf less -Inf would be NaN
		top = nd.Where(top.EqualScalar(never), 0, top)
	}
	weights := scores.Sub(top).Exp()
	sum := weights.Keep(-1).Sum()
	if a.Mask != nil {
		sum = nd.Where(sum.EqualScalar(0), 1, sum)
	}
	if q.DType().IsHalf() { // values times sums of many weights may overflow
		return weights.Div(sum).MatMul(v)
	}
	return weights.MatMul(v).Div(sum) // results are fewer than weights
}
