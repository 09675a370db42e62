package median

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Every level gives the middle of sorted windows, of numbers that are there several
// times, infinite or not numbers at all.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, l := range simd.Available() {
		median := For(l)
		for size := 1; size < 80; size += 2 {
			for _, n := range []int{1, 2, 9, 100} {
				for kind := range 3 {
					x := make([]float64, n+size-1)
					for i := range x {
						switch x[i] = rng.NormFloat64(); {
						case kind == 1:
							x[i] = math.Round(x[i])
						case kind == 2 && i%5 == 0:
							x[i] = []float64{math.Inf(1), math.Inf(-1), math.NaN()}[rng.IntN(3)]
						}
					}
					got := make([]float64, n+1)
					got[n] = 7
					median(got[:n], x, size)
					for i := range n {
						w := slices.Clone(x[i : i+size])
						slices.SortFunc(w, func(a, b float64) int { return cmp.Compare(Key(a), Key(b)) })
						if want := w[size/2]; Key(got[i]) != Key(want) && got[i] != want {
							t.Fatalf("%v: size %d: %g at %d of %d, want %g", l, size, got[i], i, n, want)
						}
					}
					if got[n] != 7 {
						t.Fatalf("%v: size %d: wrote behind %d", l, size, n)
					}
				}
			}
		}
	}
}

func BenchmarkSlide(b *testing.B) {
	x, dst := make([]float64, 1030), make([]float64, 1030)
	for i := range x {
		x[i] = rand.NormFloat64()
	}
	for _, l := range simd.Available() {
		for _, size := range []int{3, 31, 63, 101} {
			b.Run(fmt.Sprintf("%v %d", l, size), func(b *testing.B) {
				median := For(l)
				for b.Loop() {
					median(dst, x, size)
				}
			})
		}
	}
}
