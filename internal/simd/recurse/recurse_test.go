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

// A cascade gives the bits of its sections one by one.
func TestCascade(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	draw := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.Float64() - 0.5
		}
		return v
	}
	for _, l := range simd.Available() {
		cascade := CascadeFor(l)
		if cascade == nil {
			continue
		}
		filter := For(l)
		for sections := range 19 {
			for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 100} {
				c, state, x := draw(6*sections), draw(2*sections+1), draw(n+1)
				block, states := make([]Row, n), make([]Row, 2*sections)
				for i := range block {
					block[i][3] = x[i]
				}
				for i := range states {
					states[i][3] = state[i]
				}
				for s := range sections {
					filter(block, c[6*s:6*s+6], states[2*s:2*s+2])
				}
				got, end := slices.Clone(x), slices.Clone(state)
				cascade(got[:n], c, end[:2*sections])
				for i := range block {
					if got[i] != block[i][3] {
						t.Fatalf("%v: %d sections of %d samples: %g at %d, want %g", l, sections, n, got[i], i, block[i][3])
					}
				}
				for i := range states {
					if end[i] != states[i][3] {
						t.Fatalf("%v: %d sections of %d samples: state %d is %g, want %g", l, sections, n, i, end[i], states[i][3])
					}
				}
				if got[n] != x[n] || end[2*sections] != state[2*sections] {
					t.Fatalf("%v: %d sections of %d samples: wrote behind the end", l, sections, n)
				}
			}
		}
	}
}

func BenchmarkCascade(b *testing.B) {
	x := make([]float64, 2048)
	for _, l := range simd.Available() {
		if k := CascadeFor(l); k != nil {
			b.Run(l.String(), func(b *testing.B) {
				c, state := make([]float64, 4*6), make([]float64, 4*2)
				for b.Loop() {
					k(x, c, state)
				}
			})
		}
	}
}
