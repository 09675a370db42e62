package main

import (
	"math"
	"math/big"
)

const precision = 300

// trig returns cos and sin of k/n of a turn, to far more digits than any
// constant keeps, so that each constant is rounded once.
func trig(k, n int) (cos, sin *big.Float) {
	num := func(v int) *big.Float { return new(big.Float).SetPrec(precision).SetInt64(int64(v)) }
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798", 10, precision, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	x := new(big.Float).SetPrec(precision).Mul(pi, num(2*(k%n)))
	x.Quo(x, num(n))
	cos, sin = num(1), num(0)
	term := num(1)
	for i := 1; i < 120; i++ {
		term.Mul(term, x)
		term.Quo(term, num(i))
		sum := cos
		if i%2 == 1 {
			sum = sin
		}
		if i&2 != 0 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
	}
	return cos, sin
}

func cosine(k, n int) float64 {
	c, _ := trig(k, n)
	f, _ := c.Float64()
	return f
}

func sine(k, n int) float64 {
	_, s := trig(k, n)
	f, _ := s.Float64()
	return f
}

// tangent and cotangent of k/n of a turn.
func tangent(k, n int) float64 {
	c, s := trig(k, n)
	f, _ := s.Quo(s, c).Float64()
	return f
}

func cotangent(k, n int) float64 {
	c, s := trig(k, n)
	f, _ := c.Quo(c, s).Float64()
	return f
}

// nearer says that a turn by k/n is nearer as a cosine times a tangent than as a sine times a
// cotangent, both rounded to components.
func (t target) nearer(k, n int) bool {
	c, s := trig(k, n)
	return t.miss(c, s) <= t.miss(s, c)
}

// miss is how far the products of c with 1 and with s/c are from c and s, if c and s/c are rounded.
func (t target) miss(c, s *big.Float) float64 {
	rounded := func(x *big.Float) *big.Float {
		f, _ := x.Float64()
		if t.bits == 32 {
			f = float64(float32(f))
		}
		return new(big.Float).SetPrec(precision).SetFloat64(f)
	}
	far := func(x, y *big.Float) float64 {
		f, _ := new(big.Float).Sub(x, y).Float64()
		return f
	}
	r, ratio := rounded(c), rounded(new(big.Float).Quo(s, c))
	return math.Hypot(far(r, c), far(ratio.Mul(ratio, r), s))
}
