package linalg_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// must ends the test at an error, else it is the array.
func must(t *testing.T) func(*nd.Array, error) *nd.Array {
	return func(a *nd.Array, err error) *nd.Array {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

// weighted makes losses of arrays: sums of all elements times random numbers, of complex ones
// the real part.
func weighted(key nd.Key) func(*nd.Array) *nd.Array {
	return func(a *nd.Array) *nd.Array {
		w := nd.Normal(key, nd.Float64, a.Shape()...)
		if a.DType().IsComplex() {
			return a.Mul(nd.Complex(w, nd.Normal(key+1, nd.Float64, a.Shape()...))).Real().Sum()
		}
		return a.Mul(w).Sum()
	}
}
