//go:build !race

package transform

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// The race detector allocates by itself.
func TestNoAllocation(t *testing.T) {
	for _, level := range simd.Available() {
		for _, n := range []int{8, 64, 100, 1009, 1019, 2048, 3125, 44100} {
			p, err := New[complex64](recipe.For(n, Target[complex64](level)), level)
			if err != nil {
				t.Fatal(err)
			}
			half, err := NewReal[float32, complex64](recipe.ForReal(n, Target[complex64](level)), level)
			if err != nil {
				t.Fatal(err)
			}
			const count = 3
			x, y := make([]complex64, count*n), make([]complex64, count*n)
			scratch := make([]complex64, max(p.BatchScratchLen(count), p.ColumnsScratchLen(count), half.ScratchLen()))
			samples := make([]float32, n)
			for name, run := range map[string]func(){
				"forward": func() { p.Forward(y, x, scratch) },
				"inverse": func() { p.Inverse(y, y, scratch) },
				"batch":   func() { p.Batch(y, x, scratch, count, n, n, false) },
				"columns": func() { p.Columns(y, x, scratch, count, count, count, false) },
				"real":    func() { half.Forward(y, samples, scratch) },
				"back":    func() { half.Inverse(samples, y, scratch) },
			} {
				if a := testing.AllocsPerRun(3, run); a != 0 {
					t.Errorf("%v n=%d %s: %v allocations", level, n, name, a)
				}
			}
		}
	}
}
