package nd_test

import (
	"cmp"
	"context"
	"os"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// BenchmarkFused compares a convolution and a Welch spectrum as one plan with the same
// operations one after the other, on the device that TWIDDLE_BENCH_DEVICE names:
//
//	TWIDDLE_BENCH_DEVICE=webgpu:0 go test -run - -bench Fused -benchtime 3x ./nd
func BenchmarkFused(b *testing.B) {
	dev, err := nd.Open(cmp.Or(os.Getenv("TWIDDLE_BENCH_DEVICE"), "cpu"))
	if err != nil {
		b.Skip(err)
	}
	ctx := context.Background()
	x := nd.Uniform(1, nd.Float32, 64, 64, 1024).On(dev.Stream())
	filter := nd.Uniform(2, nd.Float32, 64, 1024).On(dev.Stream()).RFFT()
	bias := nd.Uniform(3, nd.Float32, 64, 1).On(dev.Stream())
	window := nd.Uniform(4, nd.Float32, 1024).On(dev.Stream())
	signals := x.Reshape(64, 1<<16)
	if err := nd.Eval(ctx, x, filter, bias, window, signals); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		start *nd.Array
		steps []func(*nd.Array) *nd.Array
	}{
		{"convolution", x, []func(*nd.Array) *nd.Array{
			func(a *nd.Array) *nd.Array { return a.RFFT() },
			func(a *nd.Array) *nd.Array { return a.Mul(filter) },
			func(a *nd.Array) *nd.Array { return a.IRFFT(nd.FFT{N: 1024}) },
			func(a *nd.Array) *nd.Array { return a.Add(bias) },
		}},
		{"Welch", signals, []func(*nd.Array) *nd.Array{
			func(a *nd.Array) *nd.Array { return a.Frames(1024, 512).Mul(window) },
			func(a *nd.Array) *nd.Array { return a.RFFT() },
			func(a *nd.Array) *nd.Array { return a.AbsSquared() },
			func(a *nd.Array) *nd.Array { return a.Mean(-2) },
		}},
	} {
		for _, fused := range []bool{true, false} {
			name := c.name + "/fused"
			if !fused {
				name = c.name + "/one by one"
			}
			b.Run(name, func(b *testing.B) {
				once := func() {
					y := c.start
					for i, step := range c.steps {
						z := step(y)
						if !fused || i == len(c.steps)-1 {
							if err := nd.Eval(ctx, z); err != nil {
								b.Fatal(err)
							}
						}
						if i > 0 && !fused {
							y.Release()
						}
						y = z
					}
					y.Release()
				}
				once() // plans and compiles
				for b.Loop() {
					once()
				}
			})
		}
	}
}
