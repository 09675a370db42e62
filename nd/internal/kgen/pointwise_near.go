package kgen

import (
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// HasNear reports a code that Codes.Near makes a difference to; magnitudes of complex numbers
// count if they are asked for.
func HasNear(c *ir.Code, magnitudes bool) bool {
	return slices.ContainsFunc(c.Instrs, func(in ir.Instr) bool {
		if in.Kind != ir.Apply {
			return false
		}
		switch in.Op {
		case scalar.Sqrt, scalar.Div:
			return in.Type == elem.Float32
		case scalar.Abs, scalar.Sign:
			return magnitudes && c.Instrs[in.A].Type == elem.Complex64
		}
		return false
	})
}

// isFloor reports a value that is raised to a constant where it is less.
func isFloor(c *ir.Code, in ir.Instr) bool {
	return in.Kind == ir.Apply && in.Op == scalar.Maximum && in.Type == elem.Float32 && c.Instrs[in.B].Kind == ir.Const
}

// NewNear is Near for codes: true, if the constants that values are raised to are
// numbers that short ways are for, neither negative nor -0.
func (k Codes) NewNear(codes ...*ir.Code) build.Val {
	good := build.Bool(true)
	for _, c := range codes {
		for _, in := range c.Instrs {
			if isFloor(c, in) {
				floor := k.constant("floor", elem.Float32, c.Instrs[in.B].Slot).Re
				good = good.And(floor.Bits(ktree.Uint).Le(power(floorMost).Bits(ktree.Uint)))
			}
		}
	}
	return k.Var("near", good)
}

// shortOrNot is an operation by its short way, if there is one and Near says that it
// is wanted.
func (p *pointCode) shortOrNot(i int, values []Num, sizes []size) Num {
	in := p.c.Instrs[i]
	if !p.Near.IsNil() {
		v, is, ok := p.near(in, values, sizes)
		if sizes[i] = is; ok {
			return v
		}
	}
	return p.apply(in, values)
}

// near is an operation by the way that a compiler takes where no exponent is near
// its end; Near is made false for operands that it is not for, unless they are known
// to be none. There is no such way where ok is false.
func (p *pointCode) near(in ir.Instr, values []Num, sizes []size) (v Num, is size, ok bool) {
	x, sx := values[in.A].Re, &sizes[in.A]
	switch {
	case p.c.Instrs[in.A].Type == elem.Complex64 && in.Op == scalar.Abs:
		a, is := p.nearMagnitude(values[in.A], sx)
		return Real(a), is, true
	case p.c.Instrs[in.A].Type == elem.Complex64 && in.Op == scalar.Sign:
		return p.nearSign(values[in.A], sx), is, true
	case in.Type != elem.Float32:
		return v, is, false
	case in.Op == scalar.AbsSquared:
		return v, size{positive: true}, false
	case in.Op == scalar.Sub:
		return v, difference(*sx, sizes[in.B]), false
	case isFloor(p.c, in) && sx.positive:
		if !sx.known {
			p.good(x.Le(power(rootMost)))
			sx.known, sx.least, sx.most = true, unknown, rootMost
		}
		return Real(build.Max(x, values[in.B].Re)), size{positive: true, known: true, floored: true, least: unknown, most: max(sx.most, floorMost)}, true
	case in.Op == scalar.Sqrt:
		p.askRoot(x, sx)
		return Real(p.nearRoot(x, *sx)), sx.root(), true
	case in.Op == scalar.Div:
		y := values[in.B].Re
		p.askQuotient(x, y, sx, &sizes[in.B])
		return Real(p.nearQuotient(x, y, *sx)), is, true
	}
	return v, is, false
}

// good makes Near false where a condition does not hold.
func (k Codes) good(conds ...build.Val) {
	all := k.Near
	for _, c := range conds {
		all = all.And(c)
	}
	k.Set(k.Near, all)
}

// Operands of short ways are 0 or between powers of two: of roots such that what is
// left of them is a number, of quotients such that all numbers on the way are.
const (
	rootLeast, rootMost         = -100, 100
	quotientLeast, quotientMost = -60, 60
	floorMost                   = 50
)

func power(e int) build.Val { return build.Float(ktree.Float, math.Ldexp(1, e)) }

// farFromZero is the condition that |v| is 2^least or more, or 0, because silence is
// full of zeros: twice the bits of a number, less those of the least, wrap around to
// the greatest difference for a zero.
func farFromZero(v build.Val, least int) build.Val {
	bits := int64(127+least) << 24
	return v.Bits(ktree.Uint).Mul(2).Sub(build.Int(ktree.Uint, bits)).Le(build.Int(ktree.Uint, 1<<32-bits))
}

// askRoot asks whether x may go the short way. Of values that are raised to a constant
// zeros are not expected.
func (k Codes) askRoot(x build.Val, is *size) {
	switch {
	case is.between(rootLeast, rootMost):
		return
	case is.floored && is.most <= rootMost:
		k.good(x.Ge(power(rootLeast)))
		is.notZero, is.least = true, rootLeast
		return
	}
	k.good(farFromZero(x, rootLeast), x.Le(power(rootMost)))
	if is.positive { // others may be below 0
		is.known, is.least, is.most = true, rootLeast, rootMost
	}
}

// nearRoot raises what may be 0, so that its inverse root is a number, by what others
// do not notice.
func (k Codes) nearRoot(x build.Val, is size) build.Val {
	raised := x
	if !is.notZero {
		raised = x.Add(0x1p-126)
	}
	r := k.Let("r", build.Apply(ktree.RsqrtNear, raised))
	root := k.Let("root", x.Mul(r))
	return build.Fma(build.Fma(root.Neg(), root, x), r.Mul(0.5), root)
}

// askQuotient is askRoot for x/y.
func (k Codes) askQuotient(x, y build.Val, sx, sy *size) {
	switch {
	case sy.notZero && sy.between(quotientLeast, quotientMost):
	case sy.floored && sy.most <= quotientMost:
		k.good(y.Ge(power(quotientLeast)))
		sy.notZero, sy.least = true, quotientLeast
	default:
		least, more := int64(127+quotientLeast)<<24, int64(quotientMost-quotientLeast)<<24
		k.good(y.Bits(ktree.Uint).Mul(2).Sub(build.Int(ktree.Uint, least)).Le(build.Int(ktree.Uint, more)))
		sy.known, sy.notZero, sy.least, sy.most = true, true, quotientLeast, quotientMost
	}
	// What is left of x goes 47 digits further than x, and the quotient is not to be
	// subnormal, or infinite.
	if sx.known && sx.least >= -100 && sx.least-sy.most >= -124 && sx.most-sy.least <= 124 {
		return
	}
	k.good(farFromZero(x, quotientLeast), build.Apply(ktree.Abs, x).Le(power(quotientMost)))
	sx.known, sx.least, sx.most = true, quotientLeast, quotientMost
}

// nearQuotient keeps the sign of -0, which what is left of it has lost.
func (k Codes) nearQuotient(x, y build.Val, is size) build.Val {
	r := k.Let("r", build.Apply(ktree.RcpNear, y))
	r = k.Let("r", build.Fma(r, build.Fma(y.Neg(), r, build.Float(ktree.Float, 1)), r))
	q := k.Let("q", x.Mul(r))
	exact := build.Fma(build.Fma(y.Neg(), q, x), r, q)
	if is.positive || is.noMinus {
		return exact
	}
	return x.Eq(0.0).Choose(q, exact)
}

// nearMagnitude is the magnitude of z and its size. It asks the greater part, because the
// power of a small number may be 0, and the power, which NaN reaches.
func (k Codes) nearMagnitude(z Num, is *size) (build.Val, size) {
	squared := size{positive: true, known: true, least: rootLeast, most: rootMost}
	if is.magnitude.IsNil() {
		v := k.Let("squared", z.Re.Mul(z.Re).Add(z.Im.Mul(z.Im)))
		k.good(farFromZero(partMax(z), rootLeast/2), v.Le(power(rootMost)))
		is.magnitude = k.Let("magnitude", k.nearRoot(v, squared))
	}
	return is.magnitude, squared.root()
}

// nearSign is z over its magnitude, 0 for zeros.
func (k Codes) nearSign(z Num, is *size) Num {
	a, _ := k.nearMagnitude(z, is)
	zero := k.Let("zero", a.Eq(0.0))
	by := k.Let("by", zero.Choose(build.Float(ktree.Float, 1), a))
	part := func(x build.Val) build.Val {
		k.good(farFromZero(x, quotientLeast))
		return zero.Choose(build.Float(ktree.Float, 0), k.nearQuotient(x, by, size{}))
	}
	return Num{part(z.Re), part(z.Im)}
}
