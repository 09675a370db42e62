package scalar

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// TypeError says that an operation does not take these element types. Its text
// leaves the operation to whoever reports it.
type TypeError struct {
	Op   Op
	In   []elem.Type
	Want string
}

func (e *TypeError) Error() string {
	if len(e.In) == 1 {
		return fmt.Sprintf("dtype %s: want %s", e.In[0], e.Want)
	}
	return fmt.Sprintf("dtypes %v: want %s", e.In, e.Want)
}

// Result is the element type o gives for operands of types in. Cast and the
// random draws are typed by their caller and refused here.
func (o Op) Result(in ...elem.Type) (elem.Type, error) {
	bad := func(want string) (elem.Type, error) {
		return elem.Invalid, &TypeError{Op: o, In: slices.Clone(in), Want: want}
	}
	if len(in) != o.Arity() || o == Cast || o.IsRandom() {
		return bad(fmt.Sprintf("%d operands", o.Arity()))
	}
	for _, t := range in {
		if !t.Valid() {
			return bad("a valid dtype")
		}
	}
	t := in[0]
	switch o {
	case Copy:
		return t, nil
	case Neg:
		if t == elem.Bool {
			return bad("a number")
		}
		return t, nil // unsigned wraps, as in Go
	case Abs:
		if t == elem.Bool {
			return bad("a number")
		}
		return t.Real(), nil
	case AbsSquared:
		if t == elem.Bool {
			return bad("a number")
		}
		return t.Real(), nil
	case Sign:
		if t == elem.Bool {
			return bad("a number")
		}
		return t, nil
	case Exp, Log, Sqrt, Rsqrt, Sin, Cos, Tan, Tanh, Sigmoid:
		if !t.IsFloat() && !t.IsComplex() {
			return bad("a float or complex dtype")
		}
		return t, nil
	case Log1p, Expm1, Erf:
		if !t.IsFloat() {
			return bad("a float dtype")
		}
		return t, nil
	case Floor, Ceil, Round:
		if !t.IsFloat() && !t.IsInteger() {
			return bad("a real dtype")
		}
		return t, nil
	case IsNaN, IsInf:
		return elem.Bool, nil
	case Real, Imag, Angle:
		if !t.IsComplex() {
			return bad("a complex dtype")
		}
		return t.Real(), nil
	case Conj:
		if !t.IsComplex() && !t.IsFloat() {
			return bad("a float or complex dtype")
		}
		return t, nil
	case Not:
		if t != elem.Bool {
			return bad("bool")
		}
		return t, nil
	case Where:
		if t != elem.Bool {
			return bad("a bool condition")
		}
		if in[1] != in[2] {
			return bad("one dtype for both branches")
		}
		return in[1], nil
	}

	if in[0] != in[1] {
		return bad("one dtype; nothing is promoted, use Cast")
	}
	switch o {
	case Add, Sub, Mul, Div:
		if t == elem.Bool {
			return bad("a number")
		}
		return t, nil
	case Pow:
		if !t.IsFloat() && !t.IsComplex() && !t.IsInteger() {
			return bad("a number")
		}
		return t, nil
	case Rem, Maximum, Minimum:
		if t == elem.Bool || !t.IsOrdered() {
			return bad("a real dtype")
		}
		return t, nil
	case Atan2:
		if !t.IsFloat() {
			return bad("a float dtype")
		}
		return t, nil
	case Equal, NotEqual:
		return elem.Bool, nil
	case Less, LessEqual, Greater, GreaterEqual:
		if !t.IsOrdered() {
			return bad("an ordered dtype")
		}
		return elem.Bool, nil
	case And, Or, Xor:
		if t != elem.Bool {
			return bad("bool")
		}
		return t, nil
	case MakeComplex:
		if t.Complex() == elem.Invalid {
			return bad("float32 or float64 parts")
		}
		return t.Complex(), nil
	}
	return bad("a known operation")
}
