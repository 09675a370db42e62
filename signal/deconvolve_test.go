package signal_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestDeconvolve(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	for label, a := range map[string][]float64{"": {2, 1, 0.5}, " unstable": {1, 3, 2}, " gain": {4}} {
		q, r := signal.Deconvolve(waves(12), a)
		check(t, "deconvolve"+label, q, 1e-12)
		_, rest := want(t, "deconvolve remainder"+label)
		got, err := elements(r)
		if err != nil {
			t.Fatal(err)
		}
		// Remainders are small beside what the signal is made of.
		scale := 1.0
		if label == " unstable" {
			scale = 2048
		}
		compare(t, "remainder"+label, append(got, complex(scale, 0)), append(rest, complex(scale, 0)), 1e-14)
	}
	// Of a convolution, batched and complex, it is what was convolved.
	x := swirls(2, 3, 20)
	k := []float64{1, -0.5, 0.25, 0.125}
	q, r := signal.Deconvolve(signal.TF{B: k}.Apply(x.PadAxis(-1, nd.Margin{After: 3}, nd.Pad{})), k)
	got, err := elements(q)
	if err != nil {
		t.Fatal(err)
	}
	original, _ := elements(x)
	compare(t, "quotient", got, original, 1e-13)
	rest, _ := elements(r)
	compare(t, "remainder", append(rest, 1), append(make([]complex128, len(rest)), 1), 1e-13)
	checkGradient(t, "deconvolve", func(x *nd.Array) *nd.Array {
		q, r := signal.Deconvolve(x, k)
		return q.Mul(q).Sum().Add(r.Mul(r).Sum())
	}, waves(2, 20), 1e-6)
	for _, bad := range [][]float64{nil, {0, 1}, {math.NaN()}, make([]float64, 13)} {
		if q, r := signal.Deconvolve(waves(12), bad); q.Err() == nil || r.Err() == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}
