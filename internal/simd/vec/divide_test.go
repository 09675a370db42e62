package vec

import (
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// exactQuotient is z/w rounded once, in each part.
func exactQuotient(z, w complex128) complex128 {
	f := func(v float64) *big.Float { return new(big.Float).SetPrec(5000).SetFloat64(v) }
	mul := func(a, b float64) *big.Float { return new(big.Float).SetPrec(5000).Mul(f(a), f(b)) }
	below := mul(real(w), real(w))
	below.Add(below, mul(imag(w), imag(w)))
	re, im := mul(real(z), real(w)), mul(imag(z), real(w))
	re.Add(re, mul(imag(z), imag(w)))
	im.Sub(im, mul(real(z), imag(w)))
	x, _ := re.Quo(re, below).Float64()
	y, _ := im.Quo(im, below).Float64()
	return complex(x, y)
}

// Quotients are close to the exact ones, from the largest numbers to the smallest.
func TestDivide(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, scale := range []int{0, 100, 249, 400, 700, 1000} {
		levels(t, func(t *testing.T, table *Table) {
			const n = 67
			random := func() complex128 {
				s := math.Ldexp(1, rng.IntN(2*scale+1)-scale)
				return complex(rng.NormFloat64()*s, rng.NormFloat64()*s)
			}
			x, y, q := make([]complex128, n), make([]complex128, n), make([]complex128, n)
			for i := range x {
				x[i], y[i] = random(), random()
			}
			table.C128.Div.VV(q, x, y, false)
			for i := range q {
				want := exactQuotient(x[i], y[i])
				size := cmplx.Abs(want)
				if size > 0x1p-1000 && size < 0x1p1000 && !(cmplx.Abs(q[i]-want) <= 7*0x1p-53*size) {
					t.Errorf("%g / %g = %g, want %g", x[i], y[i], q[i], want)
				}
			}
			if scale > 30 {
				return
			}
			a, b, c := make([]complex64, n), make([]complex64, n), make([]complex64, n)
			for i := range a {
				a[i], b[i] = complex64(x[i]), complex64(y[i])
			}
			table.C64.Div.VV(c, a, b, false)
			for i := range c {
				if want := complex64(exactQuotient(complex128(a[i]), complex128(b[i]))); cmplx.Abs(complex128(c[i]-want)) > 0x1p-24*cmplx.Abs(complex128(want)) {
					t.Errorf("%g / %g = %g, want %g", a[i], b[i], c[i], want)
				}
			}
		})
	}
}

// Special quotients are Go's, and those of finite numbers exact ones.
func TestDivideSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	numbers := []complex128{0, 1, complex(0, -1), complex(inf, 1), complex(1, -inf), complex(nan, 1), complex(inf, nan), complex(1e-320, 0), complex(1e308, 1e308),
		complex(5e-324, 5e-324), complex(1.7e308, -1.7e308), complex(1.5e-323, 1e-323), complex(1e305, 5e-324), complex(0, 2)}
	levels(t, func(t *testing.T, table *Table) {
		for _, w := range numbers {
			x := append([]complex128(nil), numbers...)
			q := make([]complex128, len(x))
			table.C128.Div.VS(q, x, w, false)
			for i, z := range x {
				want := z / w
				if w != 0 && finite(z) && finite(w) {
					want = exactQuotient(z, w)
				}
				if w == 1 || w == complex(0, -1) {
					continue // by the formula: zeros may have another sign
				}
				if cmplx.Abs(q[i]-want) <= 0x1p-50*cmplx.Abs(want)+5e-324 {
					continue
				}
				if !same(real(q[i]), real(want)) && real(q[i]) != real(want) || !same(imag(q[i]), imag(want)) && imag(q[i]) != imag(want) {
					t.Errorf("%g / %g = %g, want %g", z, w, q[i], want)
				}
			}
		}
	})
}

func finite(z complex128) bool { return !cmplx.IsNaN(z) && !cmplx.IsInf(z) }
