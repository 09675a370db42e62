package linalg_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleSolve_exact() {
	// A Hilbert matrix of this size has a condition of 1e13: elimination by itself
	// keeps three digits.
	n := nd.Arange[int64](0, 10, 1).Cast(nd.Float64)
	a := nd.Ones(nd.Float64, 10, 10).Div(n.Reshape(10, 1).Add(n.Reshape(1, 10)).AddScalar(1))
	x, err := linalg.Solve(context.Background(), a, a.At(0), linalg.SolveOptions{Accumulation: nd.Exact})
	fmt.Println(rounded(x), err) // the first column of a, so the first unit vector
	// Output: [1 0 0 0 0 0 0 0 0 0] <nil>
}

// rationalSolve is elimination in fractions.
func rationalSolve(a, b mat) mat {
	n := a.m
	rows := make([][]*big.Rat, n)
	for i := range n {
		for j := range n {
			rows[i] = append(rows[i], new(big.Rat).SetFloat64(*a.at(i, j)))
		}
		rows[i] = append(rows[i], new(big.Rat).SetFloat64(b.v[i]))
	}
	for k := range n {
		p := k
		for rows[p][k].Sign() == 0 {
			p++
		}
		rows[k], rows[p] = rows[p], rows[k]
		for i := range n {
			if i == k {
				continue
			}
			f := new(big.Rat).Quo(rows[i][k], rows[k][k])
			for j := k; j <= n; j++ {
				rows[i][j] = new(big.Rat).Sub(rows[i][j], new(big.Rat).Mul(f, rows[k][j]))
			}
		}
	}
	x := newMat(n, 1)
	for i := range n {
		x.v[i], _ = new(big.Rat).Quo(rows[i][n], rows[i][i]).Float64()
	}
	return x
}

// With exact remainders a solution has all of its digits, where elimination has
// lost most of them.
func TestSolveExactly(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	double := func(a, b mat) mat {
		x, err := linalg.Solve(ctx, a.array(nd.Float64), b.array(nd.Float64), linalg.SolveOptions{Accumulation: nd.Exact})
		if err != nil {
			t.Fatal(err)
		}
		return matOf(t, x)
	}
	for _, c := range []struct {
		a    mat
		dt   nd.DType
		want func(a, b mat) mat
	}{
		{hilbert(10), nd.Float64, rationalSolve},
		{composed(4, 160, 160, fill(160, func(i int) float64 { return math.Pow(10, -float64(i)/26) })), nd.Float32, double},
	} {
		a, b := c.a, normal(3, c.a.m, 1)
		am, bm := a.array(c.dt), b.array(c.dt) // which round a and b to what they hold
		want := c.want(a, b)
		size := want.frobenius()
		off := map[nd.Accumulation]float64{}
		for _, mode := range []nd.Accumulation{nd.Pairwise, nd.Fast, nd.Compensated, nd.Exact} {
			x, err := linalg.Solve(ctx, am, bm, linalg.SolveOptions{Accumulation: mode})
			if err != nil {
				t.Fatal(err)
			}
			off[mode] = matOf(t, x).sub(want).frobenius() / size / rounding[c.dt]
		}
		// The CPU eliminates float32 in float64.
		lost := c.dt == nd.Float64 && off[nd.Pairwise] < 100
		if off[nd.Exact] > 1 || off[nd.Compensated] > 1 || lost || off[nd.Fast] != off[nd.Pairwise] {
			t.Errorf("%v: errors in roundings are %v", c.dt, off)
		}
	}
	if _, err := linalg.Solve(ctx, nd.Eye(nd.Float32, 2), nd.Ones(nd.Float32, 2), linalg.SolveOptions{Accumulation: 9}); err == nil {
		t.Error("no error for a mode that there is not")
	}
	// Batches, several right sides, complex numbers.
	a, b := nd.Complex(nd.Normal(1, nd.Float64, 3, 6, 6), nd.Normal(2, nd.Float64, 3, 6, 6)), nd.Complex(nd.Normal(3, nd.Float64, 3, 6, 2), nd.Normal(4, nd.Float64, 3, 6, 2))
	x, err := linalg.Solve(ctx, a, b, linalg.SolveOptions{Accumulation: nd.Exact})
	if err != nil {
		t.Fatal(err)
	}
	if e := read(t, a.MatMul(x).Sub(b).Abs().Max())[0]; !(e < 1e-13) || math.IsNaN(e) {
		t.Errorf("complex: the rest is %g", e)
	}
}

func TestComplexBases(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range complexTypes {
		tall, wide := complexNormal(1, dt, 7, 3), complexNormal(2, dt, 3, 7)
		within(t, "columns", orthonormality(cmatOf(t, linalg.OrthonormalColumns(tall))), 20*spacing(dt))
		within(t, "rows", orthonormality(cmatOf(t, linalg.OrthonormalRows(wide)).t()), 20*spacing(dt))
		within(t, "blocks", orthonormality(cmatOf(t, linalg.OrthonormalBlocks(tall, 2))), 20*spacing(dt))
		basis := linalg.CompleteBasis(tall)
		within(t, "basis", orthonormality(cmatOf(t, basis)), 20*spacing(dt))
		first := cmatOf(t, basis.Slice(nd.All, nd.Range{Stop: 3}))
		within(t, "its beginning", first.sub(cmatOf(t, linalg.OrthonormalColumns(tall))).frobenius(), 40*spacing(dt))
		// Rows span the same space: taking them out of it leaves nothing.
		r, w := cmatOf(t, linalg.OrthonormalRows(wide)), cmatOf(t, wide)
		within(t, "span", w.sub(w.mul(r.t()).mul(r)).frobenius(), 40*spacing(dt)*w.frobenius())
	}
}
