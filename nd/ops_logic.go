package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Equal is a == b, as bool. NaN equals nothing.
func (a *Array) Equal(b *Array) *Array { return a.binary(scalar.Equal, b) }

// NotEqual is a != b.
func (a *Array) NotEqual(b *Array) *Array { return a.binary(scalar.NotEqual, b) }

// Less is a < b. Complex numbers have no order.
func (a *Array) Less(b *Array) *Array { return a.binary(scalar.Less, b) }

// LessEqual is a <= b.
func (a *Array) LessEqual(b *Array) *Array { return a.binary(scalar.LessEqual, b) }

// Greater is a > b.
func (a *Array) Greater(b *Array) *Array { return a.binary(scalar.Greater, b) }

// GreaterEqual is a >= b.
func (a *Array) GreaterEqual(b *Array) *Array { return a.binary(scalar.GreaterEqual, b) }

// EqualScalar is a == v, for a number as in AddScalar.
func (a *Array) EqualScalar(v any) *Array { return a.withScalar(scalar.Equal, v) }

// NotEqualScalar is a != v.
func (a *Array) NotEqualScalar(v any) *Array { return a.withScalar(scalar.NotEqual, v) }

// LessScalar is a < v.
func (a *Array) LessScalar(v any) *Array { return a.withScalar(scalar.Less, v) }

// LessEqualScalar is a <= v.
func (a *Array) LessEqualScalar(v any) *Array { return a.withScalar(scalar.LessEqual, v) }

// GreaterScalar is a > v.
func (a *Array) GreaterScalar(v any) *Array { return a.withScalar(scalar.Greater, v) }

// GreaterEqualScalar is a >= v.
func (a *Array) GreaterEqualScalar(v any) *Array { return a.withScalar(scalar.GreaterEqual, v) }

// And is the logical and of bool arrays.
func (a *Array) And(b *Array) *Array { return a.binary(scalar.And, b) }

// Or is the logical or of bool arrays.
func (a *Array) Or(b *Array) *Array { return a.binary(scalar.Or, b) }

// Xor is true where exactly one of a and b is.
func (a *Array) Xor(b *Array) *Array { return a.binary(scalar.Xor, b) }

// Not is the logical negation of a bool array.
func (a *Array) Not() *Array { return a.unary(scalar.Not) }

// IsNaN is true where an element is not a number.
func (a *Array) IsNaN() *Array { return a.unary(scalar.IsNaN) }

// IsInf is true where an element is infinite, of either sign.
func (a *Array) IsInf() *Array { return a.unary(scalar.IsInf) }

// Where takes elements of x where cond is true and of y elsewhere. Each of x and
// y is an Array, or a Go number as in AddScalar; one of them is an Array, whose
// element type the number takes. All are broadcast to one shape.
//
//	clean := nd.Where(x.IsNaN(), 0, x)
func Where(cond *Array, x, y any) *Array {
	var operands [2]*Array
	for i, v := range []any{x, y} {
		operands[i], _ = v.(*Array)
	}
	like := operands[0]
	if like == nil {
		like = operands[1]
	}
	if like == nil {
		return failed("where", fmt.Errorf("%T and %T: one of them must be an Array, which says the element type", x, y), cond)
	}
	if bad := unusable("where", cond, like); bad != nil {
		return bad
	}
	for i, v := range []any{x, y} {
		if _, ok := v.(*Array); !ok {
			c, err := literal(like.node, v)
			if err != nil {
				return failed("where", err, cond, like)
			}
			operands[i] = &Array{node: c}
		}
	}
	if bad := unusable("where", cond, operands[0], operands[1]); bad != nil {
		return bad
	}
	n, err := graph.NewMap(scalar.Where, cond.node, operands[0].node, operands[1].node)
	return built("where", n, err, cond, operands[0], operands[1])
}
