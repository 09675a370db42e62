package nd_test

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// The first element of a real line's spectrum is real, and so is the last of an
// even line: their angles are 0 or pi, and not -pi.
func TestRealBinsAreNotBelowZero(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, n := range []int{1, 2, 3, 4, 8, 10, 15, 17, 24, 64, 96, 100, 256, 1000, 1009, 1024, 4096, 40000, 65536} {
		x := nd.Normal(nd.Key(n), nd.Float32, 5, n)
		checkRealBins(t, n, nd.Float32, x)
		checkRealBins(t, n, nd.Float64, x.Cast(nd.Float64))
	}
}

func checkRealBins(t *testing.T, n int, kind nd.DType, x *nd.Array) {
	t.Helper()
	bins, err := nd.Slice[complex128](context.Background(), x.RFFT().Cast(nd.Complex128))
	if err != nil {
		t.Fatal(err)
	}
	for i, z := range bins {
		k := i % (n/2 + 1)
		if (k == 0 || 2*k == n) && math.Float64bits(imag(z)) != 0 {
			t.Errorf("%s of %d: element %d of line %d has imaginary part %g", kind, n, k, i/(n/2+1), imag(z))
		}
	}
}
