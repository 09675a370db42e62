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

// types are some element types, and what an error calls them.
type types struct {
	has  func(elem.Type) bool
	want string
}

var (
	anything   = types{elem.Type.Valid, "a valid dtype"}
	truths     = types{func(t elem.Type) bool { return t == elem.Bool }, "bool"}
	numbers    = types{func(t elem.Type) bool { return t != elem.Bool }, "a number"}
	reals      = types{func(t elem.Type) bool { return t != elem.Bool && t.IsOrdered() }, "a real dtype"}
	ordered    = types{elem.Type.IsOrdered, "an ordered dtype"}
	floats     = types{elem.Type.IsFloat, "a float dtype"}
	complexes  = types{elem.Type.IsComplex, "a complex dtype"}
	continuous = types{func(t elem.Type) bool { return t.IsFloat() || t.IsComplex() }, "a float or complex dtype"}
	parts      = types{func(t elem.Type) bool { return t.Complex() != elem.Invalid }, "float32 or float64 parts"}
)

// rule is the types that some operations take, and the type of their result.
type rule struct {
	takes types
	gives func(elem.Type) elem.Type
	ops   []Op
}

func itself(t elem.Type) elem.Type { return t }
func truth(elem.Type) elem.Type    { return elem.Bool }

var rules = []rule{
	{anything, itself, []Op{Copy}},
	{anything, truth, []Op{IsNaN, IsInf, Equal, NotEqual}},
	{numbers, itself, []Op{Neg, Sign, Add, Sub, Mul, Div, Pow}}, // unsigned wraps, as in Go
	{numbers, elem.Type.Real, []Op{Abs, AbsSquared}},
	{continuous, itself, []Op{Exp, Log, Sqrt, Rsqrt, Sin, Cos, Tan, Tanh, Sigmoid, Conj}},
	{floats, itself, []Op{Log1p, Expm1, Erf, Atan2}},
	{reals, itself, []Op{Floor, Ceil, Round, Rem, Maximum, Minimum}},
	{complexes, elem.Type.Real, []Op{Real, Imag, Angle}},
	{ordered, truth, []Op{Less, LessEqual, Greater, GreaterEqual}},
	{truths, itself, []Op{Not, And, Or, Xor}},
	{parts, elem.Type.Complex, []Op{MakeComplex}},
}

// ruleOf is the rule of each operation; nil: it has none.
var ruleOf = func() (list [count]*rule) {
	for i := range rules {
		for _, o := range rules[i].ops {
			list[o] = &rules[i]
		}
	}
	return list
}()

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
	switch {
	case o == Where && t != elem.Bool:
		return bad("a bool condition")
	case o == Where && in[1] != in[2]:
		return bad("one dtype for both branches")
	case o == Where:
		return in[1], nil
	case (o == Mul || o == Div) && t.IsComplex() && in[1] == t.Real():
		return bad("one dtype; nothing is promoted, use MulReal (by 1/y to divide) or Cast")
	case o.Arity() == 2 && t != in[1]:
		return bad("one dtype; nothing is promoted, use Cast")
	}
	r := ruleOf[o]
	switch {
	case r == nil:
		return bad("a known operation")
	case !r.takes.has(t):
		return bad(r.takes.want)
	}
	return r.gives(t), nil
}
