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
