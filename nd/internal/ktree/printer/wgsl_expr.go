package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/ktree"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/flat"
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
		if x.Mem.Role == ktree.Number {
			return w.number(x)
		}
		return w.element(x.Mem, x.Terms, x.Comp)
	}
	return w.fail("unexpected expression")
}

// number is a word of those that a kernel of the engine is given.
func (w *wgsl) number(x *flat.Load) string {
	s := fmt.Sprintf("tw_words[%d]", w.words[x.Mem]+x.Comp)
	switch x.Mem.Kind {
	case ktree.Uint:
		return s
	case ktree.Bool:
		return "(" + s + " != 0u)"
	}
	return fmt.Sprintf("bitcast<%s>(%s)", w.kind(x.Mem.Kind, false), s)
}

// wgslMulHi is the upper half of a product, from products of halves.
const wgslMulHi = `
fn tw_mulhi(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let first = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let second = (a & 0xffffu) * (b >> 16u) + (first & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);
}
`

func (w *wgsl) grid(x *flat.Grid) string {
	c := "." + "xyz"[x.Comp:x.Comp+1]
	switch x.Grid {
	case ktree.ThreadPositionInGrid:
		return "tw_at" + c
	case ktree.ThreadgroupPositionInGrid:
		return "tw_group" + c
	case ktree.ThreadPositionInThreadgroup:
		return "tw_thread" + c
	case ktree.ThreadsPerThreadgroup:
		return "tw_ext" + c
	case ktree.ThreadsPerGrid:
		return "tw_grid" + c
	case ktree.ThreadgroupsPerGrid:
		return fmt.Sprintf("((tw_grid%s + tw_size%s - 1u) / tw_size%s)", c, c, c)
	case ktree.ThreadIndexInThreadgroup:
		return "tw_index"
	case ktree.ThreadIndexInSimdgroup:
		return "(tw_index % 32u)"
	case ktree.SimdgroupIndexInThreadgroup:
		return "(tw_index / 32u)"
	}
	return "((tw_ext.x * tw_ext.y * tw_ext.z + 31u) / 32u)"
}

func (w *wgsl) binary(x *flat.Bin) string {
	a, b := w.expr(x.X), w.expr(x.Y)
	switch {
	case x.In == ktree.Bool:
		switch x.Op {
		case ktree.And, ktree.Or, ktree.Eq, ktree.Ne:
			return fmt.Sprintf("(%s %s %s)", a, x.Op, b)
		case ktree.Xor:
			return fmt.Sprintf("(%s != %s)", a, b)
		}
		return fmt.Sprintf("(u32(%s) %s u32(%s))", a, x.Op, b)
	case (x.Op == ktree.Shl || x.Op == ktree.Shr) && x.Sure:
		return fmt.Sprintf("(%s %s u32(%s))", a, x.Op, b)
	case x.Op == ktree.Shl || x.Op == ktree.Shr:
		if c, ok := x.Y.(*flat.Const); ok {
			return fmt.Sprintf("(%s %s %du)", a, x.Op, c.Val.I&31)
		}
		return fmt.Sprintf("(%s %s (u32(%s) & 31u))", a, x.Op, b)
	case (x.Op == ktree.Div || x.Op == ktree.Rem) && x.In.IsInt() && !x.Sure:
		if c, ok := x.Y.(*flat.Const); ok && c.Val.I != 0 {
			return fmt.Sprintf("(%s %s %s)", a, x.Op, b)
		}
		zero := w.num(x.In, ktree.Num{})
		return fmt.Sprintf("select(%s %s %s, %s, %s == %s)", a, x.Op, b, zero, b, zero)
	}
	return fmt.Sprintf("(%s %s %s)", a, x.Op, b)
}

func (w *wgsl) convert(x *flat.Conv) string {
	to := w.kind(x.To, false)
	if x.X.K() == ktree.Long { // the length of an offset that a pointer moved by
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
	zero, one := w.num(x.Kind, ktree.Num{}), w.num(x.Kind, ktree.Num{I: 1, F: 1})
	switch x.Fn {
	case ktree.Exp10:
		return fmt.Sprintf("pow(%s, %s)", w.num(x.Kind, ktree.Num{F: 10}), a)
	case ktree.Log10:
		return fmt.Sprintf("(log2(%s) * %s)", a, w.num(x.Kind, ktree.Num{F: 0.30102999566398120}))
	case ktree.Rsqrt:
		return "inverseSqrt(" + a + ")"
	case ktree.Rint:
		return "round(" + a + ")"
	case ktree.RoundAway:
		half := w.num(x.Kind, ktree.Num{F: 0.5})
		return fmt.Sprintf("(sign(%s) * floor(abs(%s) + %s))", a, a, half)
	case ktree.Fmod:
		return fmt.Sprintf("(%s %% %s)", a, args[1])
	case ktree.Copysign:
		return fmt.Sprintf("select(abs(%s), -abs(%s), %s < %s)", a, a, args[1], zero)
	case ktree.Popcount:
		return call("countOneBits")
	case ktree.Clz:
		return call("countLeadingZeros")
	case ktree.Ctz:
		return call("countTrailingZeros")
	case ktree.ReverseBits:
		return call("reverseBits")
	case ktree.MulHi:
		if x.Kind != ktree.Uint {
			return w.fail("WGSL has no mulhi of %s", x.Kind)
		}
		w.mulhi = true
		return call("tw_mulhi")
	case ktree.InvSqrt:
		return "inverseSqrt(" + a + ")"
	case ktree.RsqrtNear:
		return "inverseSqrt(" + a + ")"
	case ktree.RcpNear:
		return fmt.Sprintf("(%s / %s)", one, a)
	case ktree.Ilogb:
		return fmt.Sprintf("f32(frexp(%s).exp - 1)", a)
	case ktree.Scalbn:
		return fmt.Sprintf("ldexp(%s, i32(%s))", a, args[1])
	case ktree.Log1p, ktree.Expm1, ktree.Erf:
		return w.fail("WGSL has no %s", x.Fn)
	case ktree.IsNaN:
		return fmt.Sprintf("(%s != %s)", a, a)
	case ktree.IsInf:
		return fmt.Sprintf("(%s == %s && %s - %s != %s)", a, a, a, a, zero)
	case ktree.IsFinite:
		return fmt.Sprintf("(%s - %s == %s)", a, a, zero)
	case ktree.Clamp:
		return fmt.Sprintf("min(max(%s, %s), %s)", a, args[1], args[2])
	case ktree.Sign:
		return fmt.Sprintf("select(select(%s, -%s, %s < %s), %s, %s > %s)", zero, one, a, zero, one, a, zero)
	}
	return call(x.Fn.String())
}
