package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Singular vectors of bidiagonal matrices, easy and hard ones: rows are orthonormal, and turn the matrix into its values,
// none of which is negative.
func TestBidiagonalVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	one := func(int) float64 { return 1 }
	zero := func(int) float64 { return 0 }
	noise := func(int) float64 { return rng.NormFloat64() / 4 }
	kinds := map[string][2]func(i int) float64{
		"noise": {noise, noise}, "zero": {zero, zero}, "ones": {one, one}, "identity": {one, zero}, "negative": {func(int) float64 { return -1 }, zero},
		"shift": {zero, one}, "nothing above": {noise, zero},
		"zeros":    {func(i int) float64 { return float64(i % 3 / 2) }, one},
		"parts":    {noise, func(i int) float64 { return float64(i % 5 / 4) }},
		"graded":   {func(i int) float64 { return math.Exp2(-float64(i)) }, func(i int) float64 { return math.Exp2(-float64(i) - 1) }},
		"upwards":  {func(i int) float64 { return math.Exp2(float64(i - 201)) }, func(i int) float64 { return math.Exp2(float64(i - 201)) }},
		"rounding": {func(i int) float64 { return 1 + 0x1p-52*float64(rng.IntN(4)) }, func(int) float64 { return 0x1p-53 * rng.NormFloat64() }},
		"rounded":  {func(i int) float64 { return 0.7 + 0x1p-53*float64(rng.IntN(8)) }, func(int) float64 { return 0x1p-52 * rng.NormFloat64() }},
		"near":     {func(i int) float64 { return 1 - float64(i%4)*0x1p-50 }, func(int) float64 { return 1e-9 * rng.NormFloat64() }},
		"small":    {func(int) float64 { return 1e-17 * rng.NormFloat64() }, func(i int) float64 { return float64(i%7/6) + 1e-16*rng.NormFloat64() }},
		"tiny":     {func(int) float64 { return 1e-90 * rng.NormFloat64() }, func(int) float64 { return 1e-100 * rng.NormFloat64() }},
		"all sizes": {func(int) float64 { return math.Exp2(-300 * rng.Float64()) },
			func(int) float64 { return math.Exp2(-300 * rng.Float64()) }},
	}
	for name, kind := range kinds {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 65, 100, 201} {
			d, e := make([]float64, n), make([]float64, n)
			for i := range n {
				d[i], e[i] = kind[0](i), kind[1](i)
			}
			e[n-1] = 0
			divides(t, fmt.Sprintf("%s, %d", name, n), d, e)
		}
	}
}

// Values that differ by rounding alone are kept apart or taken together, but never change places.
func TestBidiagonalVectorsOfRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 400 {
		d, e := make([]float64, 33), make([]float64, 33)
		for i := range d {
			d[i], e[i] = 1+0x1p-53*float64(1+trial%4)*rng.NormFloat64(), 0x1p-51*rng.NormFloat64()
		}
		e[len(e)-1] = 0
		divides(t, fmt.Sprintf("trial %d", trial), d, e)
	}
}

// divides checks values and vectors of a bidiagonal matrix.
func divides(t *testing.T, what string, d, e []float64) {
	t.Helper()
	n := len(d)
	b := divided{slices.Clone(d), slices.Clone(e), newPadded(n), newPadded(n), newMergeRoom(n, true)}
	if !b.part(0, n, false) {
		t.Fatalf("%s: no end", what)
	}
	least, most := 0.0, b.d[n-1]
	for i, v := range b.d {
		if !(v >= least) {
			t.Fatalf("%s: value %d is %g, behind %g", what, i, v, least)
		}
		least = v
	}
	product, bound := make([]float64, n), 1e-15*float64(n+10)
	for i := range n {
		u := b.u.row(i)
		for j := range n { // u times the matrix
			product[j] = u[j] * d[j]
			if j > 0 {
				product[j] += u[j-1] * e[j-1]
			}
		}
		for j := range n {
			_, got, _ := rowOps.Products(product, b.v.row(j)[:n])
			_, uu, _ := rowOps.Products(u, b.u.row(j))
			_, vv, _ := rowOps.Products(b.v.row(i), b.v.row(j))
			same := 0.0
			if i == j {
				got, same = got-b.d[i], 1
			}
			if !(math.Abs(got) <= bound*most) || !(math.Abs(uu-same) <= bound) || !(math.Abs(vv-same) <= bound) {
				t.Fatalf("%s: vectors %d and %d: the matrix is off by %g, products are %g and %g", what, i, j, got/most, uu, vv)
			}
		}
	}
}
