package linalg_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleSolve() {
	a := nd.From([]float64{2, 1, 1, 3}, 2, 2)
	x, err := linalg.Solve(context.Background(), a, nd.From([]float64{3, 5}))
	fmt.Println(rounded(x), err)
	// Output: [0.8 1.4] <nil>
}

func ExampleCholesky() {
	_, err := linalg.Cholesky(context.Background(), nd.From([]float64{1, 2, 2, 1}, 2, 2))
	var not *linalg.NotPositiveDefiniteError
	fmt.Println(errors.As(err, &not), not.Pivot)
	// Output: true 1
}

func ExampleDet() {
	fmt.Println(rounded(linalg.Det(nd.From([]float64{0, 2, 3, 1}, 2, 2))))
	// Output: [-6]
}

// positive is a symmetric positive definite matrix.
func positive(seed uint64, n int) mat {
	b := normal(seed, n, n+5)
	a := b.mul(b.t())
	for i := range n {
		*a.at(i, i) += 1
	}
	return a
}

// rounding is how exact results of a type can be.
var rounding = map[nd.DType]float64{nd.Float32: 6e-8, nd.Float64: 1.1e-16}

// floats is in this order because an array rounds the matrix it is made from.
var floats = []nd.DType{nd.Float64, nd.Float32}

func TestSolvers(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, n := range []int{1, 2, 3, 15, 16, 17, 32, 33, 64, 65, 100, 150} {
		for _, dt := range floats {
			b := normal(2, n, 3)
			ba := b.array(dt)
			// Backward error: a x - b beside |a| |x|.
			check := func(what string, a mat, x *nd.Array, err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%s of %d, %v: %v", what, n, dt, err)
				}
				xm := matOf(t, x)
				if e := a.mul(xm).sub(b).frobenius() / (a.frobenius() * xm.frobenius()); !(e <= 6*rounding[dt]) {
					t.Errorf("%s of %d, %v: backward error %.2g", what, n, dt, e)
				}
			}
			a := normal(1, n, n)
			x, err := linalg.Solve(ctx, a.array(dt), ba)
			check("solve", a, x, err)
			p := positive(3, n)
			pa := p.array(dt)
			l, err := linalg.Cholesky(ctx, pa)
			if err != nil {
				t.Fatal(err)
			}
			lm := matOf(t, l)
			if e := lm.mul(lm.t()).sub(p).frobenius() / p.frobenius(); !(e <= 4*rounding[dt]) {
				t.Errorf("cholesky of %d, %v: %.2g", n, dt, e)
			}
			x, err = linalg.CholeskySolve(ctx, l, ba)
			check("cholesky solve", p, x, err)
			for _, o := range []linalg.TriangularSolveOptions{{}, {Upper: true}, {Transposed: true}, {Upper: true, Transposed: true}, {Unit: true}} {
				tri := normal(4, n, n)
				for i := range n {
					for j := range n {
						if i == j {
							*tri.at(i, i) += math.Copysign(3, *tri.at(i, i))
						} else {
							*tri.at(i, j) /= float64(n)
						}
					}
				}
				full := tri.array(dt)
				for i := range n { // what counts of it
					for j := range n {
						switch {
						case i == j && o.Unit:
							*tri.at(i, j) = 1
						case o.Upper && i > j || !o.Upper && i < j:
							*tri.at(i, j) = 0
						}
					}
				}
				if o.Transposed {
					tri = tri.t()
				}
				x, err := linalg.TriangularSolve(ctx, full, ba, o)
				check(fmt.Sprintf("triangular solve %+v", o), tri, x, err)
			}
		}
	}
}

func TestInverse(t *testing.T) {
	testdevice.NeedsFloat64(t)
	a := normal(5, 70, 70)
	inv, err := linalg.Inverse(context.Background(), a.array(nd.Float64))
	if err != nil {
		t.Fatal(err)
	}
	if e := a.mul(matOf(t, inv)).sub(identity(70)).frobenius(); !(e < 1e-11) {
		t.Errorf("a times its inverse is %.2g from I", e)
	}
}

// det by fractions of big integers, exactly.
func exactDet(a mat) float64 {
	n := a.n
	w := make([]*big.Rat, n*n)
	for i, v := range a.v {
		w[i] = new(big.Rat).SetFloat64(v)
	}
	det := big.NewRat(1, 1)
	for k := range n {
		row := -1
		for i := k; i < n; i++ {
			if w[i*n+k].Sign() != 0 {
				row = i
				break
			}
		}
		if row < 0 {
			return 0
		}
		if row != k {
			det.Neg(det)
			for j := range n {
				w[row*n+j], w[k*n+j] = w[k*n+j], w[row*n+j]
			}
		}
		det.Mul(det, w[k*n+k])
		for i := k + 1; i < n; i++ {
			f := new(big.Rat).Quo(w[i*n+k], w[k*n+k])
			for j := k; j < n; j++ {
				w[i*n+j] = new(big.Rat).Sub(w[i*n+j], new(big.Rat).Mul(f, w[k*n+j]))
			}
		}
	}
	f, _ := det.Float64()
	return f
}

func TestDet(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, n := range []int{1, 2, 3, 8, 20} {
		a := normal(uint64(n), n, n)
		x := a.array(nd.Float64)
		want := exactDet(a)
		if got := read(t, linalg.Det(x))[0]; math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("n %d: det %g, want %g", n, got, want)
		}
		sign, log := linalg.LogDet(x)
		if got := read(t, sign)[0] * math.Exp(read(t, log)[0]); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("n %d: log det %g, want %g", n, got, want)
		}
	}
	singular := nd.From([]float64{1, 2, 2, 4}, 2, 2)
	if got := read(t, linalg.Det(singular))[0]; got != 0 {
		t.Errorf("singular: %g", got)
	}
	if sign, log := linalg.LogDet(singular); read(t, sign)[0] != 0 || !math.IsInf(read(t, log)[0], -1) {
		t.Errorf("singular: sign %v, log %v", read(t, sign), read(t, log))
	}
	if got := read(t, linalg.Det(nd.Zeros(nd.Float32, 2, 0, 0))); !slices.Equal(got, []float64{1, 1}) {
		t.Errorf("empty: %v", got)
	}
}

// Right sides broadcast over batches, and vectors stay vectors.
func TestSolveShapes(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	a := nd.Normal(1, nd.Float64, 2, 3, 5, 5)
	for _, c := range []struct{ b, want []int }{
		{[]int{5}, []int{2, 3, 5}}, {[]int{2, 3, 5}, []int{2, 3, 5}}, {[]int{5, 2}, []int{2, 3, 5, 2}},
		{[]int{2, 3, 5, 4}, []int{2, 3, 5, 4}}, {[]int{1, 3, 5, 4}, []int{2, 3, 5, 4}}, {[]int{2, 3, 5, 0}, []int{2, 3, 5, 0}},
	} {
		b := nd.Normal(2, nd.Float64, c.b...)
		x, err := linalg.Solve(ctx, a, b)
		if err != nil || !slices.Equal(x.Shape(), c.want) {
			t.Errorf("b %v: %v, %v", c.b, x, err)
			continue
		}
		vector := len(c.b) == 1 || len(c.b) == 3
		if vector {
			x = x.ExpandDims(-1)
			b = b.ExpandDims(-1)
		}
		for _, v := range read(t, a.MatMul(x).Sub(b)) {
			if math.Abs(v) > 1e-11 {
				t.Fatalf("b %v: off by %g", c.b, v)
			}
		}
	}
}

func TestSolveFaults(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	good := normal(1, 2, 2)
	batch := matrices3(good, mat{2, 2, []float64{1, 2, 2, 4}})
	singular := nd.From(batch.v, 2, 2, 2)
	b := nd.Ones(nd.Float64, 2)
	var s *linalg.SingularError
	if _, err := linalg.Solve(ctx, singular, b); !errors.As(err, &s) || s.Pivot != 1 || !slices.Equal(s.Matrix, []int{1}) {
		t.Errorf("singular: %v", err)
	}
	if _, err := linalg.Inverse(ctx, singular); !errors.As(err, &s) {
		t.Errorf("singular inverse: %v", err)
	}
	if _, err := linalg.TriangularSolve(ctx, nd.From([]float64{1, 9, 5, 0}, 2, 2), b); !errors.As(err, &s) || s.Pivot != 1 {
		t.Errorf("singular triangle: %v", err)
	}
	var p *linalg.NotPositiveDefiniteError
	far := positive(2, 70)
	*far.at(50, 50) = -1
	if _, err := linalg.Cholesky(ctx, far.array(nd.Float32)); !errors.As(err, &p) || p.Pivot != 50 || len(p.Matrix) != 0 {
		t.Errorf("not positive definite: %v", err)
	}
	if _, err := linalg.Cholesky(ctx, nd.Zeros(nd.Float32, 1, 1)); !errors.As(err, &p) || p.Pivot != 0 {
		t.Errorf("zero: %v", err)
	}
	var f *linalg.NotFiniteError
	nan := nd.From([]float64{1, 2, math.NaN(), 4}, 2, 2)
	if _, err := linalg.Solve(ctx, nan, b); !errors.As(err, &f) || f.Name != "a" || f.Row != 1 || f.Column != 0 {
		t.Errorf("NaN: %v", err)
	}
	if _, err := linalg.Cholesky(ctx, nan); !errors.As(err, &f) {
		t.Errorf("NaN: %v", err)
	}
	if _, err := linalg.Cholesky(ctx, nan.Transpose()); err == nil || errors.As(err, &f) {
		t.Errorf("a NaN in the half that does not count: %v", err)
	}
	if _, err := linalg.Solve(ctx, good.array(nd.Float64), nd.From([]float64{1, math.Inf(1)})); !errors.As(err, &f) || f.Name != "b" || f.Row != 1 {
		t.Errorf("infinity: %v", err)
	}
	var shape *linalg.ShapeError
	for name, err := range map[string]error{
		"not square": second(linalg.Solve(ctx, nd.Zeros(nd.Float32, 2, 3), nd.Zeros(nd.Float32, 2))), "rows": second(linalg.Solve(ctx, singular, nd.Ones(nd.Float64, 3))),
		"batch": second(linalg.Solve(ctx, singular, nd.Ones(nd.Float64, 3, 2, 1))), "vector": second(linalg.Cholesky(ctx, b)), "det": linalg.Det(nd.Zeros(nd.Float32, 2, 3)).Err(),
	} {
		if !errors.As(err, &shape) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"nil": second(linalg.Solve(ctx, nil, b)), "nil b": second(linalg.Solve(ctx, singular, nil)), "dtype": second(linalg.Solve(ctx, singular, nd.Ones(nd.Float32, 2))),
		"int": second(linalg.Cholesky(ctx, nd.Zeros(nd.Int32, 2, 2))), "sticky": second(linalg.Inverse(ctx, singular.Reshape(7))),
	} {
		var op *nd.OpError
		if !errors.As(err, &op) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, n := range []int{0, 1} {
		e := nd.Ones(nd.Float32, n, n)
		if x, err := linalg.Solve(ctx, e, nd.Ones(nd.Float32, n)); err != nil || x.Len() != n {
			t.Errorf("%d by %d: %v, %v", n, n, x, err)
		}
		if x, err := linalg.Inverse(ctx, e); err != nil || x.Len() != n {
			t.Errorf("%d by %d: %v, %v", n, n, x, err)
		}
		if x, err := linalg.Cholesky(ctx, e); err != nil || x.Len() != n {
			t.Errorf("%d by %d: %v, %v", n, n, x, err)
		}
	}
}

func second(_ *nd.Array, err error) error { return err }
