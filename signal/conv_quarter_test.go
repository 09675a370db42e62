package signal_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Where there are many lines, a GPU may give those of a causal convolution bins of their own.
// Results are those of the filter's spectrum, which has the usual bins, up to rounding; with
// gates, a bias and a skip, with gradients, and with a line that is no number.
func TestManyCausalLines(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(21, 22))
	const b, c, l = 24, 120, 1024
	array := func(shape ...int) *nd.Array {
		n := 1
		for _, d := range shape {
			n *= d
		}
		return nd.From(as[float32](noise(r, n, 1)), shape...)
	}
	x, k := array(b, c, l), array(c, l)
	conv := signal.Conv{Bias: array(c), Skip: array(c), InGate: array(b, c, l), OutGate: array(b, 1, l)}
	kept := k.RFFT(nd.FFT{N: 2 * l})
	if err := (nd.Close{Abs: 1e-3}).Check(ctx, conv.Apply(x, k), conv.Apply(x, kept)); err != nil {
		t.Error(err)
	}
	w := array(b, c, l)
	loss := func(filter *nd.Array) *nd.Array { return conv.Apply(x, filter).Mul(w).Sum() }
	got, want := nd.Grad(loss(k), x, k), nd.Grad(loss(kept), x, k)
	for i, abs := range []float64{2e-3, 2e-2} {
		if err := (nd.Close{Abs: abs}).Check(ctx, got[i], want[i]); err != nil {
			t.Errorf("gradient %d: %v", i, err)
		}
	}
	samples, err := nd.Slice[float32](ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	const spoilt = 7
	samples[spoilt*l+3] = float32(math.Inf(1))
	y, err := nd.Slice[float32](ctx, signal.Conv{}.Apply(nd.From(samples, b, c, l), k))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range y {
		if bad := math.IsNaN(float64(v)) || math.IsInf(float64(v), 0); bad != (i/l == spoilt) {
			t.Fatalf("sample %d of line %d is %v", i%l, i/l, v)
		}
	}
}
