package check

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// constant gives the components of an expression that is one.
func constant(e ktree.Expr) ([]ktree.Num, bool) {
	switch e := e.(type) {
	case *ktree.Lit:
		if e.Type.Kind == ktree.Invalid {
			return nil, false
		}
		return []ktree.Num{value(e)}, true
	case *ktree.Make:
		var out []ktree.Num
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
func value(l *ktree.Lit) ktree.Num {
	if l.Loose {
		return ktree.Num{F: ktree.Round(l.Type.Kind, l.Val.F)}
	}
	return l.Val
}

func intConstant(e ktree.Expr) (int64, bool) {
	v, ok := constant(e)
	if !ok || e.T().Width != 1 || e.T().Kind.IsFloat() {
		return 0, false
	}
	return v[0].I, true
}

func lit(like ktree.Expr, t ktree.Type, v ktree.Num) ktree.Expr {
	return &ktree.Lit{E: ktree.E{Type: t, Pos: like.At()}, Val: v}
}

func foldUnary(u *ktree.Unary) ktree.Expr {
	l, ok := u.X.(*ktree.Lit)
	if !ok {
		return u
	}
	if l.Loose && u.Op == ktree.Neg {
		return &ktree.Lit{E: u.E, Val: ktree.Num{F: -l.Val.F}, Loose: true}
	}
	return lit(u, u.Type, ktree.EvalUnary(u.Op, l.Type.Kind, value(l)))
}

func foldBinary(b *ktree.Binary) ktree.Expr {
	x, ok1 := b.X.(*ktree.Lit)
	y, ok2 := b.Y.(*ktree.Lit)
	if !ok1 || !ok2 || x.Type.Kind == ktree.Invalid || y.Type.Kind == ktree.Invalid {
		return b
	}
	if x.Loose && y.Loose && !b.Op.IsCompare() {
		// Kept at full precision until the type is known.
		return &ktree.Lit{E: b.E, Val: ktree.EvalBinary(b.Op, ktree.Double, x.Val, y.Val), Loose: true}
	}
	return lit(b, b.Type, ktree.EvalBinary(b.Op, x.Type.Kind, value(x), value(y)))
}

// foldApply evaluates the intrinsics that array sizes are written with.
func foldApply(a *ktree.Apply) ktree.Expr {
	var v [3]ktree.Num
	for i, x := range a.Args {
		l, ok := x.(*ktree.Lit)
		if !ok || i > 2 || l.Type.Kind == ktree.Invalid {
			return a
		}
		v[i] = value(l)
	}
	k := a.Type.Kind
	less := func(x, y ktree.Num) bool { return ktree.EvalBinary(ktree.Lt, k, x, y).I != 0 }
	switch {
	case a.Fn == ktree.Abs && !k.IsFloat():
		if k.IsSigned() && v[0].I < 0 {
			v[0] = ktree.EvalUnary(ktree.Neg, k, v[0])
		}
		return lit(a, a.Type, v[0])
	case (a.Fn == ktree.Min || a.Fn == ktree.Max) && !math.IsNaN(v[0].F) && !math.IsNaN(v[1].F) && k != ktree.Bool:
		if less(v[1], v[0]) == (a.Fn == ktree.Min) {
			return lit(a, a.Type, v[1])
		}
		return lit(a, a.Type, v[0])
	}
	return a
}
