package linalg_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleSVD() {
	a := nd.From([]float64{0, 2, 3, 0}, 2, 2)
	_, s, _, err := linalg.SVD(context.Background(), a)
	fmt.Println(rounded(s), err)
	// Output: [3 2] <nil>
}

func ExampleEigh() {
	w, _, err := linalg.Eigh(context.Background(), nd.From([]float64{2, 1, 1, 2}, 2, 2))
	fmt.Println(rounded(w), err)
	// Output: [1 3] <nil>
}

// orthogonal is random orthonormal columns, by Gram-Schmidt in plain loops.
func orthogonal(seed uint64, m, n int) mat {
	q := normal(seed, m, n).t()
	for k := range n {
		row := q.v[k*m : (k+1)*m]
		for range 2 {
			for j := range k {
				other := q.v[j*m : (j+1)*m]
				c := 0.0
				for i := range row {
					c += row[i] * other[i]
				}
				for i := range row {
					row[i] -= c * other[i]
				}
			}
		}
		f := mat{1, m, row}.frobenius()
		for i := range row {
			row[i] /= f
		}
	}
	return q.t()
}

// scaled multiplies the columns of a by numbers.
func (a mat) scaled(s []float64) mat {
	return a.with(func(a mat, i int) {
		for j := range a.n {
			*a.at(i, j) *= s[j]
		}
	})
}

// composed is a matrix with given singular values.
func composed(seed uint64, m, n int, s []float64) mat {
	k := min(m, n)
	return orthogonal(seed, m, k).scaled(s).mul(orthogonal(seed+1, n, k).t())
}

func fill(n int, f func(i int) float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

// factorTolerance bounds what rotations in float64, some thousands of them,
// leave of orthonormality, and the rounding to float32.
var factorTolerance = map[nd.DType]float64{nd.Float32: 1e-6, nd.Float64: 1e-13}

func TestSVD(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	clustered := fill(30, func(i int) float64 { return []float64{5, 5 * (1 + 1e-7), 1}[i%3] })
	slices.SortFunc(clustered, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	for name, c := range map[string]struct {
		a mat
		s []float64 // nil: not known
	}{
		"1x1":       {mat{1, 1, []float64{-3}}, []float64{3}},
		"2x5":       {normal(1, 2, 5), nil},
		"tall":      {composed(1, 90, 20, fill(20, func(i int) float64 { return 1 / float64(i+1) })), fill(20, func(i int) float64 { return 1 / float64(i+1) })},
		"wide":      {composed(2, 17, 60, fill(17, func(i int) float64 { return 20 - float64(i) })), fill(17, func(i int) float64 { return 20 - float64(i) })},
		"clustered": {composed(3, 30, 30, clustered), clustered},
		"equal":     {orthogonal(4, 33, 33), fill(33, func(int) float64 { return 1 })},
		"rank 3":    {composed(5, 24, 12, fill(12, func(i int) float64 { return []float64{3, 2, 1, 0}[min(i, 3)] })), fill(12, func(i int) float64 { return []float64{3, 2, 1, 0}[min(i, 3)] })},
		"zero":      {newMat(5, 4), make([]float64, 4)},
		"hilbert":   {hilbert(12), nil},
		"kahan":     {kahan(30), nil},
		"diagonal":  {identity(7).scaled([]float64{1, 5, -3, 0, 1e-9, 2, 4}), []float64{5, 4, 3, 2, 1, 1e-9, 0}},
	} {
		for _, dt := range floats {
			x := c.a.array(dt)
			u, s, v, err := linalg.SVD(ctx, x)
			if err != nil {
				t.Fatalf("%s, %v: %v", name, dt, err)
			}
			um, vm, values := matOf(t, u), matOf(t, v), read(t, s)
			tol := factorTolerance[dt]
			if e := max(orthonormality(um), orthonormality(vm)); !(e <= tol) {
				t.Errorf("%s, %v: factors are %.2g from orthonormal", name, dt, e)
			}
			if e := um.scaled(values).mul(vm.t()).sub(c.a).frobenius(); !(e <= tol*c.a.frobenius()) {
				t.Errorf("%s, %v: off by %.2g of %.2g", name, dt, e, c.a.frobenius())
			}
			for i := range c.s {
				if math.Abs(values[i]-c.s[i]) > 40*rounding[dt]*max(c.s[0], 1) {
					t.Errorf("%s, %v: value %d is %.9g, want %.9g", name, dt, i, values[i], c.s[i])
				}
			}
			if !slices.IsSortedFunc(values, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) && name != "equal" {
				t.Errorf("%s, %v: values not in order: %v", name, dt, values)
			}
		}
	}
}

func TestEigh(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for name, w := range map[string][]float64{
		"one":      {-4},
		"zeros":    make([]float64, 5),
		"opposite": {-2, -2, -1, -1, 1, 1, 2, 2},
		"negative": fill(33, func(i int) float64 { return float64(i) - 40 }),
		"spread":   fill(40, func(i int) float64 { return -5 + 0.3*float64(i) }),
	} {
		n := len(w)
		q := orthogonal(uint64(n), n, n)
		a := q.scaled(w).mul(q.t())
		for _, dt := range floats {
			x := a.array(dt)
			half := x.Add(nd.From(fill(n*n, func(i int) float64 {
				if i%n > i/n {
					return 7 // what is above the diagonal does not count
				}
				return 0
			}), n, n).Cast(dt))
			values, vectors, err := linalg.Eigh(ctx, half)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, v := read(t, values), matOf(t, vectors)
			tol := factorTolerance[dt]
			if e := orthonormality(v); !(e <= tol) {
				t.Errorf("%s, %v: vectors are %.2g from orthonormal", name, dt, e)
			}
			if e := a.mul(v).sub(v.scaled(got)).frobenius(); !(e <= tol*a.frobenius()) {
				t.Errorf("%s, %v: off by %.2g", name, dt, e)
			}
			for i := range w {
				if math.Abs(got[i]-w[i]) > 60*rounding[dt]*max(a.spectral(), 1) {
					t.Errorf("%s, %v: value %d is %.9g, want %.9g", name, dt, i, got[i], w[i])
				}
			}
		}
	}
}

func TestSVDEdges(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, s := range [][]int{{0, 0}, {3, 0}, {0, 3}, {0, 2, 3}} {
		u, values, v, err := linalg.SVD(ctx, nd.Zeros(nd.Float32, s...))
		if err != nil || values.Dim(-1) != min(s[len(s)-1], s[len(s)-2]) || u.Dim(-2) != s[len(s)-2] || v.Dim(-2) != s[len(s)-1] {
			t.Errorf("%v: %v %v %v %v", s, u, values, v, err)
		}
	}
	var f *linalg.NotFiniteError
	if _, _, _, err := linalg.SVD(ctx, nd.From([]float32{1, 2, float32(math.Inf(1)), 4}, 2, 2)); !errors.As(err, &f) || f.Row != 1 {
		t.Errorf("infinity: %v", err)
	}
	if _, _, err := linalg.Eigh(ctx, nd.From([]float32{1, 2, 3, float32(math.NaN())}, 2, 2)); !errors.As(err, &f) || f.Column != 1 {
		t.Errorf("NaN: %v", err)
	}
	var shape *linalg.ShapeError
	if _, _, err := linalg.Eigh(ctx, nd.Zeros(nd.Float32, 2, 3)); !errors.As(err, &shape) {
		t.Errorf("not square: %v", err)
	}
	// A batch, with a matrix that converges at once among others.
	a := nd.Concat(0, nd.Zeros(nd.Float64, 1, 6, 6), nd.Normal(3, nd.Float64, 2, 6, 6))
	_, s, _, err := linalg.SVD(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		_, alone, _, err := linalg.SVD(ctx, a.At(i))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, s.At(i), alone)
	}
}
