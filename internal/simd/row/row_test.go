package row

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Every level computes what the portable loops do, and nothing outside a row.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = rng.Float64() - 0.5
		}
		return list
	}
	for _, l := range simd.Available() {
		k := For(l)
		for _, n := range []int{0, 1, 2, 7, 15, 16, 17, 31, 32, 40, 48, 63, 64, 100, 130} {
			const more = 3
			x, y := draw(n+more), draw(n+more)
			u, v := slices.Clone(x), slices.Clone(y)
			rotate(u[:n], v[:n], 0.8, -0.6)
			p, q := slices.Clone(x), slices.Clone(y)
			k.Rotate(p[:n], q[:n], 0.8, -0.6)
			near(t, l, "rotate", append(p, q...), append(u, v...))

			u, p = slices.Clone(x), slices.Clone(x)
			addScaled(u[:n], y[:n], 0.3)
			k.AddScaled(p[:n], y[:n], 0.3)
			near(t, l, "add scaled", p, u)

			p = slices.Clone(x)
			k.AddFused(p[:n], y[:n], 0.3)
			near(t, l, "add fused", p, u)
			q = slices.Clone(x)
			k.AddFused(q[:n/3], y[:n/3], 0.3)
			k.AddFused(q[n/3:n], y[n/3:n], 0.3)
			if !slices.Equal(p, q) {
				t.Fatalf("%v: add fused: a row of %d in two parts has other bits", l, n)
			}

			a, b, c := products(x[:n], y[:n])
			d, e, f := k.Products(x[:n], y[:n])
			near(t, l, "products", []float64{d, e, f}, []float64{a, b, c})

			rows, by := draw(4*n+3*more), [4]float64{0.5, -0.25, 0.7, 0}
			u, p = slices.Clone(y), slices.Clone(y)
			want := four(rows, n+more, x[:n], u[:n], by)
			got := k.Four(rows, n+more, x[:n], p[:n], by)
			near(t, l, "four", append(p, got[:]...), append(u, want[:]...))

			a, b, c = poles(x[:n], y[:n], 1.5)
			d, e, f = k.Poles(x[:n], y[:n], 1.5)
			near(t, l, "poles", []float64{d, e, f}, []float64{a, b, c})

			u, v = slices.Clone(x), slices.Clone(y)
			k.Exchange(u[:n], v[:n])
			near(t, l, "exchange", append(u, v...), append(append(slices.Clone(y[:n]), x[n:]...), append(slices.Clone(x[:n]), y[n:]...)...))
		}
	}
}

// A step of a panel leaves what the portable one does, and finds the same row, also among zeros, equals and
// what is not finite.
func TestEliminate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, l := range simd.Available() {
		k := For(l)
		for _, n := range []int{0, 1, 2, 3, 8, 21} {
			for column := range Block {
				for _, odd := range []float64{0.25, 0, math.Inf(1), math.NaN()} {
					const stride = Block + 3
					rows := make([]float64, n*stride+Block)
					for i := range rows {
						rows[i] = float64(rng.IntN(9)-4) / 4
					}
					if n > 0 {
						rows[rng.IntN(n)*stride+rng.IntN(Block)] = odd
					}
					if n == 8 {
						clear(rows)
					}
					var p, q Panel
					for i := range p.Pivot {
						p.Pivot[i] = float64(rng.IntN(9)-4) / 2
					}
					q.Pivot = p.Pivot
					up, by := 1.0, 0.5
					if column == 3 {
						up = 2
					}
					want := slices.Clone(rows)
					place := eliminate(&p, want, stride, n, column, up, by)
					if got := k.Eliminate(&q, rows, stride, n, column, up, by); got != place {
						t.Fatalf("%v: column %d of %d rows: row %d is next, want %d", l, column, n, got, place)
					}
					for i, w := range want {
						if v := rows[i]; v != w && (v == v || w == w) && i%stride >= column {
							t.Fatalf("%v: column %d of %d rows: %g at %d, want %g", l, column, n, v, i, w)
						}
					}
				}
			}
		}
	}
}

// Rows solved with a triangle give, by it, the rows there were, upwards too; nothing else is touched.
func TestSubstitute(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, l := range simd.Available() {
		for _, n := range []int{0, 8, 16, 24, 40} {
			for _, stride := range []int{n + 5, -n - 5} {
				var p Panel
				for i := range p.By {
					p.By[i] = rng.Float64() - 0.5
				}
				rows := make([]float64, Block*(n+5))
				for i := range rows {
					rows[i] = rng.Float64() - 0.5
				}
				first := 2
				if stride < 0 {
					first -= (Block - 1) * stride
				}
				want := slices.Clone(rows)
				For(l).Substitute(&p, rows, first, stride, n)
				for r := range Block {
					for i := range n {
						for k := range r {
							want[first+r*stride+i] += p.By[r*Block+k] * rows[first+k*stride+i]
						}
						want[first+r*stride+i] *= p.By[r*Block+r]
					}
				}
				near(t, l, "substitute", rows, want)
			}
		}
	}
}

func near(t *testing.T, l simd.Level, what string, got, want []float64) {
	t.Helper()
	for i, w := range want {
		if math.Abs(got[i]-w) > 1e-14 {
			t.Fatalf("%v: %s: %g at %d of %d, want %g", l, what, got[i], i, len(want), w)
		}
	}
}

func BenchmarkRotate(b *testing.B) {
	x, y := make([]float64, 128), make([]float64, 128)
	for _, l := range simd.Available() {
		k := For(l)
		b.Run(l.String(), func(b *testing.B) {
			for b.Loop() {
				k.Rotate(x, y, 0.8, -0.6)
			}
		})
	}
}
