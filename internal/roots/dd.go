package roots

import "math"

// dd is an unevaluated sum hi + lo with |lo| <= ulp(hi)/2.
type dd struct{ hi, lo float64 }

// twoPi is 2*pi to 107 bits; the parts are its nearest float64 and the nearest
// float64 to the rest.
var twoPi = dd{6.283185307179586476925286766559, 2.4492935982947063545e-16}

// quick renormalises a sum whose first term dominates.
func quick(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

// twoSum is a + b and its rounding error.
func twoSum(a, b float64) (sum, err float64) {
	s := a + b
	v := s - a
	return s, (a - (s - v)) + (b - v)
}

func (x dd) neg() dd { return dd{-x.hi, -x.lo} }

func (x dd) add(y dd) dd {
	s, e := twoSum(x.hi, y.hi)
	return quick(s, e+x.lo+y.lo)
}

func (x dd) mul(y dd) dd {
	p := float64(x.hi * y.hi) // the conversion keeps compilers from fusing it into a sum
	e := math.FMA(x.hi, y.hi, -p)
	return quick(p, e+x.hi*y.lo+x.lo*y.hi)
}

// ratio is a/b for integers below 2^53.
func ratio(a, b int) dd {
	x, y := float64(a), float64(b)
	q := x / y
	return quick(q, math.FMA(-q, y, x)/y)
}

// exact returns cos and sin of 2*pi*k/turn for an angle in the first octant,
// by the Taylor series. Terms fall below 2^-110 within 28 steps there.
func exact(k, turn int) root {
	if k == 0 {
		return root{cos: dd{hi: 1}}
	}
	x := ratio(k, turn).mul(twoPi)
	even, odd := dd{hi: 1}, dd{}
	term := dd{hi: 1}
	for i := 1; i <= 28; i++ {
		term = term.mul(x).mul(ratio(1, i))
		signed := term
		if i&2 != 0 {
			signed = term.neg()
		}
		if i%2 == 0 {
			even = even.add(signed)
		} else {
			odd = odd.add(signed)
		}
	}
	return root{cos: even, sin: odd}
}
