package signal_test

import (
	"context"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// What storage as halves costs a convolution and a spectrum: docs/PRECISION.md has
// these numbers. Fast convolutions are in halves on a GPU only. The bars are units of
// rounding: of the samples, and of the result.
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
	for stored, bar := range map[nd.DType]float64{nd.Float32: 3e-7, nd.Float16: 4e-4, nd.BFloat16: 3e-3} {
		s := x.Cast(stored)
		if err := nd.Eval(ctx, s); err != nil { // a convolution that reads float64 is not fast
			t.Fatal(err)
		}
		ofConv := off(signal.Conv{}.Apply(s, k.Cast(nd.Float32)).Cast(nd.Float64), conv)
		ofSpectrum := off(s.RFFT().Cast(nd.Complex128), spectrum)
		fast := signal.Conv{Accumulation: nd.Fast}.Apply(s, k.Cast(nd.Float32))
		if err := nd.Eval(ctx, fast); err != nil { // fused with what compares it, it would be float32
			t.Fatal(err)
		}
		ofFast := off(fast.Cast(nd.Float64), conv)
		t.Logf("%s: convolution %.3g, fast %.3g, spectrum %.3g", stored, ofConv, ofFast, ofSpectrum)
		if !(ofConv <= bar) || !(ofSpectrum <= bar) {
			t.Errorf("%s: convolution %.3g, spectrum %.3g, want at most %.2g", stored, ofConv, ofSpectrum, bar)
		}
		if stored.IsHalf() {
			bar += 1.3e-3 // what computing in halves may add
		}
		if !(ofFast <= bar) {
			t.Errorf("%s: fast convolution %.3g, want at most %.2g", stored, ofFast, bar)
		}
	}
}
