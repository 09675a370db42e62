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

func ExampleToeplitz() {
	fmt.Println(rounded(linalg.Toeplitz(nd.From([]float64{1, 2, 3}), nd.From([]float64{1, 8, 9}))))
	// Output: [[1 8 9] [2 1 8] [3 2 1]]
}

func ExampleHankel() {
	fmt.Println(rounded(linalg.Hankel(nd.From([]float64{1, 2, 3}), nd.From([]float64{3, 8, 9}))))
	// Output: [[1 2 3] [2 3 8] [3 8 9]]
}

func ExampleCirculant() {
	fmt.Println(rounded(linalg.Circulant(nd.From([]float64{1, 2, 3}))))
	// Output: [[1 3 2] [2 1 3] [3 2 1]]
}

func ExampleVandermonde() {
	fmt.Println(rounded(linalg.Vandermonde(nd.From([]float64{2, 3}), 4, false)))
	// Output: [[1 2 4 8] [1 3 9 27]]
}

func ExampleCirculantSolve() {
	c := nd.From([]float64{2, 1, 0, 0})
	x, err := linalg.CirculantSolve(context.Background(), c, linalg.CirculantMul(c, nd.From([]float64{1, 2, 3, 4})))
	fmt.Println(rounded(x), err)
	_, err = linalg.CirculantSolve(context.Background(), nd.From([]float64{1, 1, 1, 1}), c)
	var singular *linalg.SingularError
	fmt.Println(errors.As(err, &singular), singular.Pivot)
	// Output:
	// [1 2 3 4] <nil>
	// true 1
}

func ExampleLevinson() {
	// The correlation of x[t] = 0.5 x[t-1] + noise.
	p := linalg.Levinson(nd.From([]float64{4, 2, 1}), 2)
	fmt.Println(rounded(p.A), rounded(p.Reflection), rounded(p.Power))
	// Output: [1 -0.5 0] [-0.5 0] [3]
}

// Products by FFT are those of the dense matrices, of every type and shape.
func TestStructuredProducts(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, dt := range []nd.DType{nd.Float32, nd.Float64, nd.Complex64, nd.Complex128} {
		tol := 2e-6 // of the largest element
		if dt == nd.Float64 || dt == nd.Complex128 {
			tol = 4e-15
		}
		draw := func(key nd.Key, shape ...int) *nd.Array {
			switch dt {
			case nd.Complex64:
				return nd.Complex(nd.Normal(key, nd.Float32, shape...), nd.Normal(key.Fold(1), nd.Float32, shape...))
			case nd.Complex128:
				return nd.Complex(nd.Normal(key, nd.Float64, shape...), nd.Normal(key.Fold(1), nd.Float64, shape...))
			}
			return nd.Normal(key, dt, shape...)
		}
		near := func(what string, got, dense, x *nd.Array) {
			t.Helper()
			want := dense.MatMul(x.ExpandDims(-1)).Squeeze(-1)
			if !slices.Equal(got.Shape(), want.Shape()) {
				t.Errorf("%s: shape %v, want %v (%v)", what, got.Shape(), want.Shape(), got.Err())
				return
			}
			off, err := nd.Item[float64](ctx, got.Sub(want).Abs().Max().Div(want.Abs().Max()).Cast(nd.Float64))
			if err != nil || !(off <= tol) {
				t.Errorf("%s, %v: off by %g, %v", what, dt, off, err)
			}
		}
		for _, s := range [][2]int{{1, 1}, {1, 4}, {5, 1}, {7, 7}, {9, 4}, {4, 9}, {64, 64}} {
			m, n := s[0], s[1]
			c, r, x := draw(1, 2, m), draw(2, 2, n), draw(3, 2, n)
			near(fmt.Sprint("toeplitz ", s), linalg.ToeplitzMul(c, r, x), linalg.Toeplitz(c, r), x)
			near(fmt.Sprint("hankel ", s), linalg.HankelMul(c, r, x), linalg.Hankel(c, r), x)
			near(fmt.Sprint("circulant ", s), linalg.CirculantMul(r, x), linalg.Circulant(r), x)
			near(fmt.Sprint("hermitian ", s), linalg.ToeplitzMul(r, nil, x), linalg.Toeplitz(r, nil), x)
			near(fmt.Sprint("anti-triangle ", s), linalg.HankelMul(r, nil, x), linalg.Hankel(r, nil), x)
		}
		b := draw(5, 3, 33)
		c := draw(6, 33)
		x, err := linalg.CirculantSolve(ctx, c, b)
		if err != nil {
			t.Fatal(err)
		}
		if off, err := nd.Item[float64](ctx, linalg.CirculantMul(c, x).Sub(b).Abs().Cast(nd.Float64).Max()); err != nil || off > 200*tol {
			t.Errorf("circulant solve, %v: off by %g, %v", dt, off, err)
		}
	}
	f := linalg.DFT(nd.Complex128, 12)
	x := nd.Complex(nd.Normal(1, nd.Float64, 12), nd.Normal(2, nd.Float64, 12))
	if off, err := nd.Item[float64](ctx, f.MatMul(x).Sub(x.FFT()).Abs().Max()); err != nil || off > 1e-13 {
		t.Errorf("dft: off by %g, %v", off, err)
	}
}

func TestToeplitzSolve(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, n := range []int{1, 2, 3, 31, 32, 33, 100, 1100} {
		// Positive definite, and one that is not symmetric.
		c := fill(n, func(i int) float64 { return math.Pow(0.8, float64(i)) + 0.2*math.Cos(float64(i)) })
		r := fill(n, func(i int) float64 { return c[i] * (1 - 0.3*float64(min(i, 1))) })
		for name, row := range map[string]*nd.Array{"symmetric": nil, "general": nd.From(r)} {
			for _, dt := range floats {
				col := nd.From(c).Cast(dt)
				if row != nil {
					row = row.Cast(dt)
				}
				b := nd.Normal(3, dt, 2, n)
				x, err := linalg.ToeplitzSolve(ctx, col, row, b)
				if err != nil {
					t.Fatalf("%s %d: %v", name, n, err)
				}
				off := read(t, linalg.ToeplitzMul(col, row, x).Sub(b).Norm().Div(x.Norm()))[0]
				if tol := 40 * rounding[dt]; !(off <= tol) {
					t.Errorf("%s %d, %v: off by %.2g", name, n, dt, off)
				}
			}
		}
	}
	var s *linalg.SingularError
	for want, c := range map[int][]float64{0: {0, 1, 0}, 1: {1, 1, 0}} {
		if _, err := linalg.ToeplitzSolve(ctx, nd.From(c), nil, nd.Ones(nd.Float64, 3)); !errors.As(err, &s) || s.Pivot != want {
			t.Errorf("leading matrix %d is singular: %v", want, err)
		}
	}
}

// The predictor is the solution of the normal equations.
func TestLevinson(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	const order = 12
	x := nd.Normal(4, nd.Float64, 3, 400)
	var lags []*nd.Array
	for k := range order + 1 {
		lags = append(lags, x.SliceAxis(1, nd.Range{Start: k, Stop: nd.End}).Mul(x.SliceAxis(1, nd.Range{Stop: 400 - k})).Sum(1))
	}
	r := nd.Stack(1, lags...)
	p := linalg.Levinson(r, order)
	a, err := linalg.ToeplitzSolve(ctx, r.SliceAxis(1, nd.Range{Stop: order}), nil, r.SliceAxis(1, nd.Range{Start: 1, Stop: nd.End}).Neg())
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range read(t, p.A.SliceAxis(1, nd.Range{Start: 1, Stop: nd.End}).Sub(a)) {
		if math.Abs(v) > 1e-12 {
			t.Fatalf("coefficient %d is off by %g", i, v)
		}
	}
	want := read(t, p.A.Mul(r).Sum(1))
	for i, v := range read(t, p.Power) {
		if math.Abs(v-want[i]) > 1e-10*want[i] {
			t.Errorf("power %g, want %g", v, want[i])
		}
	}
	for _, v := range read(t, linalg.Levinson(nd.Zeros(nd.Float32, 5), 4).A)[1:] {
		if v != 0 {
			t.Errorf("silence: %g", v)
		}
	}
}

func TestStructuredFaults(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	v := nd.Ones(nd.Float32, 4)
	for name, err := range map[string]error{
		"nil": linalg.Circulant(nil).Err(), "empty": linalg.Toeplitz(nd.Zeros(nd.Float32, 0), v).Err(), "scalar": linalg.Circulant(nd.Scalar[float32](1)).Err(),
		"int": linalg.Circulant(nd.Ones(nd.Int32, 3)).Err(), "types": linalg.Toeplitz(v, nd.Ones(nd.Float64, 4)).Err(), "lengths": linalg.CirculantMul(v, nd.Ones(nd.Float32, 5)).Err(),
		"row": linalg.ToeplitzMul(v, v, nd.Ones(nd.Float32, 5)).Err(), "hankel": linalg.HankelMul(v, v, nd.Ones(nd.Float32, 5)).Err(), "lead": linalg.Toeplitz(nd.Ones(nd.Float32, 2, 4), nd.Ones(nd.Float32, 3, 4)).Err(),
		"columns": linalg.Vandermonde(v, 0, false).Err(), "dft": linalg.DFT(nd.Float32, 4).Err(), "order": linalg.Levinson(v, 4).A.Err(), "complex": linalg.Levinson(nd.Ones(nd.Complex64, 4), 2).A.Err(),
		"solve": second(linalg.ToeplitzSolve(ctx, v, nil, nd.Ones(nd.Float32, 5))), "complex solve": second(linalg.ToeplitzSolve(ctx, nd.Ones(nd.Complex64, 2), nil, nd.Ones(nd.Complex64, 2))),
		"circulant": second(linalg.CirculantSolve(ctx, v, nd.Ones(nd.Float32, 3))), "NaN": second(linalg.CirculantSolve(ctx, v.DivScalar(0), v)),
	} {
		var op *nd.OpError
		if !errors.As(err, &op) || op.Package != "linalg" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
