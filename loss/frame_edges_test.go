package loss_test

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
)

// What is not a number in a signal reaches the samples that share a frame with
// it and no other: frames that are computed side by side do not see each other,
// and the others keep their bits.
func TestFrameKeepsNaNToItself(t *testing.T) {
	const n, at = 3000, 1234
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		for _, size := range []int{16, 64, 100, 300} {
			signal := func(v float32) []float32 {
				x := make([]float32, n)
				for i := range x {
					x[i] = float32(math.Sin(float64(i*i) / 1000))
				}
				x[at] = v
				return x
			}
			grad := func(v float32) []float32 {
				x, y := nd.From(signal(v), n), nd.From(signal(0.25), n)
				g, err := nd.Slice[float32](context.Background(), nd.Grad(loss.Frame{Size: size}.Of(x, y), x)[0])
				if err != nil {
					t.Fatal(err)
				}
				return g
			}
			with, without := grad(bad), grad(0.5)
			for i := range with {
				switch near := i > at-size && i < at+size; {
				case near && with[i] == with[i]:
					t.Fatalf("size %d, %v: sample %d is %v beside it", size, bad, i, with[i])
				case !near && with[i] != without[i]:
					t.Fatalf("size %d, %v: sample %d is %v, not %v", size, bad, i, with[i], without[i])
				}
			}
		}
	}
}

// Signals whose spectra are subnormal have finite gradients.
func TestFrameOfSubnormals(t *testing.T) {
	x, y := make([]float32, 500), make([]float32, 500)
	for i := range x {
		x[i], y[i] = 1e-42*float32(i%7), 1e-41*float32(i%5)
	}
	for _, scale := range []loss.Scale{loss.Linear, loss.Log, loss.Smooth} {
		a := nd.From(x, len(x))
		g, err := nd.Slice[float32](context.Background(), nd.Grad(loss.Frame{Scale: scale}.Of(a, nd.From(y, len(y))), a)[0])
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range g {
			if v-v != 0 {
				t.Fatalf("%v: sample %d is %v", scale, i, v)
			}
		}
	}
}
