package nd_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// What NumPy 2 prints for the same arrays, with i for j.
func TestFormat(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, c := range []struct {
		name string
		a    *nd.Array
		want string
	}{
		{"integers", nd.Arange(0, 10, 1), "[0 1 2 3 4 5 6 7 8 9]"},
		{"floats", nd.From([]float32{1, 2.5, 0.1, -3}), "[ 1.   2.5  0.1 -3. ]"},
		{"exponents", nd.From([]float64{1e10, 2.5e-5, 1.0 / 3}), "[1.00000000e+10 2.50000000e-05 3.33333333e-01]"},
		{"not finite", nd.From([]float64{math.NaN(), math.Inf(-1), 1.5}), "[ nan -inf  1.5]"},
		{"column", nd.Linspace(0, 3, 3).Reshape(3, 1), "[[0. ]\n [1.5]\n [3. ]]"},
		{"cube", nd.Arange(0, 8, 1).Reshape(2, 2, 2), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"},
		{"long", nd.Arange(0, 2000, 1), "[   0    1    2 ... 1997 1998 1999]"},
		{"long rows", nd.Arange(0, 1600, 1).Reshape(8, 200), "[[   0    1    2 ...  197  198  199]\n [ 200  201  202 ...  397  398  399]\n" +
			" [ 400  401  402 ...  597  598  599]\n ...\n [1000 1001 1002 ... 1197 1198 1199]\n [1200 1201 1202 ... 1397 1398 1399]\n [1400 1401 1402 ... 1597 1598 1599]]"},
		{"wrapped", nd.Linspace(0, 1, 8).Slice(nd.Head(7)), "[0.         0.14285714 0.28571429 0.42857143 0.57142857 0.71428571\n 0.85714286]"},
		{"complex", nd.From([]complex64{1 + 2i, -0.5 - 1.25i}), "[ 1. +2.i   -0.5-1.25i]"},
		{"half", nd.From([]float32{0.1, 0.2, 1}).Cast(nd.Float16), "[0.1 0.2 1. ]"},
		{"bools", nd.From([]bool{true, false}), "[ true false]"},
		{"scalar", nd.Scalar(2.5), "2.5"},
		{"empty", nd.Zeros(nd.Float32, 0, 3), "[]"},
	} {
		got, err := nd.Format(t.Context(), c.a)
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// Printing computes nothing, and shows what is there.
func TestString(t *testing.T) {
	x := nd.From([]int{1, 2, 3})
	y := x.AddScalar(1)
	if got := fmt.Sprint(x, " ", y); got != "[1 2 3] Array(int64 [3], not evaluated)" {
		t.Error(got)
	}
	if err := nd.Eval(t.Context(), y); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(y); got != "[2 3 4]" {
		t.Error(got)
	}
	y.Release()
	if got := fmt.Sprint(y); got != "Array(int64 [3], not evaluated)" {
		t.Error(got)
	}
}
