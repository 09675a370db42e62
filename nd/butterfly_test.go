package nd_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// radix2 is the factors of an FFT in time, and the bit reversal before them.
func radix2[C complex64 | complex128](n int) (w []C, reversal []int) {
	for h := 1; h < n; h *= 2 {
		factor := make([]C, 2*n)
		for p := range n / 2 {
			t := C(cmplx.Exp(complex(0, -math.Pi*float64(p%h)/float64(h))))
			factor[p], factor[n/2+p], factor[n+p], factor[3*n/2+p] = 1, t, 1, -t
		}
		w = append(w, factor...)
	}
	for i := range n {
		reversal = append(reversal, int(bits.Reverse(uint(i))>>(bits.UintSize-bits.Len(uint(n-1)))))
	}
	return w, reversal
}

func TestButterflyIsAnFFT(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, n := range []int{2, 8, 64, 1024} {
		w, reversal := radix2[complex128](n)
		x := nd.Complex(nd.Normal(1, nd.Float64, 5, n), nd.Normal(2, nd.Float64, 5, n))
		factors := nd.From(w, bits.Len(uint(n))-1, 2, 2, n/2)
		far := x.Butterfly(factors, nd.Butterfly{From: reversal}).Sub(x.FFT()).Abs().Max()
		if d, err := nd.Item[float64](ctx, far); err != nil || d > 1e-12*float64(n) {
			t.Errorf("n %d: %g away from the FFT, %v", n, d, err)
		}
	}
}

// A learned transform fuses like an FFT: window, butterfly, power is one step.
func TestButterflyIsAStage(t *testing.T) {
	const n = 64
	w, reversal := radix2[complex64](n)
	x := nd.Ones(nd.Complex64, 100, n)
	y := x.MulScalar(2).Butterfly(nd.From(w, 6, 2, 2, n/2), nd.Butterfly{From: reversal}).AbsSquared()
	plan, err := nd.Explain(y)
	if err != nil {
		t.Fatal(err)
	}
	if text := plan.String(); plan.Profile.Launches != 1 || !strings.Contains(text, "butterfly 64, 6 factors") {
		t.Errorf("%d launches:\n%s", plan.Profile.Launches, text)
	}
	got, err := nd.Slice[float32](context.Background(), y)
	if err != nil || math.Abs(float64(got[0])-4*n*n) > 1 || got[1] > 1e-3 {
		t.Errorf("power %v, %v", got[:2], err)
	}
}

// The factors of a single line may themselves be computed in the same plan.
func TestButterflyOfComputedFactors(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	w := nd.Ones(nd.Float64, 3, 2, 2, 4).MulScalar(0.5)
	x := nd.Arange(0.0, 8, 1)
	got, err := nd.Slice[float64](ctx, x.AddScalar(1).Butterfly(w.MulScalar(2)).MulScalar(1))
	if err != nil || got[0] != 36 || got[7] != 36 {
		t.Errorf("%v, %v", got, err)
	}
}

func ExampleArray_Butterfly() {
	hadamard := nd.From([]float64{
		1, 1, 1, 1, 1, 1, -1, -1, // neighbours: sums and differences
		1, 1, 1, 1, 1, 1, -1, -1, // pairs two apart
	}, 2, 2, 2, 2)
	x := nd.From([]float64{1, 2, 3, 4})
	show[float64](x.Butterfly(hadamard))
	fmt.Println(x.Butterfly(hadamard, nd.Butterfly{Spans: []int{2, 1}, From: []int{3, 2, 1, 0}}).Shape())
	// Output:
	// [4] [10 -2 -4 0]
	// [4]
}
