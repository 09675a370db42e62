package linalg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleQR() {
	a := nd.From([]float64{3, 1, 4, 2}, 2, 2)
	q, r := linalg.QR(a, linalg.QROptions{NonNegative: true})
	fmt.Println(rounded(q), rounded(r))
	// Output: [[0.6 -0.8] [0.8 0.6]] [[5 2.2] [0 0.4]]
}

// bars of QR, from the errors that float32 arithmetic can keep; for float64
// they scale with its rounding, with room for products without vectors, which
// add up in longer runs.
var bars = map[nd.DType]struct{ orthonormal, residual float64 }{
	nd.Float32: {2e-6, 5e-7},
	nd.Float64: {8e-15, 2e-15},
}

func qrCases() map[string]mat {
	cases := map[string]mat{
		"hilbert":     hilbert(12),
		"kahan":       kahan(60),
		"zero":        newMat(20, 7),
		"zero 1x1":    newMat(1, 1),
		"zero column": normal(1, 50, 40).with(func(a mat, i int) { *a.at(i, 0), *a.at(i, 7), *a.at(i, 39) = 0, 0, 0 }),
		"repeated":    normal(2, 90, 70).with(func(a mat, i int) { *a.at(i, 5), *a.at(i, 40), *a.at(i, 69) = *a.at(i, 4), *a.at(i, 3), *a.at(i, 0) }),
		"all the same": normal(3, 33, 33).with(func(a mat, i int) {
			for j := range 33 {
				*a.at(i, j) = *a.at(i, 0)
			}
		}),
		"far scales": normal(4, 64, 40).with(func(a mat, i int) {
			for j := range 40 {
				*a.at(i, j) *= math.Ldexp(1, 3*j-60)
			}
		}),
		"nearly dependent": normal(5, 80, 34).with(func(a mat, i int) { *a.at(i, 33) = *a.at(i, 1) + 1e-6**a.at(i, 33) }),
		"large numbers":    normal(6, 40, 20).with(func(a mat, i int) { *a.at(i, 3) *= 1e30; *a.at(i, 4) *= 1e-30 }),
		"identity":         identity(65),
		"half twice":       normal(10, 350, 70).with(func(a mat, i int) { copy(a.v[i*70+35:(i+1)*70], a.v[i*70:]) }),
		"half nearly twice": normal(11, 350, 70).with(func(a mat, i int) {
			for j := range 35 {
				*a.at(i, 35+j) = *a.at(i, j) + 3e-7**a.at(i, 35+j)
			}
		}),
		"decaying": composed(12, 350, 70, fill(70, func(i int) float64 { return math.Exp(-0.3 * float64(i)) })),
	}
	for _, s := range [][2]int{{1, 1}, {2, 1}, {1, 5}, {3, 3}, {5, 2}, {31, 31}, {32, 32}, {33, 33}, {64, 64}, {65, 64}, {100, 7}, {7, 100}, {200, 97}, {97, 200}, {257, 129}, {600, 3}, {700, 70}} {
		cases[fmt.Sprintf("%dx%d", s[0], s[1])] = normal(7, s[0], s[1])
	}
	return cases
}

func checkQR(t *testing.T, a mat, dt nd.DType, o linalg.QROptions) {
	t.Helper()
	x := a.array(dt)
	qa, ra := linalg.QR(x, o)
	q, r := matOf(t, qa), matOf(t, ra)
	k := min(a.m, a.n)
	if q.m != a.m || q.n != k || r.m != k || r.n != a.n {
		t.Fatalf("%v: q is %dx%d, r is %dx%d", o.Method, q.m, q.n, r.m, r.n)
	}
	bar := bars[dt]
	if e := orthonormality(q); !(e <= bar.orthonormal) {
		t.Errorf("%v %v: Q'Q - I is %.2g", dt, o.Method, e)
	}
	if e, norm := q.mul(r).sub(a).frobenius(), a.frobenius(); !(e <= bar.residual*norm) {
		t.Errorf("%v %v: A - QR is %.2g of A", dt, o.Method, e/norm)
	}
	for i := range r.m {
		for j := range min(i, r.n) {
			if *r.at(i, j) != 0 {
				t.Fatalf("%v %v: R[%d,%d] = %g", dt, o.Method, i, j, *r.at(i, j))
			}
		}
		if d := *r.at(i, i); o.NonNegative && (d < 0 || math.Signbit(d) && d != 0) {
			t.Errorf("%v %v: R[%d,%d] = %g", dt, o.Method, i, i, d)
		}
	}
}

func TestQR(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for name, a := range qrCases() {
		t.Run(name, func(t *testing.T) {
			for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
				for _, method := range []linalg.Method{linalg.Auto, linalg.GramSchmidt, linalg.Householder, linalg.Blocks} {
					if method == linalg.Blocks && dt != nd.Float32 {
						continue
					}
					checkQR(t, a, dt, linalg.QROptions{Method: method, NonNegative: method != linalg.Auto})
				}
			}
		})
	}
}

func TestQRLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: works on large arrays")
	}
	checkQR(t, normal(8, 2048, 512), nd.Float32, linalg.QROptions{})
	checkQR(t, normal(9, 300, 700), nd.Float32, linalg.QROptions{})
}

// A batch gives what its matrices give alone, bit by bit.
func TestQRBatch(t *testing.T) {
	testdevice.NeedsFloat64(t)
	a := nd.Normal(1, nd.Float32, 2, 3, 40, 20)
	for _, method := range []linalg.Method{linalg.GramSchmidt, linalg.Householder, linalg.Blocks} {
		q, r := linalg.QR(a, linalg.QROptions{Method: method})
		for i := range 2 {
			for j := range 3 {
				q1, r1 := linalg.QR(a.At(i, j), linalg.QROptions{Method: method})
				equal(t, q.At(i, j), q1)
				equal(t, r.At(i, j), r1)
			}
		}
	}
}

func TestQREmpty(t *testing.T) {
	for _, s := range [][]int{{0, 0}, {0, 4}, {4, 0}, {0, 3, 2}, {2, 0, 3}} {
		q, r := linalg.QR(nd.Zeros(nd.Float32, s...))
		k := min(s[len(s)-1], s[len(s)-2])
		if q.Err() != nil || r.Err() != nil || q.Dim(-1) != k || r.Dim(-2) != k || q.Dim(-2) != s[len(s)-2] || r.Dim(-1) != s[len(s)-1] {
			t.Errorf("%v: %v, %v", s, q, r)
		}
	}
}

// One matrix that is not finite spoils itself and no other.
func TestQRNaN(t *testing.T) {
	testdevice.NeedsFloat64(t)
	a := matrices3(normal(1, 9, 5), normal(2, 9, 5))
	a.v[3] = math.NaN()
	for _, method := range []linalg.Method{linalg.GramSchmidt, linalg.Householder, linalg.Blocks} {
		q, _ := linalg.QR(a.array(nd.Float32).Reshape(2, 9, 5), linalg.QROptions{Method: method})
		if got := matOf(t, q.At(0)); !math.IsNaN(got.frobenius()) {
			t.Errorf("%v: no NaN", method)
		}
		if e := orthonormality(matOf(t, q.At(1))); !(e < 1e-6) {
			t.Errorf("%v: the other matrix: %g", method, e)
		}
	}
}
