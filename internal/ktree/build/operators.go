package build

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

func binary(op ktree.Op, x, y Val) Val {
	k := x.Kind()
	if k != y.Kind() {
		panic(fmt.Sprintf("build: %s %s %s", x.Type(), op, y.Type()))
	}
	t := x.Type()
	if op.IsCompare() {
		t = t.With(ktree.Bool)
	}
	a, known := x.literal()
	b, too := y.literal()
	if known && too && !(op == ktree.Div && k.IsInt() && b.I == 0) {
		return Val{&ktree.Lit{E: ktree.E{Type: t}, Val: ktree.EvalBinary(op, k, a, b)}}
	}
	return Val{&ktree.Binary{E: ktree.E{Type: t}, Op: op, X: x.E, Y: y.E, Sure: true}}
}

// negated is what v is the negative of, if it is written as one.
func (v Val) negated() (Val, bool) {
	if u, ok := v.E.(*ktree.Unary); ok && u.Op == ktree.Neg {
		return Val{u.X}, true
	}
	return Val{}, false
}

// isOne reports the number 1.
func (v Val) isOne() bool {
	n, ok := v.literal()
	return ok && (v.Kind().IsFloat() && n.F == 1 || !v.Kind().IsFloat() && n.I == 1)
}

// Neg is -v.
func (v Val) Neg() Val {
	if v.IsZero() {
		return v
	}
	if x, ok := v.negated(); ok {
		return x
	}
	if n, ok := v.literal(); ok {
		return Val{&ktree.Lit{E: ktree.E{Type: v.Type()}, Val: ktree.EvalUnary(ktree.Neg, v.Kind(), n)}}
	}
	return Val{&ktree.Unary{E: ktree.E{Type: v.Type()}, Op: ktree.Neg, X: v.E}}
}

// Add is v+y.
func (v Val) Add(y any) Val {
	w := operand(y, v.Kind())
	switch {
	case v.IsZero():
		return w
	case w.IsZero():
		return v
	}
	if x, n, ok := v.raised(); ok {
		if m, ok := w.Known(); ok && m >= 0 {
			return x.Add(Int(v.Kind(), n+m))
		}
	}
	if x, ok := w.negated(); ok {
		return binary(ktree.Sub, v, x)
	}
	if x, ok := v.negated(); ok && v.Kind().IsFloat() {
		return binary(ktree.Sub, w, x)
	}
	return binary(ktree.Add, v, w)
}

// raised is an integer that a number, not less than 0, is added to, and that number.
func (v Val) raised() (Val, int64, bool) {
	b, ok := v.E.(*ktree.Binary)
	if !ok || b.Op != ktree.Add || !v.Kind().IsInt() {
		return Val{}, 0, false
	}
	n, ok := Val{b.Y}.Known()
	return Val{b.X}, n, ok && n >= 0
}

// Sub is v-y.
func (v Val) Sub(y any) Val {
	w := operand(y, v.Kind())
	switch {
	case w.IsZero():
		return v
	case v.IsZero():
		return w.Neg()
	}
	if x, ok := w.negated(); ok {
		return binary(ktree.Add, v, x)
	}
	return binary(ktree.Sub, v, w)
}

// Mul is v*y.
func (v Val) Mul(y any) Val {
	w := operand(y, v.Kind())
	switch {
	case v.IsZero():
		return v
	case w.IsZero():
		return w
	case v.isOne():
		return w
	case w.isOne():
		return v
	}
	if !v.Kind().IsFloat() {
		return binary(ktree.Mul, v, w)
	}
	// A sign moves outwards, to where it meets an addition.
	a, n := v.negated()
	b, m := w.negated()
	switch {
	case n && m:
		return a.Mul(b)
	case n:
		return a.Mul(w).Neg()
	case m:
		return v.Mul(b).Neg()
	}
	return binary(ktree.Mul, v, w)
}

// Div is v/y. Integers truncate; the generator promises that y is not zero.
func (v Val) Div(y any) Val {
	w := operand(y, v.Kind())
	if w.isOne() {
		return v
	}
	if n, ok := w.Known(); ok && v.Kind().IsInt() && n > 0 {
		if lo, hi := Range(v); lo >= 0 && hi < n {
			return Int(v.Kind(), 0)
		}
	}
	return binary(ktree.Div, v, w)
}

// Rem is the remainder of integers, with the sign of v.
func (v Val) Rem(y any) Val {
	w := operand(y, v.Kind())
	if n, ok := w.Known(); ok && n > 0 {
		if n == 1 {
			return Int(v.Kind(), 0)
		}
		if lo, hi := Range(v); lo >= 0 && hi < n {
			return v
		}
	}
	return binary(ktree.Rem, v, w)
}

// And is the bits that both have.
func (v Val) And(y any) Val { return binary(ktree.And, v, operand(y, v.Kind())) }

// Or is the bits that either has.
func (v Val) Or(y any) Val {
	w := operand(y, v.Kind())
	switch {
	case v.IsZero():
		return w
	case w.IsZero():
		return v
	}
	return binary(ktree.Or, v, w)
}

// Xor is the bits that one has.
func (v Val) Xor(y any) Val { return v.unlessZero(ktree.Xor, y) }

// Shl shifts by less than the width.
func (v Val) Shl(y any) Val { return v.unlessZero(ktree.Shl, y) }

// Shr shifts by less than the width; signs are kept.
func (v Val) Shr(y any) Val { return v.unlessZero(ktree.Shr, y) }

// unlessZero is v op y, or v alone if y is zero.
func (v Val) unlessZero(op ktree.Op, y any) Val {
	w := operand(y, v.Kind())
	if w.IsZero() {
		return v
	}
	return binary(op, v, w)
}

// Inverted is all bits of v turned over.
func (v Val) Inverted() Val {
	if n, ok := v.literal(); ok {
		return Val{&ktree.Lit{E: ktree.E{Type: v.Type()}, Val: ktree.EvalUnary(ktree.BitNot, v.Kind(), n)}}
	}
	return Val{&ktree.Unary{E: ktree.E{Type: v.Type()}, Op: ktree.BitNot, X: v.E}}
}

func (v Val) compare(op ktree.Op, y any) Val {
	w := operand(y, v.Kind())
	if v.Kind().IsInt() && v.Kind() != ktree.Ulong {
		lo, hi := Range(v)
		least, most := Range(w)
		switch {
		case op == ktree.Lt && hi < least, op == ktree.Le && hi <= least, op == ktree.Gt && lo > most, op == ktree.Ge && lo >= most,
			op == ktree.Ne && (hi < least || lo > most):
			return Bool(true)
		case op == ktree.Lt && lo >= most, op == ktree.Le && lo > most, op == ktree.Gt && hi <= least, op == ktree.Ge && hi < least,
			op == ktree.Eq && (hi < least || lo > most):
			return Bool(false)
		}
	}
	return binary(op, v, w)
}

// Eq is v == y.
func (v Val) Eq(y any) Val { return v.compare(ktree.Eq, y) }

// Ne is v != y.
func (v Val) Ne(y any) Val { return v.compare(ktree.Ne, y) }

// Lt is v < y.
func (v Val) Lt(y any) Val { return v.compare(ktree.Lt, y) }

// Le is v <= y.
func (v Val) Le(y any) Val { return v.compare(ktree.Le, y) }

// Gt is v > y.
func (v Val) Gt(y any) Val { return v.compare(ktree.Gt, y) }

// Ge is v >= y.
func (v Val) Ge(y any) Val { return v.compare(ktree.Ge, y) }

// Not is the opposite of a bool.
func (v Val) Not() Val {
	if n, ok := v.literal(); ok {
		return Bool(n.I == 0)
	}
	if u, ok := v.E.(*ktree.Unary); ok && u.Op == ktree.Not {
		return Val{u.X}
	}
	return Val{&ktree.Unary{E: ktree.E{Type: v.Type()}, Op: ktree.Not, X: v.E}}
}

// AndThen is v && y: y is not looked at where v is false.
func (v Val) AndThen(y Val) Val {
	if n, ok := v.literal(); ok {
		if n.I == 0 {
			return v
		}
		return y
	}
	if n, ok := y.literal(); ok && n.I != 0 {
		return v
	}
	return Val{&ktree.Logic{E: ktree.E{Type: ktree.Scalar(ktree.Bool)}, X: v.E, Y: y.E}}
}

// OrElse is v || y: y is not looked at where v is true.
func (v Val) OrElse(y Val) Val {
	if n, ok := v.literal(); ok {
		if n.I != 0 {
			return v
		}
		return y
	}
	if n, ok := y.literal(); ok && n.I == 0 {
		return v
	}
	return Val{&ktree.Logic{E: ktree.E{Type: ktree.Scalar(ktree.Bool)}, Or: true, X: v.E, Y: y.E}}
}

// Choose is x where v is true and y elsewhere; only one of them is computed.
func (v Val) Choose(x, y any) Val {
	k := ktree.Int
	for _, a := range []any{x, y} {
		if b, ok := a.(Val); ok {
			k = b.Kind()
		}
	}
	a, b := operand(x, k), operand(y, k)
	if n, ok := v.literal(); ok {
		if n.I != 0 {
			return a
		}
		return b
	}
	if a.Type() != b.Type() {
		panic(fmt.Sprintf("build: %s or %s", a.Type(), b.Type()))
	}
	return Val{&ktree.Cond{E: ktree.E{Type: a.Type()}, C: v.E, X: a.E, Y: b.E}}
}

// Min is the lesser of two integers, or of two floats of which a NaN loses.
func Min(x Val, y any) Val {
	w := operand(y, x.Kind())
	if x.Kind().IsInt() {
		lo, hi := Range(x)
		least, most := Range(w)
		switch {
		case hi <= least:
			return x
		case most <= lo:
			return w
		}
	}
	return Apply(ktree.Min, x, w)
}

// Max is the greater of two integers, or of two floats of which a NaN loses.
func Max(x Val, y any) Val {
	w := operand(y, x.Kind())
	if x.Kind().IsInt() {
		lo, hi := Range(x)
		least, most := Range(w)
		switch {
		case lo >= most:
			return x
		case least >= hi:
			return w
		}
	}
	return Apply(ktree.Max, x, w)
}
