package dft

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
)

// Number is a complex number.
type Number struct{ Re, Im build.Val }

// IsZero reports a number that is known to be nothing.
func (n Number) IsZero() bool { return n.Re.IsZero() && n.Im.IsZero() }

// Conjugate has the other sign in its imaginary part.
func (n Number) Conjugate() Number { return Number{n.Re, n.Im.Neg()} }

// Neg is -n.
func (n Number) Neg() Number { return Number{n.Re.Neg(), n.Im.Neg()} }

// Turned is n times i or, clockwise, -i.
func (n Number) Turned(clockwise bool) Number {
	if clockwise {
		return Number{n.Im, n.Re.Neg()}
	}
	return Number{n.Im.Neg(), n.Re}
}

// Arith computes with numbers of one precision in one kernel.
type Arith struct {
	Kind ktree.Kind // Float or Double; Half
	// Lanes is how many lines are computed side by side, in the components of values:
	// 2 of Half, 0 for one.
	Lanes int
	// Let names a value that is used more than once.
	Let func(build.Val) build.Val
}

// typ is the type of a real.
func (a Arith) typ() ktree.Type { return ktree.Vector(a.Kind, max(a.Lanes, 1)) }

// Zero is a number that is known to be nothing.
func (a Arith) Zero() Number { return Number{build.ZeroOf(a.typ()), build.ZeroOf(a.typ())} }

// Real is a number without an imaginary part.
func (a Arith) Real(v build.Val) Number { return Number{v, build.ZeroOf(a.typ())} }

// Const is a constant.
func (a Arith) Const(v float64) build.Val { return build.FloatOf(a.typ(), v) }

// named gives the magnitude of a value a name and leaves its sign outside, where
// it meets an addition.
func (a Arith) named(v build.Val) build.Val {
	if u, ok := v.E.(*ktree.Unary); ok && u.Op == ktree.Neg {
		return a.Let(build.Val{E: u.X}).Neg()
	}
	return a.Let(v)
}

// Sum is x + y.
func (a Arith) Sum(x, y build.Val) build.Val {
	switch {
	case x.IsZero():
		return y
	case y.IsZero():
		return x
	}
	return a.named(x.Add(y))
}

// Product is x * y.
func (a Arith) Product(x, y build.Val) build.Val {
	if x.IsZero() || y.IsZero() {
		return build.ZeroOf(a.typ())
	}
	return a.named(x.Mul(y))
}

// Fused is x*y + z with one rounding.
func (a Arith) Fused(x, y, z build.Val) build.Val {
	switch {
	case x.IsZero() || y.IsZero():
		return z
	case z.IsZero():
		return a.Product(x, y)
	}
	return a.Let(build.Fma(x, y, z))
}

// Add is x + y.
func (a Arith) Add(x, y Number) Number { return Number{a.Sum(x.Re, y.Re), a.Sum(x.Im, y.Im)} }

// Sub is x - y.
func (a Arith) Sub(x, y Number) Number { return a.Add(x, y.Neg()) }

// Mul is x * y.
func (a Arith) Mul(x, y Number) Number {
	return Number{
		a.Fused(x.Re, y.Re, a.Product(x.Im, y.Im).Neg()),
		a.Fused(x.Re, y.Im, a.Product(x.Im, y.Re)),
	}
}

// Scaled is x times a real value.
func (a Arith) Scaled(x Number, by build.Val) Number {
	return Number{a.Product(x.Re, by), a.Product(x.Im, by)}
}

// Either is x where a condition holds and y elsewhere.
func (a Arith) Either(cond build.Val, x, y Number) Number {
	part := func(x, y build.Val) build.Val {
		if x.E == y.E || x.IsZero() && y.IsZero() {
			return x
		}
		return a.Let(cond.Choose(x, y))
	}
	return Number{part(x.Re, y.Re), part(x.Im, y.Im)}
}
