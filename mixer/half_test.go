package mixer

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// A block of halves has the parameters of one of float32, and its result but for
// the digits that halves have not.
func TestHalfBlocks(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for half, bar := range map[nd.DType]float64{nd.Float16: 4e-3, nd.BFloat16: 3e-2} {
		for _, both := range []bool{false, true} {
			b := Block{Width: 8, Length: 64, Residual: true, Bidirectional: both, DType: half}
			params, err := b.Init(nd.Key(1))
			if err != nil {
				t.Fatal(err)
			}
			var values []*nd.Array
			for _, p := range params {
				if p.Value.DType() != nd.Float32 {
					t.Fatalf("parameter %s is %s", p.Name, p.Value.DType())
				}
				values = append(values, p.Value)
			}
			u := nd.Normal(nd.Key(2), nd.Float32, 2, 64, 8).Cast(half)
			y := b.Apply(values, u)
			if y.DType() != half {
				t.Fatalf("%s gives %s: %v", half, y.DType(), y.Err())
			}
			b.DType = nd.Float32
			want := b.Apply(values, u.Cast(nd.Float32))
			got := y.Cast(nd.Float32)
			off, err := nd.Item[float32](ctx, got.Sub(want).AbsSquared().Sum().Div(want.AbsSquared().Sum()))
			if e := math.Sqrt(float64(off)); err != nil || !(e <= bar) {
				t.Errorf("%s, bidirectional %v: relative error %.2g, %v", half, both, e, err)
			}
			for i, g := range nd.Grad(got.AbsSquared().Sum(), values...) {
				if most, err := nd.Item[float32](ctx, g.Abs().Max()); err != nil || g.DType() != nd.Float32 || math.IsNaN(float64(most)) || most == 0 {
					t.Errorf("gradient by %s: %s, at most %g, %v", params[i].Name, g.DType(), most, err)
				}
			}
		}
	}
}
