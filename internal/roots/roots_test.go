package roots

import (
	"math"
	"math/big"
	"testing"
)

// bigRoot evaluates cos and sin of 2*pi*k/n with 200-bit arithmetic.
func bigRoot(k, n int) (cos, sin float64) {
	const prec = 200
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798", 10, prec, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	num := func(v int) *big.Float { return new(big.Float).SetPrec(prec).SetInt64(int64(v)) }
	x := new(big.Float).SetPrec(prec).Mul(pi, num(2*k))
	x.Quo(x, num(n))
	even, odd, term := num(1), num(0), num(1)
	for i := 1; i < 120; i++ {
		term.Mul(term, x)
		term.Quo(term, num(i))
		target := even
		if i%2 == 1 {
			target = odd
		}
		if i&2 != 0 {
			target.Sub(target, term)
		} else {
			target.Add(target, term)
		}
	}
	c, _ := even.Float64()
	s, _ := odd.Float64()
	return c, s
}

func TestRoundedOnce(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 31, 60, 97, 100, 128, 1000, 1001, 4099} {
		table := Of(n)
		step := max(1, n/97)
		for k := 0; k < n; k += step {
			re, im := table.At(k)
			c, s := bigRoot(k, n)
			// Exact zeros come out of the series as dust far below rounding.
			if math.Abs(re-c) > 1e-30 || math.Abs(im+s) > 1e-30 {
				t.Fatalf("root %d/%d = (%v, %v), want (%v, %v)", k, n, re, im, c, -s)
			}
		}
		w := table.Walk(n/3, 2*n/5)
		for i := range 10 {
			wantRe, wantIm := table.At(n/3 + i*(2*n/5))
			if re, im := w.Next(); re != wantRe || im != wantIm {
				t.Fatalf("order %d: step %d of the walk = (%v, %v), want (%v, %v)", n, i, re, im, wantRe, wantIm)
			}
		}
	}
}

func BenchmarkNext(b *testing.B) {
	table := Of(1 << 20)
	w := table.Walk(0, 1)
	for b.Loop() {
		w.Next()
	}
}
