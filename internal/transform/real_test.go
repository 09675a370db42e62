package transform

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// TestRealBatch holds a batch of real lines to the bits of its lines, at
// distances that leave pairs of samples whole and at others.
func TestRealBatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const count = 37
	for _, level := range simd.Available() {
		for _, n := range []int{1, 2, 3, 4, 15, 16, 62, 64, 100, 509, 512, 1024} {
			p, err := NewReal[float32, complex64](recipe.ForReal(n, Target[complex64](level)), level)
			if err != nil {
				t.Fatal(err)
			}
			for gap := range 4 {
				x := make([]float32, count*(n+gap))
				for i := range x {
					x[i] = rng.Float32() - 0.5
				}
				b := p.Bins() + gap
				got, want := make([]complex64, count*b), make([]complex64, count*b)
				scratch := noise[complex64](rng, max(p.BatchScratchLen(count), p.ScratchLen()))
				p.ForwardBatch(got, x, scratch, count, b, n+gap)
				for i := range count {
					p.Forward(want[i*b:], x[i*(n+gap):], scratch)
				}
				if !slices.Equal(got, want) {
					t.Errorf("n %d, gap %d: a batch forward differs from its lines", n, gap)
				}
				back, again := make([]float32, len(x)), make([]float32, len(x))
				p.InverseBatch(back, got, scratch, count, n+gap, b)
				for i := range count {
					p.Inverse(again[i*(n+gap):], got[i*b:], scratch)
				}
				if !slices.Equal(back, again) {
					t.Errorf("n %d, gap %d: a batch back differs from its lines", n, gap)
				}
			}
		}
	}
}
