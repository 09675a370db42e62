package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// wgslFloats are functions of floats, by what they are called in the library or in
// WGSL; wgslDoubles those of doubles.
var wgslFloats = map[ktree.Intrinsic]string{
	ktree.Exp: "tw_exp", ktree.Exp2: "tw_exp2", ktree.Exp10: "tw_exp10", ktree.Log: "tw_log", ktree.Log2: "tw_log2", ktree.Log10: "tw_log10",
	ktree.Sqrt: "tw_sqrt", ktree.Sin: "tw_sin", ktree.Cos: "tw_cos", ktree.Tan: "tw_tan", ktree.Asin: "tw_asin", ktree.Acos: "tw_acos",
	ktree.Atan: "tw_atan", ktree.Sinh: "tw_sinh", ktree.Cosh: "tw_cosh", ktree.Tanh: "tw_tanh", ktree.Floor: "floor", ktree.Ceil: "ceil",
	ktree.Trunc: "trunc", ktree.Rint: "round", ktree.Pow: "tw_pow", ktree.Atan2: "tw_atan2", ktree.Fmod: "tw_fmod", ktree.Copysign: "tw_signed",
	ktree.Fma: "fma", ktree.Log1p: "tw_log1p", ktree.Expm1: "tw_expm1", ktree.Erf: "tw_erf", ktree.Ilogb: "tw_ilogb", ktree.Scalbn: "tw_scalbn",
	ktree.Abs: "abs", ktree.Min: "tw_fmin", ktree.Max: "tw_fmax", ktree.IsNaN: "tw_isnan", ktree.IsInf: "tw_isinf",
}

var wgslDoubles = map[ktree.Intrinsic]string{
	ktree.Exp: "tw_dexp", ktree.Log: "tw_dlog", ktree.Sqrt: "tw_dsqrt", ktree.Sin: "tw_dsin", ktree.Cos: "tw_dcos", ktree.Tan: "tw_dtan",
	ktree.Sinh: "tw_dsinh", ktree.Cosh: "tw_dcosh", ktree.Floor: "tw_dfloor", ktree.Pow: "tw_dpow", ktree.Atan2: "tw_datan2",
	ktree.Copysign: "tw_dcopysign", ktree.Log1p: "tw_dlog1p", ktree.Expm1: "tw_dexpm1", ktree.Ilogb: "tw_dilogb", ktree.Scalbn: "tw_dscalbn",
	ktree.Fma: "tw_dfma", ktree.Abs: "tw_dabs", ktree.Min: "tw_dmin", ktree.Max: "tw_dmax", ktree.IsNaN: "tw_disnan", ktree.IsInf: "tw_disinf",
}

// math maps intrinsics; those WGSL lacks are written out.
func (w *wgsl) math(x *flat.Math) string {
	args := make([]string, len(x.Args))
	for i, a := range x.Args {
		args[i] = bare(w.expr(a))
	}
	switch {
	case x.Kind == ktree.Double:
		if name, ok := wgslDoubles[x.Fn]; ok {
			return name + "(" + strings.Join(args, ", ") + ")"
		}
		return w.fail("WGSL has no %s of doubles", x.Fn)
	case isWide(x.Kind):
		return w.longMath(x, args)
	case x.Kind.IsInt():
		return w.intMath(x, args)
	}
	half := x.Kind == ktree.Half && w.native
	if half {
		for i, a := range args {
			args[i] = "f32(" + a + ")"
		}
	}
	s := w.floatMath(x.Fn, args)
	switch {
	case x.K() == ktree.Bool:
		return s
	case half:
		return "f16(" + s + ")"
	}
	return w.wrapped(x.Kind, s)
}

func (w *wgsl) floatMath(fn ktree.Intrinsic, args []string) string {
	if name, ok := wgslFloats[fn]; ok {
		return name + "(" + strings.Join(args, ", ") + ")"
	}
	a := args[0]
	switch fn {
	case ktree.Rsqrt, ktree.InvSqrt, ktree.RsqrtNear:
		return "(1.0f / sqrt(" + a + "))"
	case ktree.RcpNear:
		return "(1.0f / (" + a + "))"
	case ktree.RoundAway:
		return fmt.Sprintf("tw_signed(floor(abs(%s) + 0.5f), %s)", a, a)
	case ktree.IsFinite:
		return "(!tw_no_angle(" + a + "))"
	case ktree.Clamp:
		return fmt.Sprintf("tw_fmin(tw_fmax(%s, %s), %s)", a, args[1], args[2])
	case ktree.Sign:
		return fmt.Sprintf("select(select(0.0f, -1.0f, (%s) < 0.0f), 1.0f, (%s) > 0.0f)", a, a)
	}
	return w.fail("WGSL has no %s", fn)
}

func (w *wgsl) intMath(x *flat.Math, args []string) string {
	a := args[0]
	call := func(name string) string { return name + "(" + strings.Join(args, ", ") + ")" }
	bits := x.Kind.Bits()
	unsigned := w.toBits(x.Kind, a)
	if bits < 32 {
		unsigned = fmt.Sprintf("(%s & %du)", w.converted(x.Kind, ktree.Uint, "("+a+")"), 1<<bits-1)
	} else if w.kind(x.Kind, false) == "i32" {
		unsigned = "bitcast<u32>(" + a + ")"
	}
	counted := func(s string) string { return w.converted(ktree.Uint, x.Kind, s) }
	switch x.Fn {
	case ktree.Abs:
		if w.kind(x.Kind, false) == "u32" {
			return "(" + a + ")"
		}
		return w.wrapped(x.Kind, call("abs"))
	case ktree.Min:
		return call("min")
	case ktree.Max:
		return call("max")
	case ktree.Clamp:
		return fmt.Sprintf("min(max(%s, %s), %s)", a, args[1], args[2])
	case ktree.Popcount:
		return counted("countOneBits(" + unsigned + ")")
	case ktree.Clz:
		return counted(fmt.Sprintf("(countLeadingZeros(%s) - %du)", unsigned, 32-bits))
	case ktree.Ctz:
		return counted(fmt.Sprintf("min(countTrailingZeros(%s), %du)", unsigned, bits))
	case ktree.ReverseBits:
		return counted(fmt.Sprintf("(reverseBits(%s) >> %du)", unsigned, 32-bits))
	case ktree.MulHi:
		switch x.Kind {
		case ktree.Uint:
			return call("tw_mulhi")
		case ktree.Int:
			return fmt.Sprintf("bitcast<i32>(tw_mul(tw_i2l(%s), tw_i2l(%s)).y)", a, args[1])
		}
		return w.converted(w.widened(x.Kind), x.Kind, fmt.Sprintf("(((%s) * (%s)) >> %du)", a, args[1], bits))
	}
	return w.fail("WGSL has no %s of %s", x.Fn, x.Kind)
}

// widened is the kind in which values of less than 32 bits are.
func (w *wgsl) widened(k ktree.Kind) ktree.Kind {
	if w.kind(k, false) == "i32" {
		return ktree.Int
	}
	return ktree.Uint
}

func (w *wgsl) longMath(x *flat.Math, args []string) string {
	sign := "u"
	if x.Kind == ktree.Long {
		sign = "s"
	}
	a := args[0]
	switch x.Fn {
	case ktree.Abs:
		if sign == "u" {
			return "(" + a + ")"
		}
		return "tw_sabs(" + a + ")"
	case ktree.Min:
		return fmt.Sprintf("tw_%smin(%s, %s)", sign, a, args[1])
	case ktree.Max:
		return fmt.Sprintf("tw_%smax(%s, %s)", sign, a, args[1])
	case ktree.Clamp:
		return fmt.Sprintf("tw_%smin(tw_%smax(%s, %s), %s)", sign, sign, a, args[1], args[2])
	case ktree.MulHi:
		return fmt.Sprintf("tw_%smulhi(%s, %s)", sign, a, args[1])
	case ktree.Popcount:
		return fmt.Sprintf("vec2<u32>(countOneBits((%s).x) + countOneBits((%s).y), 0u)", a, a)
	case ktree.Clz:
		return "vec2<u32>(tw_clz(" + a + "), 0u)"
	case ktree.Ctz:
		return "vec2<u32>(tw_ctz(" + a + "), 0u)"
	case ktree.ReverseBits:
		return "reverseBits(" + a + ").yx"
	}
	return w.fail("WGSL has no %s of %s", x.Fn, x.Kind)
}
