package nd_test

import (
	"context"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// Elementwise exp through a kernel, against the engine's own.
func BenchmarkKernelExp(b *testing.B) {
	const n = 16 << 20
	ctx := context.Background()
	x := nd.Uniform(nd.Key(1), nd.Float32, n)
	if err := nd.Eval(ctx, x); err != nil {
		b.Fatal(err)
	}
	run := func(b *testing.B, build func() *nd.Array) {
		b.SetBytes(8 * n)
		for b.Loop() {
			y := build()
			if err := nd.Eval(ctx, y); err != nil {
				b.Fatal(err)
			}
			y.Release()
		}
	}
	b.Run("engine", func(b *testing.B) { run(b, x.Exp) })
	b.Run("kernel", func(b *testing.B) {
		run(b, func() *nd.Array {
			return expKernel.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{n}}, Grid: [3]int{n}})[0]
		})
	})
}
