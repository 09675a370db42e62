package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestReduceLevels(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		testReduce(t, &For(simd.Portable).F32, &table.F32)
		testReduce(t, &For(simd.Portable).F64, &table.F64)
	})
}

func testReduce[T Float](t *testing.T, want, got *Real[T]) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range append(lengths(), Block-1, Block, Block+1, 3*Block+77, 20000) {
		for trial := range 3 {
			all := values[T](rng, n+3)
			if trial > 0 { // numbers whose sums do not end in NaN
				for i := range all {
					all[i] = T(rng.NormFloat64())
				}
			}
			x := all[trial : trial+n] // the elements around it must not count
			for _, c := range []struct {
				name string
				a, b T
			}{
				{"sum", want.Sum(x), got.Sum(x)},
				{"largest", want.Largest(x), got.Largest(x)},
				{"least", want.Least(x), got.Least(x)},
				{"dot", want.Dot(x, all[:n]), got.Dot(x, all[:n])},
				{"dot, as a sum", sumOfProducts(want, x, all), got.Dot(x, all[:n])},
			} {
				if !same(c.a, c.b) {
					t.Fatalf("%s of %d: got %v, want %v", c.name, n, c.b, c.a)
				}
			}
		}
	}
}

func sumOfProducts[T Float](r *Real[T], x, y []T) T {
	products := make([]T, len(x))
	r.Mul.VV(products, x, y, false)
	return r.Sum(products)
}

func TestReduceValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, l := range simd.Available() {
		r := For(l).F32
		for _, n := range []int{0, 1, 2, 100, 5000, 100000} {
			x := make([]float32, n)
			exact := new(big.Float).SetPrec(300)
			size := 0.0
			for i := range x {
				x[i] = float32(rng.NormFloat64())
				exact.Add(exact, new(big.Float).SetFloat64(float64(x[i])))
				size += math.Abs(float64(x[i]))
			}
			sum, _ := exact.Float64()
			// A chain of at most 64 + 6 additions, then the tree.
			if d := math.Abs(float64(r.Sum(x)) - sum); d > 0x1p-24*75*size {
				t.Errorf("%v: sum of %d off by %g", l, n, d)
			}
		}
		zeros := []float64{0, math.Copysign(0, -1), 0}
		if m := For(l).F64.Least(zeros); !math.Signbit(m) {
			t.Errorf("%v: least zero is +0", l)
		}
		if m := For(l).F64.Largest(zeros[1:]); math.Signbit(m) {
			t.Errorf("%v: largest zero is -0", l)
		}
		if m := For(l).F64.Largest(nil); !math.IsInf(m, -1) {
			t.Errorf("%v: largest of nothing is %v", l, m)
		}
		if m := For(l).F64.Least(nil); !math.IsInf(m, 1) {
			t.Errorf("%v: least of nothing is %v", l, m)
		}
	}
}

// A sum may be split where the tree splits it.
func TestSumSplits(t *testing.T) {
	x := make([]float64, 7*Block+5)
	for i := range x {
		x[i] = math.Sin(float64(i)) * float64(i)
	}
	for _, l := range simd.Available() {
		sum := For(l).F64.Sum
		if a, b := sum(x), sum(x[:4*Block])+sum(x[4*Block:]); a != b {
			t.Errorf("%v: %v whole, %v in parts", l, a, b)
		}
	}
}
