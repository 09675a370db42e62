package transform

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// longLengths are too long for the defining sum; every kind of recipe is here.
var longLengths = []int{512, 1000, 1009, 1024, 1536, 2048, 3125, 4096, 4099, 8192, 10000, 30030, 44100, 48000, 65536, 65537, 1 << 17, 1 << 18}

// TestLongFloat32 takes float64 for the truth.
func TestLongFloat32(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, n := range longLengths {
		x := noise[complex64](rng, n)
		exact, err := New[complex128](recipe.For(n, Target[complex128](simd.Active())), simd.Active())
		if err != nil {
			t.Fatal(err)
		}
		want := make([]complex128, n)
		exact.Forward(want, wide(x), make([]complex128, exact.ScratchLen()))
		for _, level := range simd.Available() {
			r := recipe.For(n, Target[complex64](level))
			p, err := New[complex64](r, level)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]complex64, n)
			p.Forward(got, x, noise[complex64](rng, p.ScratchLen()))
			if d := distance(got, want); !(d <= bar[complex64](r)) {
				t.Errorf("%v n=%d %v: error %.2f of eps*sqrt(log2 n)", level, n, r, d)
			}
		}
	}
}

// TestLongFloat64 transforms a few impulses, whose spectra are sums of a few
// roots of unity that are known to the last bit.
func TestLongFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, n := range longLengths {
		x, want := make([]complex128, n), make([]complex128, n)
		table := roots.Of(n)
		for range 6 {
			at, height := rng.IntN(n), complex(rng.Float64()-.5, rng.Float64()-.5)
			x[at] += height
			walk := table.Walk(0, at)
			for k := range want {
				re, im := walk.Next()
				want[k] += height * complex(re, im)
			}
		}
		for _, level := range simd.Available() {
			r := recipe.For(n, Target[complex128](level))
			p, err := New[complex128](r, level)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]complex128, n)
			p.Forward(got, x, noise[complex128](rng, p.ScratchLen()))
			if d := distance(got, want); !(d <= bar[complex128](r)) {
				t.Errorf("%v n=%d %v: error %.2f of eps*sqrt(log2 n)", level, n, r, d)
			}
		}
	}
}
