package transform

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// TestDirectHasKernel ties the recipes of short lines to the kernels there are.
func TestDirectHasKernel(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		for n := 2; n <= 64; n++ {
			whole32, _ := butterfly.Whole[float32](level, n)
			whole64, _ := butterfly.Whole[float64](level, n)
			for _, c := range []struct {
				target recipe.Target
				kernel bool
			}{
				{Target[complex64](level), whole32 != nil || butterfly.Short[float32](level, n) != nil},
				{Target[complex128](level), whole64 != nil || butterfly.Short[float64](level, n) != nil},
			} {
				r := recipe.For(n, c.target)
				// Primes up to 31 are butterflies, with kernels or without.
				if direct := r.Kind == recipe.Direct; direct != c.kernel && !(direct && n <= butterfly.MaxRadix) {
					t.Errorf("%v, %d bits, n=%d: recipe %v, kernel %v", level, c.target.Bits, n, r, c.kernel)
				}
			}
		}
	}
}
