package wide

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/accum"
)

// precise holds the sums of this test with hundreds of bits to spare.
const precise = 1500

func number(v float64) *big.Float { return new(big.Float).SetPrec(precise).SetFloat64(v) }

// bigRoots is cos and sin of all n-th roots, by their series. It shares nothing
// with the package.
var bigRoots = func() func(n int) (cos, sin []*big.Float) {
	type both struct{ cos, sin []*big.Float }
	known := map[int]both{}
	return func(n int) (cos, sin []*big.Float) {
		if _, ok := known[n]; !ok {
			c, s := series(n)
			known[n] = both{c, s}
		}
		return known[n].cos, known[n].sin
	}
}()

func series(n int) (cos, sin []*big.Float) {
	pi := new(big.Float).SetPrec(precise)
	// Gauss and Legendre: the digits double with each step.
	a, b, t, p := number(1), number(0.5), number(0.25), number(1)
	b.Sqrt(b)
	for range 11 {
		next := new(big.Float).SetPrec(precise).Add(a, b)
		next.Quo(next, number(2))
		b.Sqrt(b.Mul(a, b))
		d := new(big.Float).SetPrec(precise).Sub(a, next)
		t.Sub(t, d.Mul(p, d.Mul(d, d)))
		a, p = next, p.Mul(p, number(2))
	}
	pi.Add(a, b)
	pi.Mul(pi, pi)
	pi.Quo(pi, t.Mul(t, number(4)))
	for k := range n {
		x := new(big.Float).SetPrec(precise).Mul(pi, number(float64(2*k)))
		x.Quo(x, number(float64(n)))
		even, odd, term := number(1), number(0), number(1)
		for i := 1; i < 320; i++ {
			term.Quo(term.Mul(term, x), number(float64(i)))
			sum := even
			if i%2 == 1 {
				sum = odd
			}
			if i&2 != 0 {
				sum.Sub(sum, term)
			} else {
				sum.Add(sum, term)
			}
		}
		cos, sin = append(cos, even), append(sin, odd)
	}
	return cos, sin
}

// tiny is where sums whose true value is zero end.
var tiny = new(big.Float).SetMantExp(big.NewFloat(1), -1400)

// direct is the transform term by term.
func direct(x []complex128, inverse bool, scale *big.Float) (re, im []*big.Float) {
	n := len(x)
	cos, sin := bigRoots(n)
	for k := range n {
		r, s := number(0), number(0)
		term := func(to *big.Float, v float64, w *big.Float, minus bool) {
			p := number(v)
			p.Mul(p, w)
			if minus {
				p.Neg(p)
			}
			to.Add(to, p)
		}
		for j, z := range x {
			c, d := cos[j*k%n], sin[j*k%n]
			term(r, real(z), c, false)
			term(r, imag(z), d, inverse)
			term(s, real(z), d, !inverse)
			term(s, imag(z), c, false)
		}
		for _, v := range []*big.Float{r, s} {
			v.Mul(v, scale)
			if new(big.Float).Abs(v).Cmp(tiny) < 0 {
				v.SetInt64(0)
			}
		}
		re, im = append(re, r), append(im, s)
	}
	return re, im
}

// rounded is v in a format. The sum's last bits are noise, so that a middle
// between two floats is first made one.
func rounded(v *big.Float, f accum.Format) float64 {
	w := new(big.Float).SetPrec(1200).Set(v)
	if f.Bits == 24 {
		r, _ := w.Float32()
		return float64(r)
	}
	r, _ := w.Float64()
	return r
}

func lines(n int, r *rand.Rand) map[string][]complex128 {
	out := map[string][]complex128{}
	fill := func(name string, f func(j int) complex128) {
		x := make([]complex128, n)
		for j := range x {
			x[j] = f(j)
		}
		out[name] = x
	}
	single := func(v float64) float64 { return float64(float32(v)) }
	fill("normal", func(int) complex128 { return complex(single(r.NormFloat64()), single(r.NormFloat64())) })
	fill("real", func(int) complex128 { return complex(r.NormFloat64(), 0) })
	fill("constant", func(int) complex128 { return 3 })
	fill("whole", func(int) complex128 { return complex(float64(r.IntN(7)-3), 0) })
	fill("range", func(int) complex128 { return complex(math.Ldexp(r.NormFloat64(), r.IntN(240)-120), 0) })
	fill("cancels", func(j int) complex128 { // 1e30 over what is left
		if j%2 == 1 {
			return complex(-1e30, 0)
		}
		return complex(1e30, r.NormFloat64())
	})
	fill("least", func(int) complex128 { return complex(float64(r.IntN(9)-4)*math.SmallestNonzeroFloat64, 0) })
	fill("nothing", func(int) complex128 { return 0 })
	return out
}

func TestExactIsNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 3, 4, 5, 6, 8, 12, 15, 16, 37, 49, 60} {
		for name, x := range lines(n, r) {
			for _, c := range []struct {
				inverse bool
				scale   float64
				exact   *big.Float
			}{
				{false, 1, number(1)},
				{true, 1 / float64(n), new(big.Float).SetPrec(precise).Quo(number(1), number(float64(n)))},
				{false, 1 / math.Sqrt(float64(n)), new(big.Float).SetPrec(precise).Sqrt(new(big.Float).SetPrec(precise).Quo(number(1), number(float64(n))))},
				{true, -0.7, number(-0.7)},
			} {
				re, im := direct(x, c.inverse, c.exact)
				for _, f := range []accum.Format{accum.Float32, accum.Float64} {
					got := make([]complex128, n)
					if !New(n, c.inverse, c.scale, accum.Exact, f).Line(got, x) {
						t.Fatalf("%s of %d is not finite", name, n)
					}
					for k := range got {
						if want := complex(rounded(re[k], f), rounded(im[k], f)); got[k] != want {
							t.Errorf("%s of %d, inverse %t, scale %g, %d bits: bin %d is %g, want %g", name, n, c.inverse, c.scale, f.Bits, k, got[k], want)
						}
					}
				}
			}
		}
	}
}

// Compensated is off by no more than a rounding beside what 2^-100 of the sum of
// magnitudes is.
func TestCompensated(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 7, 32, 45, 67} {
		for name, x := range lines(n, r) {
			re, im := direct(x, false, number(1))
			got := make([]complex128, n)
			New(n, false, 1, accum.Compensated, accum.Float64).Line(got, x)
			size := 0.0
			for _, z := range x {
				size += math.Abs(real(z)) + math.Abs(imag(z))
			}
			for k, z := range got {
				for part, v := range []*big.Float{re[k], im[k]} {
					is := []float64{real(z), imag(z)}[part]
					off, _ := new(big.Float).Sub(number(is), v).Float64()
					if bound := 0x1p-53*math.Abs(is) + math.SmallestNonzeroFloat64 + 0x1p-100*size; math.Abs(off) > bound {
						t.Errorf("%s of %d, bin %d: off by %g, allowed %g", name, n, k, off, bound)
					}
				}
			}
		}
	}
}

// What is exact in one length is the same bits by way of another: a line, each
// number followed by a zero, has the spectrum twice. The lengths take different
// ways, with and without a convolution.
func TestStretched(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{37, 64, 1000, 1021} {
		x, wide := make([]complex128, n), make([]complex128, 2*n)
		for j := range x {
			x[j] = complex(r.NormFloat64(), r.NormFloat64())
			wide[2*j] = x[j]
		}
		once, twice := make([]complex128, n), make([]complex128, 2*n)
		New(n, false, 1, accum.Exact, accum.Float64).Line(once, x)
		New(2*n, false, 1, accum.Exact, accum.Float64).Line(twice, wide)
		for k := range twice {
			if twice[k] != once[k%n] {
				t.Fatalf("length %d: bin %d is %g, want %g", 2*n, k, twice[k], once[k%n])
			}
		}
		back := make([]complex128, n)
		New(n, true, 1/float64(n), accum.Exact, accum.Float64).Line(back, once)
		for j := range x {
			if d := back[j] - x[j]; math.Hypot(real(d), imag(d)) > 1e-14 {
				t.Fatalf("length %d: element %d came back as %g, was %g", n, j, back[j], x[j])
			}
		}
	}
}

func TestNotFinite(t *testing.T) {
	p := New(3, false, 1, accum.Exact, accum.Float64)
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if p.Line(make([]complex128, 3), []complex128{1, complex(0, v), 2}) {
			t.Errorf("%g passes", v)
		}
	}
	const most = math.MaxFloat64
	for _, c := range []struct{ last, want float64 }{{-most, most}, {most, math.Inf(1)}} {
		got := make([]complex128, 3)
		if !p.Line(got, []complex128{most, most, complex(c.last, 0)}) || real(got[0]) != c.want {
			t.Errorf("large numbers: %g, want %g", got, c.want)
		}
	}
}

func BenchmarkExact(b *testing.B) {
	const n = 4096
	r := rand.New(rand.NewPCG(1, 1))
	x, y := make([]complex128, n), make([]complex128, n)
	for j := range x {
		x[j] = complex(r.NormFloat64(), 0)
	}
	p := New(n, false, 1, accum.Exact, accum.Float64)
	for b.Loop() {
		p.Line(y, x)
	}
}
