package peer

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestLAPACK(t *testing.T) {
	blas, err := OpenBLAS()
	if errors.Is(err, ErrNotPresent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	l, err := blas.LAPACK()
	if err != nil {
		t.Skip(err) // built without it
	}
	const m, n = 40, 7
	r := rand.New(rand.NewPCG(1, 2))
	a := make([]float32, m*n)
	squares := 0.0
	for i := range a {
		a[i] = float32(r.NormFloat64())
		squares += float64(a[i]) * float64(a[i])
	}
	svd, err := l.SVD(m, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := svd.Decompose(slices.Clone(a)); err != nil {
		t.Fatal(err)
	}
	for _, s := range svd.S {
		squares -= float64(s) * float64(s)
	}
	if math.Abs(squares) > 1e-3 {
		t.Errorf("squares of singular values are off by %g", squares)
	}
	qr, err := l.QR(m, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := qr.Factor(a); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for j := range n {
			dot := 0.0
			for k := range m {
				dot += float64(a[i*m+k]) * float64(a[j*m+k])
			}
			if want := float64(1 - min(1, (i-j)*(i-j))); math.Abs(dot-want) > 1e-5 {
				t.Errorf("columns %d and %d: %g", i, j, dot)
			}
		}
	}
	if _, err := l.QR(3, 4); err == nil {
		t.Error("QR of a wide matrix: no error")
	}
	if _, err := l.SVD(3, 4); err == nil {
		t.Error("SVD of a wide matrix: no error")
	}
	if qr.Factor(a[:3]) == nil || svd.Decompose(a[:3]) == nil {
		t.Error("short slices: no error")
	}
}
