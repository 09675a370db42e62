package linalg_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleCompleteBasis() {
	a := nd.From([]float64{0.6, 0.8}, 2, 1)
	q := linalg.CompleteBasis(a)
	fmt.Println(rounded(q.Slice(nd.All, nd.Range{Stop: 1})), rounded(linalg.Det(q).Abs()))
	// Output: [[0.6] [0.8]] [1]
}

func ExampleOrthogonalInit() {
	w := linalg.OrthogonalInit(1, nd.Float32, 2, 3, 8)
	fmt.Println(rounded(w.MatMul(w.Transpose())))
	// Output: [[4 0 0] [0 4 0] [0 0 4]]
}

func ExampleRandomRotation() {
	fmt.Println(rounded(linalg.Det(linalg.RandomRotation(1, nd.Float64, 5, 5))))
	// Output: [1]
}

func TestOrthonormal(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range floats {
		bar := bars[dt].orthonormal
		for _, s := range [][2]int{{1, 1}, {48, 16}, {70, 70}, {200, 90}} {
			a := normal(1, s[0], s[1])
			x := a.array(dt)
			for what, q := range map[string]*nd.Array{
				"columns": linalg.OrthonormalColumns(x), "rows": linalg.OrthonormalRows(x.Transpose()).Transpose(),
				"blocks": linalg.OrthonormalBlocks(x, 0), "blocks of 7": linalg.OrthonormalBlocks(x, 7),
			} {
				qm := matOf(t, q)
				if e := orthonormality(qm); !(e <= bar) {
					t.Errorf("%s %v, %v: %.2g from orthonormal", what, s, dt, e)
				}
				// q q' leaves a as it is: they span the same.
				if e := qm.mul(qm.t().mul(a)).sub(a).frobenius(); !(e <= 4*bar*a.frobenius()) {
					t.Errorf("%s %v, %v: spans something else, by %.2g", what, s, dt, e)
				}
				equalTo(t, what, qm, matOf(t, linalg.OrthonormalColumns(x)), 1e4*bar)
			}
		}
		q := orthogonal(3, 48, 16)
		full := matOf(t, linalg.CompleteBasis(q.array(dt)))
		if full.n != 48 || !(orthonormality(full) <= bar) {
			t.Errorf("completion, %v: %d columns, %.2g from orthonormal", dt, full.n, orthonormality(full))
		}
		for i := range 48 {
			for j := range 16 {
				if d := math.Abs(*full.at(i, j) - *q.at(i, j)); d > bar {
					t.Fatalf("completion, %v: element %d %d is off by %g", dt, i, j, d)
				}
			}
		}
	}
}

func equalTo(t *testing.T, what string, got, want mat, tol float64) {
	t.Helper()
	if e := got.sub(want).frobenius(); !(e <= tol) {
		t.Errorf("%s: differs by %.2g", what, e)
	}
}

func TestRandomOrthogonal(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, s := range [][]int{{5, 5}, {3, 8}, {8, 3}, {40, 4, 3}, {1, 1}, {64, 64}} {
		w := linalg.OrthogonalInit(3, nd.Float32, 1, s...)
		if !slices.Equal(w.Shape(), s) {
			t.Fatalf("%v: shape %v", s, w.Shape())
		}
		r := linalg.RandomRotation(4, nd.Float32, s[0], w.Len()/s[0])
		for _, a := range []*nd.Array{w.Reshape(s[0], -1), r} {
			m := matOf(t, a)
			if m.m < m.n {
				m = m.t()
			}
			if e := orthonormality(m); !(e <= 2e-6) {
				t.Errorf("%v: %.2g from orthonormal", s, e)
			}
		}
	}
	// Both signs of determinant come up among the matrices they are made from.
	for key := range nd.Key(6) {
		if d := read(t, linalg.Det(linalg.RandomRotation(key, nd.Float64, 4, 4)))[0]; math.Abs(d-1) > 1e-12 {
			t.Errorf("key %d: determinant %g", key, d)
		}
	}
	if got := linalg.OrthogonalInit(1, nd.Float32, 1, 3, 0); got.Err() != nil || got.Len() != 0 {
		t.Errorf("empty: %v", got)
	}
}

func TestOrthoFaults(t *testing.T) {
	testdevice.NeedsFloat64(t)
	var shape *linalg.ShapeError
	for name, a := range map[string]*nd.Array{"columns": linalg.OrthonormalColumns(nd.Zeros(nd.Float32, 2, 3)), "rows": linalg.OrthonormalRows(nd.Zeros(nd.Float32, 3, 2)),
		"complete": linalg.CompleteBasis(nd.Zeros(nd.Float32, 2, 3)), "blocks": linalg.OrthonormalBlocks(nd.Zeros(nd.Float32, 2, 3), 0)} {
		if !errors.As(a.Err(), &shape) {
			t.Errorf("%s: %v", name, a.Err())
		}
	}
	for name, a := range map[string]*nd.Array{"init": linalg.OrthogonalInit(1, nd.Float32, 1, 3), "type": linalg.OrthogonalInit(1, nd.Int32, 1, 3, 3), "rotation": linalg.RandomRotation(1, nd.Float32, 0, 3),
		"block": linalg.OrthonormalBlocks(nd.Zeros(nd.Float32, 3, 2), -1)} {
		if a.Err() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, a := range map[string]*nd.Array{"columns": linalg.OrthonormalColumns(nd.Zeros(nd.Float32, 0, 0)), "complete": linalg.CompleteBasis(nd.Zeros(nd.Float32, 0, 0))} {
		if a.Err() != nil || a.Len() != 0 {
			t.Errorf("%s: %v", name, a)
		}
	}
	if q := matOf(t, linalg.CompleteBasis(nd.Zeros(nd.Float64, 4, 0))); orthonormality(q) > 1e-14 || q.n != 4 {
		t.Error("completion of nothing")
	}
}
