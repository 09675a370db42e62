package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Ones on and above the diagonal have the values 2 cos(k pi/(2n+1)).
func TestBidiagonalOfOnes(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 10, 33, 100, 300} {
		for _, sign := range []float64{1, -1} {
			d, e := make([]float64, n), make([]float64, n)
			for i := range n {
				d[i], e[i] = 0.5, sign*0.5
			}
			e[n-1] = 0
			if !bidiagonalValues(d, e) {
				t.Fatalf("%d: no end", n)
			}
			slices.Sort(d)
			for i, v := range d {
				want := math.Cos(float64(n-i) * math.Pi / float64(2*n+1))
				if !(math.Abs(v-want) <= 1e-14*math.Sqrt(float64(n))*want) {
					t.Errorf("%d: value %d is %g, want %g", n, i, v, want)
				}
			}
		}
	}
}

// The product of values is that of the diagonal to all digits, so no small value has lost any, and the sum of
// squares is that of all elements: also of elements of all sizes, of zeros, and where what is above is larger.
func TestBidiagonalOfAllSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 2000 {
		n := 1 + rng.IntN(60)
		d, e := make([]float64, n), make([]float64, n)
		most, want, squares := 0.0, 0.0, 0.0
		for i := range n {
			power := [...]float64{0, 3, 1, 60}[trial%4] * rng.Float64()
			switch trial / 4 % 3 {
			case 1:
				power = float64(i) * 2
			case 2:
				power = float64(n-i) * 2
			}
			d[i] = rng.NormFloat64() * math.Exp2(-power)
			e[i] = rng.NormFloat64() * math.Exp2(-[...]float64{0, 3, 30}[trial%3]*rng.Float64())
			most = max(most, math.Abs(d[i]), math.Abs(e[i]))
		}
		e[n-1] = 0
		for i := range n {
			d[i], e[i] = d[i]/most, e[i]/most
			want += math.Log(math.Abs(d[i]))
			squares += d[i]*d[i] + e[i]*e[i]
		}
		zero := trial%25 == 24
		if zero {
			d[rng.IntN(n)] = 0
		}
		if !bidiagonalValues(d, e) {
			t.Fatalf("trial %d: no end", trial)
		}
		log, sum := 0.0, 0.0
		for _, v := range d {
			log += math.Log(v)
			sum += v * v
		}
		if want < -250 {
			continue // the least value may be nothing beside the largest, however sizes are scaled
		}
		if zero {
			if least := slices.Min(d); !(least <= 1e-15) {
				t.Errorf("trial %d: the least value is %g, want 0", trial, least)
			}
			continue
		}
		if !(math.Abs(log-want) <= 1e-14*float64(n)*(1+math.Abs(want))) || !(math.Abs(sum-squares) <= 1e-14*float64(n)*squares) {
			t.Errorf("trial %d: the logarithm of the product is %g, want %g; the sum of squares %g, want %g", trial, log, want, sum, squares)
		}
	}
}

// Each value is between those just below and just above it that Sturm's sequence counts, also where an element above
// the diagonal is nothing beside a neighbour that others make small.
func TestBidiagonalSmallValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 1000 {
		n := 3 + rng.IntN(40)
		d, e := make([]float64, n), make([]float64, n)
		for i := range n {
			d[i], e[i] = math.Exp2(-50*rng.Float64()), math.Exp2(-50*rng.Float64())
		}
		if trial == 0 {
			copy(d, []float64{1e-10, 1, 1e-10})
			copy(e, []float64{1, 1e-15, 1})
		}
		e[n-1] = 0
		found := slices.Clone(d)
		if !bidiagonalValues(found, slices.Clone(e)) {
			t.Fatalf("trial %d: no end", trial)
		}
		slices.Sort(found)
		for i, v := range found {
			const near = 1e-13
			if low, high := valuesBelow(d, e, v*(1-near)), valuesBelow(d, e, v*(1+near)); low > i || high <= i {
				t.Fatalf("trial %d: value %d of %d is %g, which has %d to %d below it", trial, i, n, v, low, high)
			}
		}
	}
}

// valuesBelow counts singular values below x > 0: negative pivots of the matrix of Golub and Kahan, zeros beside whose
// diagonal are d and e in turns, less x.
func valuesBelow(d, e []float64, x float64) int {
	pivot, count := -x, 1
	for i := range 2*len(d) - 1 {
		beside := d[i/2]
		if i%2 == 1 {
			beside = e[i/2]
		}
		if pivot = -x - beside/pivot*beside; math.Abs(pivot) < 0x1p-900 {
			pivot = -0x1p-900
		}
		if pivot < 0 {
			count++
		}
	}
	return count - len(d)
}

// Values without vectors are those with them, for matrices that are bidiagonalised.
func TestBidiagonalValues(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU's own kernel")
	testdevice.NeedsFloat64(t)
	for _, n := range []int{1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 33, 64, 65, 100, 193, 200} {
		a := nd.Normal(4, nd.Float64, 2, n, n)
		q := OrthonormalColumns(a)
		hilbert := nd.Arange(1.0, float64(n)+1, 1).Reshape(1, n, 1).Add(nd.Arange(0.0, float64(n), 1).Reshape(1, 1, n)).PowScalar(-1)
		for name, x := range map[string]*nd.Array{
			"random": a, "orthogonal": q, "identity": nd.Eye(nd.Float64, n).Reshape(1, n, n), "hilbert": hilbert,
			"rank one": columns(a, 0, 1).MatMul(rows(a, 0, 1)), "huge": a.MulScalar(1e99), "tiny": a.MulScalar(1e-99),
			"triangle": keep(a, onOrBelow), "zeros": a.MulScalar(0),
		} {
			c := newCalculation("values", nil)
			_, s, _ := c.svdSquare(x, true)
			_, alone, _ := c.svdSquare(x, false)
			all := values(t, []*nd.Array{s, alone})
			for i, v := range all[0] {
				if most := all[0][i/n*n]; !(math.Abs(v-all[1][i]) <= 2e-15*float64(n+5)*most) {
					t.Errorf("%s of %d: value %d is %g, and %g by itself", name, n, i, v, all[1][i])
				}
			}
		}
	}
}
