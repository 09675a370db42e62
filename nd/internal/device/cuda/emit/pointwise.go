package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Spelling is how the leaves of a code are written where it is used. A code
// that has no such leaf needs no function for it.
type Spelling struct {
	Prefix string                // of the names of values: Prefix "v" gives v0, v1, ...
	Load   func(slot int) string // the value of operand Slot at this point, as Uses.Get gives it
	Index  func(slot int) string // the position of Slot at this point, an integer
	Acc    string                // what was reduced, a value of the Acc instruction's type
	// Near, if set, is the name of a bool that is made false where a short way to a
	// square root or a quotient of float32 does not give the nearest number. The
	// short ways have no branches.
	Near string
}

// Statements is a code in CUDA C++.
type Statements struct {
	Head  string   // declares constants; depends on the launch's arguments alone
	Body  string   // declares the other values
	Names []string // of each instruction's value; empty where it is not needed
}

// ArgName is the name that a kernel gives the launch argument of a slot. The
// parameter is declared as "const arg " + ArgName(slot).
func ArgName(slot int) string { return fmt.Sprintf("arg%d", slot) }

// ArgSlots lists the launch arguments that codes use, in order.
func ArgSlots(codes ...*ir.Code) []int { return kgen.ArgSlots(codes...) }

// Code writes the statements that compute the wanted values of a code.
func (u *Uses) Code(c *ir.Code, s Spelling, wanted ...int) Statements {
	out := Statements{Names: make([]string, len(c.Instrs))}
	needed := reached(c, wanted)
	var head, body strings.Builder
	for i, in := range c.Instrs {
		if !needed[i] {
			continue
		}
		var x string
		switch in.Kind {
		case ir.Load:
			x = s.Load(in.Slot)
		case ir.Index:
			x = fmt.Sprintf("(i64)(%s)", s.Index(in.Slot))
		case ir.Acc:
			x = s.Acc
		case ir.Const:
			x = u.constant(in.Type, ArgName(in.Slot))
		case ir.Apply:
			x = u.apply(c, in, out.Names, s.Near)
		}
		out.Names[i] = fmt.Sprintf("%s%d", s.Prefix, i)
		dst := &body
		if in.Kind == ir.Const {
			dst = &head
		}
		fmt.Fprintf(dst, "const %s %s = %s;\n", Value(in.Type), out.Names[i], x)
	}
	out.Head, out.Body = head.String(), body.String()
	return out
}

// Needed lists the operands that the wanted values of a code load, each once,
// in order.
func Needed(c *ir.Code, wanted ...int) []int { return kgen.Needed(c, wanted...) }

// reached marks the instructions that the wanted ones depend on.
func reached(c *ir.Code, wanted []int) []bool {
	needed := make([]bool, len(c.Instrs))
	for _, w := range wanted {
		needed[w] = true
	}
	for i := len(c.Instrs) - 1; i >= 0; i-- {
		in := c.Instrs[i]
		if !needed[i] || in.Kind != ir.Apply {
			continue
		}
		for _, a := range []int{in.A, in.B, in.C}[:in.Op.Arity()] {
			needed[a] = true
		}
	}
	return needed
}

// constant is a launch argument as type t.
func (u *Uses) constant(t elem.Type, name string) string {
	re, im := fmt.Sprintf("__longlong_as_double((i64)%s.a)", name), fmt.Sprintf("__longlong_as_double((i64)%s.b)", name)
	switch t {
	case elem.Bool:
		return name + ".a != 0"
	case elem.Float64:
		return re
	case elem.Float32, elem.Float16, elem.BFloat16:
		return u.Rounded(t, "(float)"+re)
	case elem.Complex64:
		return fmt.Sprintf("c64{(float)%s, (float)%s}", re, im)
	case elem.Complex128:
		return fmt.Sprintf("c128{%s, %s}", re, im)
	}
	return fmt.Sprintf("(%s)%s.a", Value(t), name)
}

// HasNear reports a code that Spelling.Near makes a difference to.
func HasNear(c *ir.Code) bool {
	return slices.ContainsFunc(c.Instrs, func(in ir.Instr) bool { return in.Kind == ir.Apply && isNear(in) })
}

func isNear(in ir.Instr) bool {
	return in.Type == elem.Float32 && (in.Op == scalar.Sqrt || in.Op == scalar.Div)
}

// apply is an operation on values that have names.
func (u *Uses) apply(c *ir.Code, in ir.Instr, names []string, near string) string {
	var x [3]string
	for i, a := range []int{in.A, in.B, in.C}[:in.Op.Arity()] {
		x[i] = names[a]
	}
	t := c.Instrs[in.A].Type
	switch {
	case near != "" && isNear(in) && in.Op == scalar.Sqrt:
		return fmt.Sprintf("%s(%s, %s)", u.Part("root_near"), x[0], near)
	case near != "" && isNear(in):
		return fmt.Sprintf("%s(%s, %s, %s)", u.Part("quotient_near"), x[0], x[1], near)
	case in.Op == scalar.Copy:
		return x[0]
	case in.Op == scalar.Where:
		return fmt.Sprintf("%s ? %s : %s", x[0], x[1], x[2])
	case in.Op == scalar.Cast:
		return u.Cast(in.Type, t, x[0])
	case in.Op == scalar.MakeComplex:
		return fmt.Sprintf("%s{%s, %s}", Value(in.Type), x[0], x[1])
	case in.Op.IsRandom():
		return u.draw(in, x[0])
	case in.Op.IsCompare():
		return compare(in.Op, t, x[0], x[1])
	case t.IsComplex():
		return u.applyComplex(in.Op, x)
	case t.IsFloat():
		return u.applyFloat(in.Op, t, x)
	case t == elem.Bool:
		return applyBool(in.Op, x)
	}
	return u.applyInteger(in.Op, t, x)
}

func (u *Uses) draw(in ir.Instr, counter string) string {
	at := fmt.Sprintf("%s.a, (u64)%s", ArgName(in.Slot), counter)
	switch in.Op {
	case scalar.RandBits:
		return fmt.Sprintf("(%s)%s(%s).x", Value(in.Type), u.Part("philox"), at)
	case scalar.RandInt:
		return fmt.Sprintf("(%s)%s(%s, %s)", Value(in.Type), u.Part("rand_int"), at, ArgName(in.Slot+1))
	case scalar.RandNormal:
		return u.Cast(in.Type, elem.Float64, fmt.Sprintf("%s(%s)", u.Part("rand_normal"), at))
	}
	if in.Type == elem.Float64 {
		return fmt.Sprintf("%s(%s)", u.Part("rand_uniform_f64"), at)
	}
	return u.Rounded(in.Type, fmt.Sprintf("%s(%s)", u.Part("rand_uniform_f32"), at))
}

var compareSigns = map[scalar.Op]string{
	scalar.Equal: "==", scalar.NotEqual: "!=", scalar.Less: "<",
	scalar.LessEqual: "<=", scalar.Greater: ">", scalar.GreaterEqual: ">=",
}

func compare(op scalar.Op, t elem.Type, x, y string) string {
	if !t.IsComplex() {
		return fmt.Sprintf("%s %s %s", x, compareSigns[op], y)
	}
	equal := fmt.Sprintf("(%s.re == %s.re && %s.im == %s.im)", x, y, x, y)
	if op == scalar.NotEqual {
		return "!" + equal
	}
	return equal
}
