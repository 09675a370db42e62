package signal_test

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// What storage as halves costs a convolution and a spectrum: docs/PRECISION.md has
// these numbers. Fast convolutions are in halves on a GPU only. The bars of halves are units
// of rounding: of the samples, and of the result. Those of float32 are errors of transforms.
func TestErrorsOfHalves(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	const b, c, l = 2, 4, 4096
	x, k := nd.Normal(nd.Key(1), nd.Float64, b, c, l), nd.Normal(nd.Key(2), nd.Float64, c, l)
	off := func(got, want *nd.Array) float64 {
		t.Helper()
		e, err := nd.Item[float64](ctx, got.Sub(want).AbsSquared().Sum().Div(want.AbsSquared().Sum()).Sqrt())
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	conv, spectrum := signal.Conv{}.Apply(x, k), x.RFFT()
	bins := k.Cast(nd.Float32).RFFT(nd.FFT{N: 2 * l})
	if err := nd.Eval(ctx, bins); err != nil { // few lines that transform their filter themselves are float32
		t.Fatal(err)
	}
	for stored, bar := range map[nd.DType][2]float64{
		nd.Float32: {convolutionError(l), transformError(l)}, nd.Float16: {4e-4, 4e-4}, nd.BFloat16: {3e-3, 3e-3},
	} {
		s := x.Cast(stored)
		if err := nd.Eval(ctx, s); err != nil { // a convolution that reads float64 is not fast
			t.Fatal(err)
		}
		ofConv := off(signal.Conv{}.Apply(s, k.Cast(nd.Float32)).Cast(nd.Float64), conv)
		ofSpectrum := off(s.RFFT().Cast(nd.Complex128), spectrum)
		fast := signal.Conv{Accumulation: nd.Fast}.Apply(s, bins)
		if err := nd.Eval(ctx, fast); err != nil { // fused with what compares it, it would be float32
			t.Fatal(err)
		}
		ofFast := off(fast.Cast(nd.Float64), conv)
		t.Logf("%s: convolution %.3g, fast %.3g, spectrum %.3g", stored, ofConv, ofFast, ofSpectrum)
		if !(ofConv <= bar[0]) || !(ofSpectrum <= bar[1]) {
			t.Errorf("%s: convolution %.3g, spectrum %.3g, want at most %.2g and %.2g", stored, ofConv, ofSpectrum, bar[0], bar[1])
		}
		if stored.IsHalf() {
			bar[0] += 1.3e-3 // what computing in halves may add
		}
		if !(ofFast <= bar[0]) {
			t.Errorf("%s: fast convolution %.3g, want at most %.2g", stored, ofFast, bar[0])
		}
	}
}

const (
	// rounding is the error of a number that is rounded to float32, the root mean square over
	// all mantissas.
	rounding = 2.53e-8
	// A level of a transform adds a turned number to another one and takes it away. Over the
	// square of a rounding, the squares of its errors are at most these: 0.75 and 1 for the
	// two fused sums, and 1 for the difference, which is made of the sum; and half of what
	// the root is off by, which is a product of two that are rounded (0.6 each, 1.5).
	ofSums, ofRoots = 2.75, 1.35
)

// transformError is the error of a transform of n reals: log2(n) levels, of which the last
// parts the spectra of even and odd samples.
func transformError(n int) float64 {
	return rounding * math.Sqrt(math.Log2(float64(n))*(ofSums+ofRoots))
}

// convolutionError is that of a causal convolution of l samples: of three transforms of 2l.
// Sums round independently. Roots are the same in all three: half of what they are off by
// turns a whole bin, three times the same way, so that its square counts nine times.
func convolutionError(l int) float64 {
	return rounding * math.Sqrt(math.Log2(2*float64(l))*(3*ofSums+3*ofRoots/2+9*ofRoots/2))
}
