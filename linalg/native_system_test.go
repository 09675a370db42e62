package linalg

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Solutions of all sizes and their parts: what is left of the right sides is rounding. Triangles
// multiply to the matrix again.
func TestSystems(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 50, 63, 64, 65, 96, 100, 130} {
		for _, k := range []int{0, 1, 2, 3, 7, 40} {
			a, b := make([]float64, n*n), make([]float64, n*k)
			for i := range a {
				a[i] = rng.NormFloat64()
			}
			for i := range b {
				b[i] = rng.NormFloat64()
			}
			var s system64
			s.prepare(n, n+k)
			load(&s, a, n, 0)
			load(&s, b, k, n)
			s.eliminate()
			s.back()
			for j := range k {
				for i := range n {
					rest, size := -b[i*k+j], 0.0
					for c := range n {
						x := s.v[c*s.length+n+j]
						rest += a[i*n+c] * x
						size += math.Abs(a[i*n+c] * x)
					}
					if !(math.Abs(rest) <= 1e-14*float64(n+10)*size) {
						t.Fatalf("%d equations, %d sides: %g is left of %g", n, k, rest, size)
					}
				}
			}
		}
		var s system64
		s.prepare(n, n)
		a := make([]float64, n*n)
		for i := range n {
			for j := range i + 1 {
				a[i*n+j] = rng.NormFloat64()
				if i == j {
					a[i*n+j] = 2 * float64(n)
				}
				s.v[j*s.length+i] = a[i*n+j]
			}
		}
		if place := s.root(); place >= 0 {
			t.Fatalf("%d: pivot %d", n, place)
		}
		for i := range n {
			for j := range i + 1 {
				sum := 0.0
				for k := range j + 1 {
					sum += s.v[k*s.length+i] * s.v[k*s.length+j]
				}
				if !(math.Abs(sum-a[i*n+j]) <= 1e-14*float64(n+10)) {
					t.Fatalf("%d: %g at %d, %d, want %g", n, sum, i, j, a[i*n+j])
				}
			}
		}
	}
}

// Determinants of integers are those of exact elimination.
func TestDeterminants(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 3, 7, 12, 40} {
		exact := make([][]*big.Rat, n)
		var s system64
		s.prepare(n, n)
		for i := range n {
			for j := range n {
				v := rng.Int64N(19) - 9
				s.v[i*s.length+j] = float64(v)
				exact[i] = append(exact[i], big.NewRat(v, 1))
			}
		}
		want := big.NewRat(1, 1)
		for k := range n {
			p := k
			for p < n-1 && exact[p][k].Sign() == 0 {
				p++
			}
			if exact[k], exact[p] = exact[p], exact[k]; p != k {
				want.Neg(want)
			}
			want.Mul(want, exact[k][k])
			for i := k + 1; i < n && exact[k][k].Sign() != 0; i++ {
				by := new(big.Rat).Quo(exact[i][k], exact[k][k])
				for j := k; j < n; j++ {
					exact[i][j].Sub(exact[i][j], new(big.Rat).Mul(by, exact[k][j]))
				}
			}
		}
		s.eliminate()
		got := 1.0
		if s.swaps%2 != 0 {
			got = -1
		}
		for i := range n {
			got *= s.v[i*s.length+i]
		}
		if w, _ := want.Float64(); !(math.Abs(got-w) <= 1e-11*math.Abs(w)) {
			t.Errorf("%d: %g, want %g", n, got, w)
		}
	}
}

// A matrix that overflows, or a right side that does, leaves the others of a batch as they are alone.
func TestSolveBesideOverflow(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	solve := func(a, b *nd.Array) []float64 {
		x, err := Solve(ctx, a, b)
		if err != nil {
			t.Fatal(err)
		}
		return values(t, []*nd.Array{x})[0]
	}
	for _, n := range []int{2, 5, 12, 21} {
		for _, k := range []int{1, 2, 3} {
			a, b := nd.Normal(1, nd.Float64, 3, n, n), nd.Normal(2, nd.Float64, 3, n, k)
			want := solve(a, b)
			huge := nd.Normal(3, nd.Float64, 1, n, n).Sign().MulScalar(0.8e308).Mul(nd.Uniform(5, nd.Float64, 1, n, n).AddScalar(1))
			got := solve(nd.Concat(0, huge, a), nd.Concat(0, nd.Ones(nd.Float64, 1, n, k), b))[n*k:]
			for i, v := range want {
				if got[i] != v {
					t.Fatalf("%d equations, %d sides beside overflow: %g at %d, want %g", n, k, got[i], i, v)
				}
			}
			if k > 1 {
				continue // more sides take other sums
			}
			got = solve(a, nd.Concat(2, b, nd.Normal(4, nd.Float64, 3, n, 1).Sign().MulScalar(math.MaxFloat64)))
			for i, v := range want {
				if got[i*2] != v {
					t.Fatalf("%d equations beside a side that overflows: %g at %d, want %g", n, got[i*2], i, v)
				}
			}
		}
	}
}

// Systems of subnormal numbers have the solutions of those that they are 2^-1035 of: reciprocals
// of their pivots are infinite.
func TestSubnormalSystems(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU's own kernel")
	testdevice.NeedsFloat64(t)
	rng := rand.New(rand.NewPCG(5, 6))
	const small = 0x1p-1035
	for _, n := range []int{1, 2, 5, 33, 100} {
		for _, k := range []int{1, 5} {
			a, b := make([]float64, 2*n*n), make([]float64, 2*n*k)
			tinyA, tinyB := make([]float64, len(a)), make([]float64, len(b))
			for i := range a {
				a[i] = rng.NormFloat64()
				if i%(n*n)%(n+1) == 0 {
					a[i] += 4 * math.Sqrt(float64(n))
				}
				a[i] = math.Round(a[i]*0x1p20) * 0x1p-20
				tinyA[i] = a[i] * small
			}
			for i := range b {
				b[i] = math.Round(rng.NormFloat64()*0x1p20) * 0x1p-20
				tinyB[i] = b[i] * small
			}
			solve := func(a, b []float64) []float64 {
				x, err := Solve(context.Background(), nd.From(a, 2, n, n), nd.From(b, 2, n, k))
				if err != nil {
					t.Fatal(err)
				}
				values, err := nd.Slice[float64](context.Background(), x)
				if err != nil {
					t.Fatal(err)
				}
				return values
			}
			want, got := solve(a, b), solve(tinyA, tinyB)
			for i, v := range got {
				if !(math.Abs(v-want[i]) <= 1e-8) {
					t.Fatalf("%d equations, %d sides: x[%d] = %g, want %g", n, k, i, v, want[i])
				}
			}
		}
	}
}

// What is not finite below the diagonal is found wherever it is; above, nothing is looked at.
func TestCholeskyNotFinite(t *testing.T) {
	testdevice.NeedsFloat64(t)
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 2, 7, 8, 9, 40, 70} {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for range 10 {
				a := make([]float64, n*n)
				for i := range n {
					for j := range n {
						a[i*n+j] = rng.Float64()
					}
					a[i*n+i] += float64(n)
				}
				i, j := rng.IntN(n), rng.IntN(n)
				a[i*n+j] = bad
				_, err := Cholesky(context.Background(), nd.From(a, n, n))
				var e *NotFiniteError
				if j <= i && (!errors.As(err, &e) || e.Row != i || e.Column != j) || j > i && err != nil {
					t.Fatalf("%d: %g at %d, %d: %v", n, bad, i, j, err)
				}
			}
		}
	}
}
