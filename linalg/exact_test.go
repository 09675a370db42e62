package linalg_test

import (
	"context"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// The diagonal of a complex Cholesky factor is real to the last bit.
func TestComplexCholeskyDiagonal(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, n := range []int{1, 5, 16, 40} {
		a := nd.Complex(nd.Normal(nd.Key(n), nd.Float64, n, n), nd.Normal(nd.Key(n+1), nd.Float64, n, n))
		a = a.MatMul(a.Conj().Transpose()).Add(nd.Eye(nd.Float64, n).Cast(nd.Complex128))
		l, err := linalg.Cholesky(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		v, err := nd.Slice[complex128](ctx, l)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if imag(v[i*n+i]) != 0 {
				t.Errorf("%d: element (%d, %d) is %g", n, i, i, v[i*n+i])
			}
		}
	}
}

func TestToeplitzMulShapes(t *testing.T) {
	err := linalg.ToeplitzMul(nd.Ones(nd.Float64, 2, 4), nd.Ones(nd.Float64, 2, 4), nd.Ones(nd.Float64, 3, 4)).Err()
	if err == nil || !strings.Contains(err.Error(), "linalg: toeplitz_mul: x") || !strings.Contains(err.Error(), "[3 4]") || !strings.Contains(err.Error(), "exact_test.go") {
		t.Error(err)
	}
}
