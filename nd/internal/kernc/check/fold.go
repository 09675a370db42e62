package check

import (
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/kernc/ir"
)

// constant gives the components of an expression that is one.
func constant(e ir.Expr) ([]ir.Num, bool) {
	switch e := e.(type) {
	case *ir.Lit:
		if e.Type.Kind == ir.Invalid {
			return nil, false
		}
		return []ir.Num{value(e)}, true
	case *ir.Make:
		var out []ir.Num
		for _, a := range e.Args {
			v, ok := constant(a)
			if !ok {
				return nil, false
			}
			out = append(out, v...)
		}
		for len(out) < e.Type.Comps() {
			out = append(out, out[0])
		}
		return out, true
	}
	return nil, false
}

// value is a literal in its own type.
func value(l *ir.Lit) ir.Num {
	if l.Loose {
		return ir.Num{F: ir.Round(l.Type.Kind, l.Val.F)}
	}
	return l.Val
}

func intConstant(e ir.Expr) (int64, bool) {
	v, ok := constant(e)
	if !ok || e.T().Width != 1 || e.T().Kind.IsFloat() {
		return 0, false
	}
	return v[0].I, true
}

func lit(like ir.Expr, t ir.Type, v ir.Num) ir.Expr {
	return &ir.Lit{E: ir.E{Type: t, Pos: like.At()}, Val: v}
}

func foldUnary(u *ir.Unary) ir.Expr {
	l, ok := u.X.(*ir.Lit)
	if !ok {
		return u
	}
	if l.Loose && u.Op == ir.Neg {
		return &ir.Lit{E: u.E, Val: ir.Num{F: -l.Val.F}, Loose: true}
	}
	return lit(u, u.Type, ir.EvalUnary(u.Op, l.Type.Kind, value(l)))
}

func foldBinary(b *ir.Binary) ir.Expr {
	x, ok1 := b.X.(*ir.Lit)
	y, ok2 := b.Y.(*ir.Lit)
	if !ok1 || !ok2 || x.Type.Kind == ir.Invalid || y.Type.Kind == ir.Invalid {
		return b
	}
	if x.Loose && y.Loose && !b.Op.IsCompare() {
		// Kept at full precision until the type is known.
		return &ir.Lit{E: b.E, Val: ir.EvalBinary(b.Op, ir.Double, x.Val, y.Val), Loose: true}
	}
	return lit(b, b.Type, ir.EvalBinary(b.Op, x.Type.Kind, value(x), value(y)))
}

// foldApply evaluates the intrinsics that array sizes are written with.
func foldApply(a *ir.Apply) ir.Expr {
	var v [3]ir.Num
	for i, x := range a.Args {
		l, ok := x.(*ir.Lit)
		if !ok || i > 2 || l.Type.Kind == ir.Invalid {
			return a
		}
		v[i] = value(l)
	}
	k := a.Type.Kind
	less := func(x, y ir.Num) bool { return ir.EvalBinary(ir.Lt, k, x, y).I != 0 }
	switch {
	case a.Fn == ir.Abs && !k.IsFloat():
		if k.IsSigned() && v[0].I < 0 {
			v[0] = ir.EvalUnary(ir.Neg, k, v[0])
		}
		return lit(a, a.Type, v[0])
	case (a.Fn == ir.Min || a.Fn == ir.Max) && !math.IsNaN(v[0].F) && !math.IsNaN(v[1].F) && k != ir.Bool:
		if less(v[1], v[0]) == (a.Fn == ir.Min) {
			return lit(a, a.Type, v[1])
		}
		return lit(a, a.Type, v[0])
	}
	return a
}
