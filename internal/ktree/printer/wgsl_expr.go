package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
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
		if x.Var.Offset {
			return "tw_i2l(" + w.name(x.Var, x.Var.Name) + ")"
		}
		return w.name(x.Var, x.Var.Name)
	case *flat.Grid:
		return w.grid(x)
	case *flat.Un:
		return w.unary(x)
	case *flat.Bin:
		return w.binary(x)
	case *flat.Conv:
		return w.convert(x)
	case *flat.Bits:
		return w.bits(x)
	case *flat.Math:
		return w.math(x)
	case *flat.Sel:
		return fmt.Sprintf("select(%s, %s, %s)", w.expr(x.Y), w.expr(x.X), w.expr(x.C))
	case *flat.Load:
		return w.load(x)
	}
	return w.fail("unexpected expression")
}

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
	case ktree.ThreadsPerSimdgroup:
		return "32u"
	}
	return "((tw_ext.x * tw_ext.y * tw_ext.z + 31u) / 32u)"
}

func (w *wgsl) unary(x *flat.Un) string {
	a, k := w.expr(x.X), x.Kind
	if x.Op == ktree.Neg {
		switch {
		case k == ktree.Double:
			return "tw_dneg(" + bare(a) + ")"
		case isWide(k):
			return "tw_neg(" + bare(a) + ")"
		case w.kind(k, false) == "u32":
			return w.wrapped(k, "(0u - "+a+")")
		case k.IsHalf():
			return "(-" + a + ")"
		}
	}
	return w.wrapped(k, "("+x.Op.String()+a+")")
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
	case x.In == ktree.Double:
		return w.double(x.Op, a, b)
	case isWide(x.In):
		return w.long(x, a, b)
	case x.In.IsFloat() && (x.Op == ktree.Eq || x.Op == ktree.Ne) && same(x.X, x.Y):
		// Compilers may take no number for a NaN; its bits stay.
		if x.Op == ktree.Eq {
			return "(!tw_isnan(" + w.converted(x.In, ktree.Float, a) + "))"
		}
		return "tw_isnan(" + w.converted(x.In, ktree.Float, a) + ")"
	case x.In.IsFloat() && x.Op == ktree.Ne:
		// naga prints != as a comparison that a NaN fails.
		return fmt.Sprintf("(!(%s == %s))", a, b)
	case x.Op == ktree.Shl || x.Op == ktree.Shr:
		return w.wrapped(x.In, w.shift(x, a))
	case (x.Op == ktree.Div || x.Op == ktree.Rem) && x.In.IsInt() && !x.Sure:
		s := w.quotient(x, a, b)
		if c, ok := x.Y.(*flat.Const); ok && c.Val.I != 0 {
			return s
		}
		zero := w.num(x.In, ktree.Num{})
		return fmt.Sprintf("select(%s, %s, %s == %s)", bare(s), zero, b, zero)
	case x.Op == ktree.Rem && x.In.IsInt():
		return w.quotient(x, a, b)
	case x.Op == ktree.Div && w.kind(x.In, false) == "f32":
		return w.wrapped(x.In, fmt.Sprintf("tw_fdiv(%s, %s)", bare(a), bare(b)))
	}
	s := fmt.Sprintf("(%s %s %s)", a, x.Op, b)
	if x.Op.IsCompare() {
		return s
	}
	if x.Op == ktree.Mul && !isPower(x.X) && !isPower(x.Y) {
		return w.fixed(x.In, w.wrapped(x.In, s))
	}
	return w.wrapped(x.In, s)
}

// quotient is an integer's quotient or remainder by what is not zero.
func (w *wgsl) quotient(x *flat.Bin, a, b string) string {
	if x.Op == ktree.Rem && w.kind(x.In, false) == "i32" {
		return fmt.Sprintf("tw_rem(%s, %s)", bare(a), bare(b))
	}
	return fmt.Sprintf("(%s %s %s)", a, x.Op, b)
}

// same reports two uses of one variable.
func same(x, y flat.Expr) bool {
	a, ok := x.(*flat.Use)
	b, too := y.(*flat.Use)
	return ok && too && a.Var == b.Var
}

func (w *wgsl) shift(x *flat.Bin, a string) string {
	by := w.converted(x.Y.K(), ktree.Uint, w.expr(x.Y))
	if c, ok := x.Y.(*flat.Const); ok {
		return fmt.Sprintf("(%s %s %du)", a, x.Op, c.Val.I&31)
	}
	if x.Sure {
		return fmt.Sprintf("(%s %s %s)", a, x.Op, by)
	}
	return fmt.Sprintf("(%s %s (%s & 31u))", a, x.Op, by)
}

// double is an operator on pairs of words that are floats.
func (w *wgsl) double(op ktree.Op, a, b string) string {
	f := func(name, x, y string) string { return fmt.Sprintf("%s(%s, %s)", name, bare(x), bare(y)) }
	switch op {
	case ktree.Add:
		return f("tw_dadd", a, b)
	case ktree.Sub:
		return f("tw_dsub", a, b)
	case ktree.Mul:
		return f("tw_dmul", a, b)
	case ktree.Div:
		return f("tw_ddiv", a, b)
	case ktree.Eq:
		return f("tw_deq", a, b)
	case ktree.Ne:
		return "(!" + f("tw_deq", a, b) + ")"
	case ktree.Lt:
		return f("tw_dlt", a, b)
	case ktree.Gt:
		return f("tw_dlt", b, a)
	case ktree.Le:
		return f("tw_dle", a, b)
	case ktree.Ge:
		return f("tw_dle", b, a)
	}
	return w.fail("WGSL has no %s of doubles", op)
}

// long is an operator on pairs of words that are integers.
func (w *wgsl) long(x *flat.Bin, a, b string) string {
	sign := "u"
	if x.In == ktree.Long {
		sign = "s"
	}
	f := func(name, x, y string) string { return fmt.Sprintf("tw_%s(%s, %s)", name, bare(x), bare(y)) }
	switch x.Op {
	case ktree.Add:
		return f("add", a, b)
	case ktree.Sub:
		return f("sub", a, b)
	case ktree.Mul:
		return f("mul", a, b)
	case ktree.Div:
		return f(sign+"div", a, b)
	case ktree.Rem:
		return f(sign+"rem", a, b)
	case ktree.Shl:
		return f("shl", a, w.converted(x.Y.K(), ktree.Uint, b))
	case ktree.Shr:
		name := "shr"
		if x.In == ktree.Long {
			name = "sar"
		}
		return f(name, a, w.converted(x.Y.K(), ktree.Uint, b))
	case ktree.Eq:
		return fmt.Sprintf("all(%s == %s)", a, b)
	case ktree.Ne:
		return fmt.Sprintf("any(%s != %s)", a, b)
	case ktree.Lt:
		return f(sign+"lt", a, b)
	case ktree.Gt:
		return f(sign+"lt", b, a)
	case ktree.Le:
		return "(!" + f(sign+"lt", b, a) + ")"
	case ktree.Ge:
		return "(!" + f(sign+"lt", a, b) + ")"
	}
	return fmt.Sprintf("(%s %s %s)", a, x.Op, b)
}

func (w *wgsl) convert(x *flat.Conv) string {
	from := x.X.K()
	if (from == ktree.Long || from == ktree.Ulong) && (x.To == ktree.Int || x.To == ktree.Uint) {
		// Sums and products need their lower words only.
		if s := w.offset(x.X); !strings.HasSuffix(s, ".x)") {
			if x.To == ktree.Uint {
				return "u32(" + bare(s) + ")"
			}
			return s
		}
	}
	return w.converted(from, x.To, w.expr(x.X))
}

// bits keeps the bits.
func (w *wgsl) bits(x *flat.Bits) string {
	from, s := x.X.K(), w.expr(x.X)
	switch {
	case isWide(from) && isWide(x.To):
		return s
	case isNarrow(from) || isNarrow(x.To):
		return w.ofBits(x.To, w.toBits(from, s))
	case w.kind(from, false) == w.kind(x.To, false):
		return s
	}
	return fmt.Sprintf("bitcast<%s>(%s)", w.kind(x.To, false), bare(s))
}
