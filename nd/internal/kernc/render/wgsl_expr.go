package render

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/kernc/flat"
	"github.com/twiddle-go/twiddle/nd/internal/kernc/ir"
)

// expr prints a scalar expression that binds tighter than any operator.
func (w *wgsl) expr(x flat.Expr) string {
	if w.kind(x.K(), false) == "" {
		return w.fail("a value is %s, which WGSL does not have", x.K())
	}
	switch x := x.(type) {
	case *flat.Const:
		return w.num(x.Kind, x.Val)
	case *flat.Use:
		return w.name(x.Var, x.Var.Name)
	case *flat.Grid:
		return w.grid(x)
	case *flat.Un:
		return "(" + x.Op.String() + w.expr(x.X) + ")"
	case *flat.Bin:
		return w.binary(x)
	case *flat.Conv:
		return w.convert(x)
	case *flat.Bits:
		return fmt.Sprintf("bitcast<%s>(%s)", w.kind(x.To, false), w.expr(x.X))
	case *flat.Math:
		return w.math(x)
	case *flat.Sel:
		return fmt.Sprintf("select(%s, %s, %s)", w.expr(x.Y), w.expr(x.X), w.expr(x.C))
	case *flat.Load:
		return w.element(x.Mem, x.Terms, x.Comp)
	}
	return w.fail("unexpected expression")
}

func (w *wgsl) grid(x *flat.Grid) string {
	c := "." + "xyz"[x.Comp:x.Comp+1]
	switch x.Grid {
	case ir.ThreadPositionInGrid:
		return "tw_at" + c
	case ir.ThreadgroupPositionInGrid:
		return "tw_group" + c
	case ir.ThreadPositionInThreadgroup:
		return "tw_thread" + c
	case ir.ThreadsPerThreadgroup:
		return "tw_ext" + c
	case ir.ThreadsPerGrid:
		return "tw_grid" + c
	case ir.ThreadgroupsPerGrid:
		return fmt.Sprintf("((tw_grid%s + tw_size%s - 1u) / tw_size%s)", c, c, c)
	case ir.ThreadIndexInThreadgroup:
		return "tw_index"
	case ir.ThreadIndexInSimdgroup:
		return "(tw_index % 32u)"
	case ir.SimdgroupIndexInThreadgroup:
		return "(tw_index / 32u)"
	}
	return "((tw_ext.x * tw_ext.y * tw_ext.z + 31u) / 32u)"
}

func (w *wgsl) binary(x *flat.Bin) string {
	a, b := w.expr(x.X), w.expr(x.Y)
	switch {
	case x.In == ir.Bool:
		switch x.Op {
		case ir.And, ir.Or, ir.Eq, ir.Ne:
			return fmt.Sprintf("(%s %s %s)", a, x.Op, b)
		case ir.Xor:
			return fmt.Sprintf("(%s != %s)", a, b)
		}
		return fmt.Sprintf("(u32(%s) %s u32(%s))", a, x.Op, b)
	case x.Op == ir.Shl || x.Op == ir.Shr:
		if c, ok := x.Y.(*flat.Const); ok {
			return fmt.Sprintf("(%s %s %du)", a, x.Op, c.Val.I&31)
		}
		return fmt.Sprintf("(%s %s (u32(%s) & 31u))", a, x.Op, b)
	case (x.Op == ir.Div || x.Op == ir.Rem) && x.In.IsInt():
		if c, ok := x.Y.(*flat.Const); ok && c.Val.I != 0 {
			return fmt.Sprintf("(%s %s %s)", a, x.Op, b)
		}
		zero := w.num(x.In, ir.Num{})
		return fmt.Sprintf("select(%s %s %s, %s, %s == %s)", a, x.Op, b, zero, b, zero)
	}
	return fmt.Sprintf("(%s %s %s)", a, x.Op, b)
}

func (w *wgsl) convert(x *flat.Conv) string {
	to := w.kind(x.To, false)
	if x.X.K() == ir.Long { // the length of an offset that a pointer moved by
		return to + "(" + w.offset(x.X) + ")"
	}
	return fmt.Sprintf("%s(%s)", to, w.expr(x.X))
}

// math maps intrinsics; those WGSL lacks are written out.
func (w *wgsl) math(x *flat.Math) string {
	args := make([]string, len(x.Args))
	for i, a := range x.Args {
		args[i] = w.expr(a)
	}
	call := func(name string) string { return name + "(" + strings.Join(args, ", ") + ")" }
	a := args[0]
	zero, one := w.num(x.Kind, ir.Num{}), w.num(x.Kind, ir.Num{I: 1, F: 1})
	switch x.Fn {
	case ir.Exp10:
		return fmt.Sprintf("pow(%s, %s)", w.num(x.Kind, ir.Num{F: 10}), a)
	case ir.Log10:
		return fmt.Sprintf("(log2(%s) * %s)", a, w.num(x.Kind, ir.Num{F: 0.30102999566398120}))
	case ir.Rsqrt:
		return "inverseSqrt(" + a + ")"
	case ir.Rint:
		return "round(" + a + ")"
	case ir.RoundAway:
		half := w.num(x.Kind, ir.Num{F: 0.5})
		return fmt.Sprintf("(sign(%s) * floor(abs(%s) + %s))", a, a, half)
	case ir.Fmod:
		return fmt.Sprintf("(%s %% %s)", a, args[1])
	case ir.Copysign:
		return fmt.Sprintf("select(abs(%s), -abs(%s), %s < %s)", a, a, args[1], zero)
	case ir.Popcount:
		return call("countOneBits")
	case ir.Clz:
		return call("countLeadingZeros")
	case ir.Ctz:
		return call("countTrailingZeros")
	case ir.ReverseBits:
		return call("reverseBits")
	case ir.MulHi:
		return w.fail("WGSL has no mulhi")
	case ir.IsNaN:
		return fmt.Sprintf("(%s != %s)", a, a)
	case ir.IsInf:
		return fmt.Sprintf("(%s == %s && %s - %s != %s)", a, a, a, a, zero)
	case ir.IsFinite:
		return fmt.Sprintf("(%s - %s == %s)", a, a, zero)
	case ir.Clamp:
		return fmt.Sprintf("min(max(%s, %s), %s)", a, args[1], args[2])
	case ir.Sign:
		return fmt.Sprintf("select(select(%s, -%s, %s < %s), %s, %s > %s)", zero, one, a, zero, one, a, zero)
	}
	return call(x.Fn.String())
}
