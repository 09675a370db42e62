package peak

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// lines are rough and flat ones, and some that do not compare, of every length up to
// 70 and some beyond.
func lines() map[int][]float64 {
	all := map[int][]float64{}
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 600 {
		n := 3 + trial/4
		if trial%50 == 0 {
			n = 500 + trial
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
			switch trial % 4 {
			case 1:
				x[i] = math.Round(2 * x[i]) // flat places and equal heights
			case 2:
				x[i] = math.Round(x[i]) + float64(i%2)/4 // equal heights alone
			case 3:
				x[i] += 4 * float64(i%2) * float64(i) // a slope of peaks
			}
		}
		switch trial % 40 {
		case 20:
			x[rng.IntN(n)] = math.NaN()
		case 24:
			x[rng.IntN(n)], x[rng.IntN(n)] = math.Inf(1), math.Inf(-1)
		}
		all[trial] = x
	}
	return all
}

// around is how far a maximum stands out, by definition.
func around(x []float64, k int) (float64, Bases) {
	b := Bases{int32(k), int32(k)}
	for j := k; j >= 0 && x[j] <= x[k]; j-- {
		if x[j] < x[b.Left] {
			b.Left = int32(j)
		}
	}
	for j := k; j < len(x) && x[j] <= x[k]; j++ {
		if x[j] < x[b.Right] {
			b.Right = int32(j)
		}
	}
	return x[k] - max(x[b.Left], x[b.Right]), b
}

func TestMaxima(t *testing.T) {
	for _, l := range simd.Available() {
		f := NewFinder(2000, l)
		for trial, x := range lines() {
			f.Find(x)
			var want []int32
			for i := 1; i < len(x)-1; i++ {
				end := i
				for end < len(x)-1 && x[end+1] == x[i] {
					end++
				}
				if x[i-1] < x[i] && end < len(x)-1 && x[end+1] < x[i] {
					want = append(want, int32((i+end)/2))
				}
			}
			if !slices.Equal(f.At, want) {
				t.Fatalf("%v, line %d: maxima %v, want %v", l, trial, f.At, want)
			}
			heights := f.Heights()
			for i, k := range want {
				if heights[i] != x[k] {
					t.Fatalf("%v, line %d: height %v of maximum %d, want %v", l, trial, heights[i], k, x[k])
				}
			}

			at, values := make([]int, len(x)/2+Slack), make([]float64, len(x)/2+Slack)
			n, plain := f.Tops(at, values, x, -0.5, 1)
			for i := range x[1:] {
				if plain && !(x[i] < x[i+1]) && !(x[i] > x[i+1]) && i > 0 {
					t.Fatalf("%v, line %d: flat tops not noticed", l, trial)
				}
			}
			if !plain {
				continue
			}
			want = slices.DeleteFunc(want, func(k int32) bool { return x[k] < -0.5 || x[k] > 1 })
			if n != len(want) {
				t.Fatalf("%v, line %d: %d maxima in range, want %d", l, trial, n, len(want))
			}
			for i, k := range want {
				if at[i] != int(k) || values[i] != x[k] {
					t.Fatalf("%v, line %d: maximum %d of %v, want %d of %v", l, trial, at[i], values[i], k, x[k])
				}
			}
		}
	}
}

func TestWide(t *testing.T) {
	for _, l := range simd.Available() {
		f := NewFinder(50, l)
		for n := range 50 {
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(math.Sqrt(float64(i + 1)))
			}
			got := f.Wide(x)
			for i, v := range x {
				if len(got) != n || got[i] != float64(v) {
					t.Fatalf("%v: sample %d of %d is %v, want %v", l, i, n, got[i], v)
				}
			}
		}
	}
}

func TestMeasure(t *testing.T) {
	for _, l := range simd.Available() {
		f := NewFinder(2000, l)
		for trial, x := range lines() {
			f.Find(x)
			if f.Ordered != !slices.ContainsFunc(x, math.IsNaN) {
				t.Fatalf("%v, line %d: ordered %v", l, trial, f.Ordered)
			}
			if !f.Ordered {
				continue
			}
			f.Measure()
			for i, k := range f.At {
				p, b := around(x, int(k))
				if f.Prominences[i] != p || f.Bases[i] != b {
					t.Fatalf("%v, line %d: maximum %d stands out %v from %v, want %v from %v", l, trial, k, f.Prominences[i], f.Bases[i], p, b)
				}
			}
		}
	}
}

// TestSelect holds conditions to their definitions, and what is left of the maxima to
// the list of them.
func TestSelect(t *testing.T) {
	for _, l := range simd.Available() {
		f := NewFinder(2000, l)
		for trial, x := range lines() {
			f.Find(x)
			if !f.Ordered {
				continue
			}
			f.Measure()
			want := slices.Clone(f.At)
			if trial%3 > 0 {
				f.KeepBetween(f.Heights(), -0.5, 3)
				want = slices.DeleteFunc(want, func(k int32) bool { return x[k] < -0.5 || x[k] > 3 })
			}
			if trial%5 > 0 {
				distance := 1 + trial%45
				f.KeepDistant(distance)
				want = distant(x, want, int32(distance))
			}
			if trial%7 == 0 {
				f.Keep(func(i int) bool { return f.At[i]%3 > 0 })
				want = slices.DeleteFunc(want, func(k int32) bool { return k%3 == 0 })
			}
			if f.Count() != len(want) {
				t.Fatalf("%v, line %d: %d are left, want %d", l, trial, f.Count(), len(want))
			}
			room := len(want) + Slack
			at, left, right := make([]int, room), make([]int, room), make([]int, room)
			heights, prominences := make([]float64, room), make([]float64, room)
			f.Places(at)
			f.PlacesOfBases(left, right)
			f.Values(heights, f.Heights())
			f.Values(prominences, f.Prominences)
			rel := 0.5 * float64(trial%4)
			f.Cross(x, rel)
			levels, from, to, widths := make([]float64, room), make([]float64, room), make([]float64, room), make([]float64, room)
			f.Values(levels, f.Levels)
			f.Values(from, f.Left)
			f.Values(to, f.Right)
			f.Values(widths, f.Widths)
			for i, k := range want {
				p, b := around(x, int(k))
				level, l0, r0 := Crossing(x, int(k), p*rel, int(b.Left), int(b.Right))
				if !same(levels[i], level) || !same(from[i], l0) || !same(to[i], r0) || !same(widths[i], r0-l0) {
					t.Fatalf("%v, line %d: maximum %d crosses %v from %v to %v, want %v from %v to %v", l, trial, k, levels[i], from[i], to[i], level, l0, r0)
				}
				if at[i] != int(k) || heights[i] != x[k] || prominences[i] != p || left[i] != int(b.Left) || right[i] != int(b.Right) {
					t.Fatalf("%v, line %d: the %dth of the selected is %d, want %d", l, trial, i, at[i], k)
				}
			}
		}
	}
}

func same(a, b float64) bool { return a == b || a != a && b != b }

// distant is what stays if the highest takes away its neighbours, then the next.
func distant(x []float64, at []int32, distance int32) (stay []int32) {
	left := slices.Clone(at)
	for len(left) > 0 {
		top := left[0]
		for _, k := range left {
			if x[k] >= x[top] {
				top = k
			}
		}
		stay = append(stay, top)
		left = slices.DeleteFunc(left, func(k int32) bool { return max(k-top, top-k) < distance })
	}
	slices.Sort(stay)
	return stay
}

// BenchmarkFind takes turns between lines, which a processor would know by heart
// otherwise.
func BenchmarkFind(b *testing.B) {
	const n, count = 513, 256
	rng := rand.New(rand.NewPCG(3, 4))
	x := make([]float64, n*count)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	for _, l := range simd.Available() {
		f := NewFinder(n, l)
		i := 0
		next := func() []float64 {
			i = (i + 1) % count
			return x[i*n:][:n]
		}
		b.Run(l.String()+"/tops", func(b *testing.B) {
			at, heights := make([]int, n), make([]float64, n)
			for b.Loop() {
				f.Tops(at, heights, next(), math.Inf(-1), math.Inf(1))
			}
		})
		b.Run(l.String()+"/find", func(b *testing.B) {
			for b.Loop() {
				f.Find(next())
			}
		})
		b.Run(l.String()+"/find and measure", func(b *testing.B) {
			for b.Loop() {
				f.Find(next())
				f.Measure()
			}
		})
	}
}
