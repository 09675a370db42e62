package linalg_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// Numbers whose squares overflow or vanish are factored as others are.
func TestRange(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	near := func(what string, got, want *nd.Array, by float64) {
		t.Helper()
		g, w := read(t, got.DivScalar(by)), read(t, want)
		for i := range w {
			if !(math.Abs(g[i]-w[i]) <= 1e-12*(1+math.Abs(w[i]))) {
				t.Fatalf("%s: %g at %d, want %g", what, g[i], i, w[i])
			}
		}
	}
	for _, dt := range []nd.DType{nd.Float64, nd.Complex128} {
		a := nd.Normal(1, nd.Float64, 2, 20, 20).Cast(dt)
		_, s, _, err := linalg.SVD(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		w, _, err := linalg.Eigh(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		_, r := linalg.QR(a, linalg.QROptions{NonNegative: true})
		for _, by := range []float64{1e160, 1e300, 1e-160, 1e-290} {
			name := fmt.Sprintf("%v by %g", dt, by)
			x := a.MulScalar(by)
			_, sx, _, err := linalg.SVD(ctx, x)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			near(name+": SVD", sx, s, by)
			wx, _, err := linalg.Eigh(ctx, x)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			near(name+": Eigh", wx, w, by)
			q, rx := linalg.QR(x, linalg.QROptions{NonNegative: true})
			near(name+": R", rx.Abs(), r.Abs(), by)
			near(name+": QR", q.MatMul(rx.DivScalar(by)).Abs(), a.Abs(), 1)
		}
	}
}
