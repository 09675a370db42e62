package emit

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// fill replaces $0, $1 and $2 in a pattern by operands.
func fill(pattern string, x [3]string) string {
	return strings.NewReplacer("$0", x[0], "$1", x[1], "$2", x[2]).Replace(pattern)
}

// floatFunctions are operations that CUDA has as functions, by their name for
// double; for float they have an f behind it. The accuracies are in the CUDA
// programming guide: at most 2 ulp, tanf and powf 4.
var floatFunctions = map[scalar.Op]string{
	scalar.Abs: "fabs", scalar.Exp: "exp", scalar.Log: "log", scalar.Log1p: "log1p", scalar.Expm1: "expm1",
	scalar.Sqrt: "sqrt", scalar.Rsqrt: "rsqrt", scalar.Sin: "sin", scalar.Cos: "cos", scalar.Tan: "tan",
	scalar.Tanh: "tanh", scalar.Erf: "erf", scalar.Floor: "floor", scalar.Ceil: "ceil", scalar.Round: "rint",
	scalar.Rem: "fmod", scalar.Pow: "pow", scalar.Atan2: "atan2",
}

// floatPatterns are the others.
var floatPatterns = map[scalar.Op]string{
	scalar.Neg: "-$0", scalar.Conj: "$0", scalar.AbsSquared: "$0 * $0",
	scalar.IsNaN: "$0 != $0", scalar.IsInf: "isinf($0)",
	scalar.Add: "$0 + $1", scalar.Sub: "$0 - $1", scalar.Mul: "$0 * $1", scalar.Div: "$0 / $1",
}

var floatParts = map[scalar.Op]string{
	scalar.Sign: "sign", scalar.Sigmoid: "sigmoid", scalar.Maximum: "greater", scalar.Minimum: "lesser",
}

func (u *Uses) applyFloat(op scalar.Op, t elem.Type, x [3]string) string {
	args := x[0]
	if op.Arity() == 2 {
		args += ", " + x[1]
	}
	var e string
	if p, ok := floatPatterns[op]; ok {
		e = fill(p, x)
	} else if f, ok := floatFunctions[op]; ok {
		if t != elem.Float64 {
			f += "f"
		}
		e = fmt.Sprintf("%s(%s)", f, args)
	} else {
		e = fmt.Sprintf("%s(%s)", u.Part(floatParts[op]), args)
	}
	switch op {
	case scalar.IsNaN, scalar.IsInf, scalar.Neg, scalar.Conj, scalar.Abs, scalar.Sign, scalar.Floor, scalar.Ceil, scalar.Round,
		scalar.Maximum, scalar.Minimum: // a half type holds these as they are
		return e
	}
	return u.Rounded(t, e)
}

// complexPatterns are operations that need no function.
var complexPatterns = map[scalar.Op]string{
	scalar.Neg: "{-$0.re, -$0.im}", scalar.Conj: "{$0.re, -$0.im}",
	scalar.Real: "$0.re", scalar.Imag: "$0.im", scalar.AbsSquared: "$0.re * $0.re + $0.im * $0.im",
	scalar.Angle: "atan2($0.im, $0.re)",
	scalar.IsNaN: "$0.re != $0.re || $0.im != $0.im", scalar.IsInf: "isinf($0.re) || isinf($0.im)",
	scalar.Add: "$0 + $1", scalar.Sub: "$0 - $1", scalar.Mul: "$0 * $1",
}

// complexFunctions are those that do.
var complexFunctions = map[scalar.Op]string{
	scalar.Abs: "c_abs", scalar.Sign: "c_sign", scalar.Exp: "c_exp", scalar.Log: "c_log", scalar.Sqrt: "c_sqrt",
	scalar.Rsqrt: "c_rsqrt", scalar.Sin: "c_sin", scalar.Cos: "c_cos", scalar.Tan: "c_tan", scalar.Tanh: "c_tanh",
	scalar.Sigmoid: "c_sigmoid", scalar.Div: "c_div", scalar.Pow: "c_pow",
}

func (u *Uses) applyComplex(op scalar.Op, x [3]string) string {
	if p, ok := complexPatterns[op]; ok {
		return fill(p, x)
	}
	f := u.Part(complexFunctions[op])
	if op.Arity() == 2 {
		return fmt.Sprintf("%s(%s, %s)", f, x[0], x[1])
	}
	return fmt.Sprintf("%s(%s)", f, x[0])
}

func applyBool(op scalar.Op, x [3]string) string {
	switch op {
	case scalar.Not:
		return "!" + x[0]
	case scalar.And:
		return fill("$0 && $1", x)
	case scalar.Or:
		return fill("$0 || $1", x)
	case scalar.Xor:
		return fill("$0 != $1", x)
	}
	return "false" // no bool is NaN or infinite
}

// integerPatterns wrap: they compute without a sign, where overflow is
// defined. $u is the unsigned type, $t the type.
var integerPatterns = map[scalar.Op]string{
	scalar.Neg: "($t)(($u)0 - ($u)$0)", scalar.AbsSquared: "($t)(($u)$0 * ($u)$0)",
	scalar.Floor: "$0", scalar.Ceil: "$0", scalar.Round: "$0", scalar.IsNaN: "false", scalar.IsInf: "false",
	scalar.Add: "($t)(($u)$0 + ($u)$1)", scalar.Sub: "($t)(($u)$0 - ($u)$1)", scalar.Mul: "($t)(($u)$0 * ($u)$1)",
	scalar.Maximum: "$0 > $1 ? $0 : $1", scalar.Minimum: "$0 < $1 ? $0 : $1",
	scalar.Pow: "($t)int_pow((i64)$0, (i64)$1)", scalar.Div: "int_div<$t>($0, $1)", scalar.Rem: "int_rem<$t>($0, $1)",
}

var integerParted = map[scalar.Op]string{scalar.Pow: "int_pow", scalar.Div: "int_div", scalar.Rem: "int_rem"}

func (u *Uses) applyInteger(op scalar.Op, t elem.Type, x [3]string) string {
	if p, ok := integerParted[op]; ok {
		u.Part(p)
	}
	pattern := integerPatterns[op]
	switch {
	case op == scalar.Abs && t.IsSigned():
		pattern = "$0 < 0 ? ($t)(($u)0 - ($u)$0) : $0"
	case op == scalar.Abs:
		pattern = "$0"
	case op == scalar.Sign && t.IsSigned():
		pattern = "($t)(($0 > 0) - ($0 < 0))"
	case op == scalar.Sign:
		pattern = "($t)($0 != 0)"
	}
	wide := "u32"
	if t == elem.Int64 {
		wide = "u64"
	}
	pattern = strings.NewReplacer("$t", Value(t), "$u", wide).Replace(pattern)
	return fill(pattern, x)
}

// Cast is the value x of type from as a value of type to.
func (u *Uses) Cast(to, from elem.Type, x string) string {
	whole := from == elem.Bool || from.IsInteger()
	switch {
	case to == from:
		return x
	case to == elem.Bool && from.IsComplex():
		return fmt.Sprintf("(%s.re != 0 || %s.im != 0)", x, x)
	case to == elem.Bool:
		return fmt.Sprintf("(%s != 0)", x)
	case to.IsComplex() && from.IsComplex():
		return fmt.Sprintf("%s{(%s)%s.re, (%s)%s.im}", Value(to), Value(to.Real()), x, Value(to.Real()), x)
	case to.IsComplex():
		return fmt.Sprintf("%s{(%s)%s, 0}", Value(to), Value(to.Real()), x)
	case from.IsComplex():
		return u.Cast(to, from.Real(), x+".re")
	case to.IsInteger() && whole:
		return fmt.Sprintf("(%s)%s", Value(to), x)
	case to.IsInteger():
		return fmt.Sprintf("%s(%s)", u.Part("to_"+Value(to)), x)
	case to == elem.Float64:
		return "(double)" + x
	}
	return u.Rounded(to, "(float)"+x)
}
