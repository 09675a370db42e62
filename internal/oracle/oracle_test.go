package oracle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// precise is how far from exact an oracle value may be, relative to the norm.
const precise = 1e-29

func random(n int, seed uint64) []complex128 {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(rng.Float64()-0.5, rng.Float64()-0.5)
	}
	return x
}

// distance is the relative L2 distance of two sets of values, to 30 digits.
func distance(a, b Values) float64 {
	var difference, norm float64
	for i := range a.v {
		d := a.v[i].sub(b.v[i])
		difference += d.re.float()*d.re.float() + d.im.float()*d.im.float()
		w := b.At(i)
		norm += real(w)*real(w) + imag(w)*imag(w)
	}
	return math.Sqrt(difference / norm)
}

const bigBits = 200

// pi60 is pi to 60 digits (OEIS A000796).
const pi60 = "3.14159265358979323846264338327950288419716939937510582097494"

// bigRoot sums the Taylor series of exp(-2*pi*i*k/n) in big.Float, with no
// reduction of the angle at all.
func bigRoot(k, n int) (re, im *big.Float) {
	newFloat := func() *big.Float { return new(big.Float).SetPrec(bigBits) }
	angle, _ := newFloat().SetString(pi60)
	angle.Mul(angle, newFloat().SetInt64(int64(2*k)))
	angle.Quo(angle, newFloat().SetInt64(int64(n)))
	re, im = newFloat(), newFloat()
	term := newFloat().SetInt64(1)
	for i := range 80 {
		sum := re
		if i%2 == 1 {
			sum = im
		}
		// The powers of -i cycle through 1, -i, -1, i.
		if i%4 == 0 || i%4 == 3 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Mul(term, angle)
		term.Quo(term, newFloat().SetInt64(int64(i+1)))
	}
	return re, im
}

func bigDistance(x dd, y *big.Float) float64 {
	sum := new(big.Float).SetPrec(bigBits).SetFloat64(x.hi)
	sum.Add(sum, new(big.Float).SetFloat64(x.lo))
	d, _ := sum.Sub(sum, y).Float64()
	return math.Abs(d)
}

func TestRootsAgainstBigFloat(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 97, 1000, 4096, 65537} {
		for k := 0; k < n; k += max(1, n/37) {
			re, im := bigRoot(k, n)
			w := root(k, n)
			if d := max(bigDistance(w.re, re), bigDistance(w.im, im)); d > 1e-31 {
				t.Errorf("root(%d, %d) is off by %g", k, n, d)
			}
		}
	}
}

func TestLongTablesOfRoots(t *testing.T) {
	const n = 5000
	for k, w := range roots(n, n) {
		one := root(k, n)
		if d := w.sub(one); math.Hypot(d.re.float(), d.im.float()) > 1e-30 {
			t.Fatalf("roots(%d)[%d] is off by %v", n, k, d)
		}
	}
}

func TestDFTAgainstBigFloat(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8, 13} {
		x := random(n, 1)
		got := DFT(x, false)
		for k := range n {
			re, im := new(big.Float).SetPrec(bigBits), new(big.Float).SetPrec(bigBits)
			product := new(big.Float).SetPrec(bigBits)
			accumulate := func(sum *big.Float, sign, a float64, b *big.Float) {
				product.Mul(new(big.Float).SetFloat64(sign*a), b)
				sum.Add(sum, product)
			}
			for j, v := range x {
				c, s := bigRoot(j*k%n, n)
				accumulate(re, 1, real(v), c)
				accumulate(re, -1, imag(v), s)
				accumulate(im, 1, real(v), s)
				accumulate(im, 1, imag(v), c)
			}
			if d := max(bigDistance(got.v[k].re, re), bigDistance(got.v[k].im, im)); d > precise {
				t.Errorf("DFT of %d, bin %d: off by %g", n, k, d)
			}
		}
	}
}

func TestFFTAgainstDFT(t *testing.T) {
	lengths := []int{120, 125, 127, 128, 134, 169, 256, 262, 360, 512, 521, 600}
	for n := range 100 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		for _, inverse := range []bool{false, true} {
			x := random(n, 2)
			if n == 0 {
				if FFT(x, inverse).Len() != 0 {
					t.Error("FFT of nothing is not empty")
				}
				continue
			}
			if d := distance(FFT(x, inverse), DFT(x, inverse)); !(d < precise) {
				t.Errorf("FFT of %d (inverse %t): off by %g", n, inverse, d)
			}
		}
	}
}

func TestRelativeErrorSeesOneBit(t *testing.T) {
	x := random(64, 3)
	want := FFT(x, false)
	got := Rounded[complex128](want)
	if e := RelativeError(got, want); e == 0 || e > Epsilon64 {
		t.Errorf("rounded result: error %g, want between 0 and %g", e, Epsilon64)
	}
	got[5] += complex(0, 1e-9)
	if e := RelativeError(got, want); e < 1e-11 {
		t.Errorf("disturbed result: error %g", e)
	}
	got[5] = complex(math.NaN(), 0)
	if e := RelativeError(got, want); !math.IsNaN(e) {
		t.Errorf("NaN in the result: error %g", e)
	}
	if e := RelativeError(got[1:], want); !math.IsInf(e, 1) {
		t.Errorf("short result: error %g", e)
	}
}

func TestHalf(t *testing.T) {
	for _, n := range []int{1, 2, 7, 16} {
		z := random(n, 4)
		a, b := make([]complex128, n), make([]complex128, n)
		for i, v := range z {
			a[i], b[i] = complex(real(v), 0), complex(imag(v), 0)
		}
		re, im := FFT(z, false).Half()
		for _, c := range []struct{ got, want Values }{{re, FFT(a, false)}, {im, FFT(b, false)}} {
			if d := distance(c.got, Values{c.want.v[:n/2+1]}); !(d < precise) {
				t.Errorf("n %d: half spectrum off by %g", n, d)
			}
		}
	}
}

func TestReversedIsTheInverse(t *testing.T) {
	for _, n := range []int{1, 2, 9, 12} {
		x := random(n, 6)
		if d := distance(FFT(x, false).Reversed(), DFT(x, true)); !(d < precise) {
			t.Errorf("n %d: off by %g", n, d)
		}
		if e := RelativeError(x, Exact(x)); e != 0 {
			t.Errorf("n %d: x differs from itself by %g", n, e)
		}
	}
}

func BenchmarkFFT1M(b *testing.B) {
	x := random(1<<20, 5)
	for b.Loop() {
		FFT(x, false)
	}
}
