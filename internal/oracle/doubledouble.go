package oracle

import "math"

// dd is the unevaluated sum hi+lo, with |lo| at most half an ulp of hi.
type dd struct{ hi, lo float64 }

// fastTwoSum is a+b exactly, for |a| >= |b|.
func fastTwoSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

// twoSum is a+b exactly.
func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

// twoProd is a*b exactly.
func twoProd(a, b float64) dd {
	p := float64(a * b) // the conversion keeps the compiler from fusing it away
	return dd{p, math.FMA(a, b, -p)}
}

// add errs by at most 2^-104 (|x|+|y|): relative to the operands, which is
// what a transform needs, not to a sum that cancels.
func (x dd) add(y dd) dd {
	s := twoSum(x.hi, y.hi)
	return fastTwoSum(s.hi, s.lo+(x.lo+y.lo))
}

func (x dd) neg() dd        { return dd{-x.hi, -x.lo} }
func (x dd) sub(y dd) dd    { return x.add(y.neg()) }
func (x dd) half() dd       { return dd{x.hi / 2, x.lo / 2} }
func (x dd) float() float64 { return x.hi + x.lo }

// mul errs by at most 2^-102 |x*y|.
func (x dd) mul(y dd) dd {
	p := twoProd(x.hi, y.hi)
	return fastTwoSum(p.hi, p.lo+(x.hi*y.lo+x.lo*y.hi))
}

// div errs by a few 2^-104 |x/y|: two quotient digits of 53 bits, then a
// correction.
func (x dd) div(y dd) dd {
	q := x.hi / y.hi
	r := x.sub(y.mul(dd{q, 0}))
	q2 := r.hi / y.hi
	r = r.sub(y.mul(dd{q2, 0}))
	return fastTwoSum(q, q2).add(dd{r.hi / y.hi, 0})
}

// cdd is a complex number of two double-doubles.
type cdd struct{ re, im dd }

func (x cdd) add(y cdd) cdd { return cdd{x.re.add(y.re), x.im.add(y.im)} }
func (x cdd) sub(y cdd) cdd { return cdd{x.re.sub(y.re), x.im.sub(y.im)} }
func (x cdd) conj() cdd     { return cdd{x.re, x.im.neg()} }

// mulI is i*x.
func (x cdd) mulI() cdd { return cdd{x.im.neg(), x.re} }

func (x cdd) mul(y cdd) cdd {
	return cdd{
		x.re.mul(y.re).sub(x.im.mul(y.im)),
		x.re.mul(y.im).add(x.im.mul(y.re)),
	}
}
