package loss_test

import (
	"context"
	"testing"

	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
)

// BenchmarkBuild is the host's part of a loss with its gradient: the graph of
// both, and the plan that it finds. The device computes nothing.
func BenchmarkBuild(b *testing.B) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		loss interface {
			Of(x, y *nd.Array) *nd.Array
		}
		shape []int
	}{
		{"frame", loss.Frame{Size: 64}, []int{131072}},
		{"multi-resolution", loss.MultiResolutionSTFT{}, []int{16, 44100}},
	} {
		dev, err := nd.Open("null")
		if err != nil {
			b.Fatal(err)
		}
		x, y := nd.Normal(1, nd.Float32, c.shape...).On(dev.Stream()), nd.Normal(2, nd.Float32, c.shape...).On(dev.Stream())
		if err := nd.Eval(ctx, x, y); err != nil {
			b.Fatal(err)
		}
		y = nd.StopGradient(y)
		b.Run(c.name+"/value", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.loss.Of(x, y).Err(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/gradient", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, g := nd.ValueAndGrad(c.loss.Of(x, y), x); g[0].Err() != nil {
					b.Fatal(g[0].Err())
				}
			}
		})
		b.Run(c.name+"/evaluated", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v, g := nd.ValueAndGrad(c.loss.Of(x, y), x)
				if err := nd.Eval(ctx, v, g[0]); err != nil {
					b.Fatal(err)
				}
				v.Release()
				g[0].Release()
			}
		})
	}
}
