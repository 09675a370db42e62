package reference

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Apply is op of its operands, of type t. The types are those that the
// operation's own rules allow; random draws are not operations on elements
// and have Draw.
func Apply(op scalar.Op, t elem.Type, in ...Value) Value {
	switch {
	case op == scalar.Cast:
		return Cast(t, in[0])
	case op == scalar.Where:
		if in[0].IsTrue() {
			return in[1]
		}
		return in[2]
	case op == scalar.Copy:
		return in[0]
	case op == scalar.MakeComplex:
		return Complex(t, complex(in[0].Float64(), in[1].Float64()))
	case in[0].Type.IsComplex():
		return applyComplex(op, t, in)
	case in[0].Type.IsFloat():
		return applyFloat(op, t, in)
	}
	return applyInteger(op, t, in)
}

func unknown(op scalar.Op, t elem.Type) Value {
	panic(fmt.Sprintf("reference: %s of %s", op, t))
}
