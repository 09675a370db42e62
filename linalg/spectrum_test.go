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

func ExampleTopSVD() {
	a := nd.Ones(nd.Float32, 100, 4).Add(nd.Eye(nd.Float32, 100).Slice(nd.All, nd.Range{Stop: 4}))
	top, err := linalg.TopSVD(context.Background(), a, 1)
	fmt.Println(rounded(top.S), err)
	// Output: [20.224] <nil>
}

func ExampleLeastSquares() {
	// A line through (0, 1), (1, 3), (2, 5).
	a := nd.From([]float64{1, 0, 1, 1, 1, 2}, 3, 2)
	x, err := linalg.LeastSquares(context.Background(), a, nd.From([]float64{1, 3, 5}))
	fmt.Println(rounded(x), err)
	// Output: [1 2] <nil>
}

func ExampleNorm() {
	size, err := linalg.Norm(context.Background(), nd.From([]float64{1, -2, 3, -4}, 2, 2), linalg.One)
	fmt.Println(rounded(size), err)
	// Output: [6] <nil>
}

func ExampleRank() {
	r, err := linalg.Rank(context.Background(), nd.From([]float64{1, 2, 2, 4}, 2, 2))
	fmt.Println(rounded(r), err)
	// Output: [1] <nil>
}

func TestTopSVD(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	decay := func(rate float64) func(int) float64 { return func(i int) float64 { return math.Pow(rate, float64(i)) } }
	cluster := func(i int) float64 {
		return []float64{4, 4, 4 * (1 + 1e-6), 3, 3, 3, 2, 2}[min(i, 7)] * math.Pow(0.7, float64(max(0, i-7)))
	}
	for name, c := range map[string]struct {
		m, n, k int
		s       func(int) float64
		opt     linalg.TopSVDOptions
	}{
		"decaying":        {300, 80, 12, decay(0.8), linalg.TopSVDOptions{}},
		"wide":            {70, 200, 10, decay(0.8), linalg.TopSVDOptions{}},
		"clustered":       {120, 60, 8, cluster, linalg.TopSVDOptions{}},
		"tolerance":       {100, 50, 5, decay(0.95), linalg.TopSVDOptions{Tolerance: 1e-6}},
		"power":           {100, 50, 5, decay(0.9), linalg.TopSVDOptions{Power: 3}},
		"no oversample":   {64, 64, 6, decay(0.6), linalg.TopSVDOptions{Oversample: -1, Iterations: 20}},
		"whole":           {30, 7, 7, decay(0.9), linalg.TopSVDOptions{}},
		"one":             {1, 1, 1, decay(1), linalg.TopSVDOptions{}},
		"bands":           {300, 80, 12, decay(0.8), linalg.TopSVDOptions{Band: 8, Streams: 2}},
		"many directions": {200, 90, 50, decay(0.9), linalg.TopSVDOptions{}},
	} {
		s := fill(min(c.m, c.n), c.s)
		sorted := slices.Clone(s)
		slices.SortFunc(sorted, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
		a := composed(9, c.m, c.n, sorted)
		for _, dt := range floats {
			top, err := linalg.TopSVD(ctx, a.array(dt), c.k, c.opt)
			if err != nil {
				t.Errorf("%s, %v: %v", name, dt, err)
				continue
			}
			for i, v := range read(t, top.S) {
				if math.Abs(v-sorted[i]) > 1e-5*sorted[i] {
					t.Errorf("%s, %v: value %d is %.7g, want %.7g", name, dt, i, v, sorted[i])
				}
			}
			u, v := matOf(t, top.U), matOf(t, top.V)
			if e := max(orthonormality(u), orthonormality(v)); !(e <= 2e-6) {
				t.Errorf("%s, %v: vectors are %.2g from orthonormal", name, dt, e)
			}
			if e := a.mul(v).sub(u.scaled(read(t, top.S))).frobenius(); !(e <= 1e-5*a.frobenius()) {
				t.Errorf("%s, %v: a v is %.2g from u s", name, dt, e)
			}
			if c.opt.Tolerance > 0 && (!(top.Change <= c.opt.Tolerance) || top.Iterations < 2) {
				t.Errorf("%s, %v: %d iterations, change %g", name, dt, top.Iterations, top.Change)
			}
		}
	}
}

// Where it starts from the answer it is done at once, and bands and streams
// change nothing but who does the work.
func TestTopSVDStart(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	a := composed(1, 90, 60, fill(60, func(i int) float64 { return math.Pow(0.9, float64(i)) })).array(nd.Float64)
	cold, err := linalg.TopSVD(ctx, a, 4, linalg.TopSVDOptions{Tolerance: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	warm, err := linalg.TopSVD(ctx, a, 4, linalg.TopSVDOptions{Tolerance: 1e-9, Start: cold.V})
	if err != nil || warm.Iterations*2 > cold.Iterations {
		t.Errorf("cold %d iterations, warm %d, %v", cold.Iterations, warm.Iterations, err)
	}
	var slow *linalg.ConvergenceError
	if _, err := linalg.TopSVD(ctx, a, 4, linalg.TopSVDOptions{Tolerance: 1e-14, Iterations: 3}); !errors.As(err, &slow) || slow.Iterations != 3 || !(slow.Reached > 0) {
		t.Errorf("three iterations: %v", err)
	}
	if _, err := linalg.TopSVD(ctx, a, 4, linalg.TopSVDOptions{Tolerance: 1e-14, Iterations: 1}); !errors.As(err, &slow) {
		t.Errorf("one iteration: %v", err)
	}
	one, err := linalg.TopSVD(ctx, a, 4, linalg.TopSVDOptions{Band: 5})
	if err != nil {
		t.Fatal(err)
	}
	three, err := linalg.TopSVD(ctx, a, 4, linalg.TopSVDOptions{Band: 5, Streams: 3})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, three.S, one.S)
	equal(t, three.V, one.V)
}

func TestTopSVDFaults(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	low := composed(1, 20, 10, fill(10, func(i int) float64 { return []float64{3, 2, 1, 0}[min(i, 3)] }))
	var r *linalg.RankError
	if _, err := linalg.TopSVD(ctx, low.array(nd.Float64), 5); !errors.As(err, &r) || r.Rank != 3 || r.Want != 5 {
		t.Errorf("k above the rank: %v", err)
	}
	if _, err := linalg.TopSVD(ctx, low.array(nd.Float64), 11); !errors.As(err, &r) {
		t.Errorf("k above the size: %v", err)
	}
	if top, err := linalg.TopSVD(ctx, nd.Zeros(nd.Float32, 0, 4, 3), 2); err != nil || !slices.Equal(top.S.Shape(), []int{0, 2}) {
		t.Errorf("no matrices: %+v, %v", top, err)
	}
	a := nd.Ones(nd.Float32, 3, 3)
	for name, c := range map[string]struct {
		k int
		o linalg.TopSVDOptions
	}{"k": {0, linalg.TopSVDOptions{}}, "iterations": {1, linalg.TopSVDOptions{Iterations: -1}}, "tolerance": {1, linalg.TopSVDOptions{Tolerance: math.NaN()}},
		"start": {1, linalg.TopSVDOptions{Start: nd.Zeros(nd.Float32, 4, 1)}}, "start type": {1, linalg.TopSVDOptions{Start: nd.Zeros(nd.Float64, 3, 1)}}} {
		if _, err := linalg.TopSVD(ctx, a, c.k, c.o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	var f *linalg.NotFiniteError
	for _, o := range []linalg.TopSVDOptions{{}, {Tolerance: 1e-3}} {
		if _, err := linalg.TopSVD(ctx, a.DivScalar(0), 1, o); !errors.As(err, &f) {
			t.Errorf("infinite: %v", err)
		}
	}
}

func TestMeasures(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	s := []float64{5, 3, 1e-3}
	a := composed(2, 6, 3, s)
	x := a.array(nd.Float64)
	column, row := 0.0, 0.0
	for j := range 3 {
		c := 0.0
		for i := range 6 {
			c += math.Abs(*a.at(i, j))
		}
		column = max(column, c)
	}
	for i := range 6 {
		r := 0.0
		for j := range 3 {
			r += math.Abs(*a.at(i, j))
		}
		row = max(row, r)
	}
	most := slices.Max(fill(18, func(i int) float64 { return math.Abs(a.v[i]) }))
	for kind, want := range map[linalg.NormKind]float64{linalg.Frobenius: a.frobenius(), linalg.One: column, linalg.Inf: row,
		linalg.Max: most, linalg.Spectral: 5, linalg.Nuclear: 8.001} {
		got, err := linalg.Norm(ctx, x, kind)
		if err != nil || math.Abs(read(t, got)[0]-want) > 1e-13*want {
			t.Errorf("norm %d: %v, %v, want %g", kind, got, err, want)
		}
	}
	huge, err := linalg.Norm(ctx, nd.From([]float32{3e30, 4e30}, 1, 2), linalg.Frobenius)
	if err != nil || math.Abs(read(t, huge)[0]/5e30-1) > 1e-6 {
		t.Errorf("large numbers: %v", read(t, huge))
	}
	if cond, err := linalg.Cond(ctx, x); err != nil || math.Abs(read(t, cond)[0]/5000-1) > 1e-10 {
		t.Errorf("cond: %v", err)
	}
	if cond, err := linalg.Cond(ctx, nd.Zeros(nd.Float64, 2, 2).Add(nd.From([]float64{1, 0, 0, 0}, 2, 2))); err != nil || !math.IsInf(read(t, cond)[0], 1) {
		t.Errorf("cond of a singular matrix: %v", err)
	}
	for want, m := range map[int]mat{0: newMat(4, 3), 1: newMat(3, 3).with(func(a mat, i int) { *a.at(i, 0), *a.at(i, 2) = 1, 2 }), 3: a} {
		for _, dt := range floats {
			if r, err := linalg.Rank(ctx, m.array(dt)); err != nil || read(t, r)[0] != float64(want) {
				t.Errorf("rank %v, want %d", r, want)
			}
		}
	}
	// The four conditions of a pseudo-inverse, for a matrix of rank 2.
	low := composed(5, 5, 4, []float64{2, 1, 0, 0})
	p, err := linalg.Pinv(ctx, low.array(nd.Float64))
	if err != nil {
		t.Fatal(err)
	}
	pm := matOf(t, p)
	lp, pl := low.mul(pm), pm.mul(low)
	for i, e := range []float64{lp.mul(low).sub(low).frobenius(), pl.mul(pm).sub(pm).frobenius(), lp.t().sub(lp).frobenius(), pl.t().sub(pl).frobenius()} {
		if !(e < 1e-13) {
			t.Errorf("pinv: condition %d is off by %.2g", i+1, e)
		}
	}
	for _, e := range []*nd.Array{nd.Zeros(nd.Float32, 0, 0), nd.Zeros(nd.Float32, 3, 0)} {
		n, err1 := linalg.Norm(ctx, e, linalg.Nuclear)
		r, err2 := linalg.Rank(ctx, e)
		c, err3 := linalg.Cond(ctx, e)
		p, err4 := linalg.Pinv(ctx, e)
		if err := errors.Join(err1, err2, err3, err4); err != nil || read(t, n)[0] != 0 || read(t, r)[0] != 0 || read(t, c)[0] != 0 || p.Len() != 0 {
			t.Errorf("empty: %v", err)
		}
	}
}

func TestLeastSquares(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, s := range [][2]int{{1, 1}, {40, 7}, {7, 40}, {60, 60}, {90, 50}} {
		for _, dt := range floats {
			a, b := normal(1, s[0], s[1]), normal(2, s[0], 2)
			x, err := linalg.LeastSquares(ctx, a.array(dt), b.array(dt))
			if err != nil {
				t.Fatal(s, err)
			}
			short, err := linalg.LeastSquares(ctx, a.array(dt), b.array(dt), linalg.LeastSquaresOptions{MinNorm: true})
			if err != nil {
				t.Fatal(s, err)
			}
			xm := matOf(t, x)
			rest := a.mul(xm).sub(b)
			tol := 100 * rounding[dt] * a.frobenius()
			// The rest is orthogonal to the columns, and both ways agree.
			if e := a.t().mul(rest).frobenius(); !(e <= tol*(b.frobenius()+xm.frobenius()*a.frobenius())) {
				t.Errorf("%v, %v: the rest is not orthogonal: %.2g", s, dt, e)
			}
			if e := matOf(t, short).sub(xm).frobenius(); s[0] != s[1] && !(e <= 20*tol*xm.frobenius()) {
				t.Errorf("%v, %v: not the shortest: %.2g", s, dt, e)
			}
		}
	}
	low := composed(5, 9, 4, []float64{2, 1, 0, 0})
	var r *linalg.RankError
	if _, err := linalg.LeastSquares(ctx, low.array(nd.Float64), nd.Ones(nd.Float64, 9)); !errors.As(err, &r) || r.Rank != 2 || r.Want != 4 {
		t.Errorf("rank 2: %v", err)
	}
	if x, err := linalg.LeastSquares(ctx, low.array(nd.Float64), nd.Ones(nd.Float64, 9), linalg.LeastSquaresOptions{MinNorm: true}); err != nil || x.Len() != 4 {
		t.Errorf("rank 2, shortest: %v", err)
	}
	if x, err := linalg.LeastSquares(ctx, nd.Zeros(nd.Float32, 0, 3), nd.Zeros(nd.Float32, 0)); err != nil || x.Len() != 3 {
		t.Errorf("no rows: %v, %v", x, err)
	}
}
