package loss_test

import (
	"context"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
)

// TestFrameTwice differentiates the gradient, which is written down, once more,
// and holds it to central differences of the gradient.
func TestFrameTwice(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	const n, step = 60, 1e-6
	for _, f := range []loss.Frame{{Size: 16}, {Size: 9, Hop: 4}, {Size: 16, Scale: loss.Smooth, Eps: 0.1}, {Size: 16, Scale: loss.Log, Eps: 0.1, Hop: 3}} {
		y, v := nd.From(noise(2, n), n), nd.From(noise(3, n), n)
		gradient := func(x *nd.Array) *nd.Array { return nd.Grad(f.Of(x, y), x)[0] }
		x := nd.From(noise(1, n), n)
		got, err := nd.Slice[float64](ctx, nd.Grad(gradient(x).Mul(v).Sum(), x)[0])
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		at := func(by float64) *nd.Array { return gradient(x.Add(v.MulScalar(by))) }
		want, err := nd.Slice[float64](ctx, at(step).Sub(at(-step)).DivScalar(2*step))
		if err != nil {
			t.Fatal(err)
		}
		if d := apart(got, want); !(d < 1e-6) {
			t.Errorf("%+v: the gradient of the gradient is off by %.1e", f, d)
		}
	}
}
