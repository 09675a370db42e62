package recurse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Every level filters as the portable loops do, leaves the state that they leave,
// and touches nothing behind a block.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []Row {
		rows := make([]Row, n)
		for i := range rows {
			for k := range rows[i] {
				rows[i][k] = rng.Float64() - 0.5
			}
		}
		return rows
	}
	for _, l := range simd.Available() {
		filter := For(l)
		for order := 1; order <= 9; order++ {
			c := make([]float64, 2*(order+1))
			for i := range c {
				c[i] = (rng.Float64() - 0.5) / float64(order)
			}
			for _, n := range []int{0, 1, 2, 7, 100} {
				block, state := draw(n+1), draw(order+1)
				b, s := slices.Clone(block), slices.Clone(state)
				section(block[:n], c, state[:order])
				filter(b[:n], c, s[:order])
				near(t, l, b, block)
				near(t, l, s, state)
			}
		}
	}
}

func near(t *testing.T, l simd.Level, got, want []Row) {
	t.Helper()
	for i, w := range want {
		for k := range w {
			if math.Abs(got[i][k]-w[k]) > 1e-14 {
				t.Fatalf("%v: %g at %d of %d, line %d, want %g", l, got[i][k], i, len(want), k, w[k])
			}
		}
	}
}

func BenchmarkSection(b *testing.B) {
	block := make([]Row, 256)
	for _, l := range simd.Available() {
		k := For(l)
		for _, order := range []int{2, 4, 6} {
			c, state := make([]float64, 2*(order+1)), make([]Row, order)
			b.Run(l.String()+" "+string(rune('0'+order)), func(b *testing.B) {
				for b.Loop() {
					k(block, c, state)
				}
			})
		}
	}
}
