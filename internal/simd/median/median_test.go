package median

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
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

func TestColumns(t *testing.T) {
	for _, l := range simd.Available() {
		testColumns(t, &vec.For(l).F32)
		testColumns(t, &vec.For(l).F64)
	}
}

func testColumns[T vec.Float](t *testing.T, k *vec.Real[T]) {
	rng := rand.New(rand.NewPCG(3, 2))
	for count := 1; count < 52; count += 2 {
		for _, n := range []int{1, 7, block, 2*block + 5} {
			rows, before := make([][]T, count), make([][]T, count)
			for j := range rows {
				rows[j] = make([]T, n)
				for i := range rows[j] {
					switch v := rng.NormFloat64(); i % 3 {
					case 0:
						rows[j][i] = T(v)
					case 1: // zeros of both signs
						rows[j][i] = T(math.Copysign(math.Floor(math.Abs(v)), v))
					default:
						rows[j][i] = T(v / float64(rng.IntN(2)))
					}
				}
				before[j] = slices.Clone(rows[j])
			}
			got := make([]T, n)
			Columns(k, got, rows)
			for i := range got {
				column := make([]int64, count)
				for j := range rows {
					column[j] = Key(float64(before[j][i]))
				}
				slices.Sort(column)
				if Key(float64(got[i])) != column[count/2] {
					t.Fatalf("%d rows of %d: %g at %d, want %g", count, n, got[i], i, OfKey(column[count/2]))
				}
			}
			for j := range rows {
				if !slices.Equal(rows[j], before[j]) {
					t.Fatalf("%d rows of %d: row %d changed", count, n, j)
				}
			}
		}
	}
}

func BenchmarkColumns(b *testing.B) {
	rows, dst := make([][]float64, 49), make([]float64, 1024)
	for i := range rows {
		rows[i] = make([]float64, 1024)
		for j := range rows[i] {
			rows[i][j] = rand.NormFloat64()
		}
	}
	for _, l := range simd.Available() {
		for _, count := range []int{3, 5, 9, 15, 25, 49} {
			b.Run(fmt.Sprintf("%v %d", l, count), func(b *testing.B) {
				for b.Loop() {
					Columns(&vec.For(l).F64, dst, rows[:count])
				}
			})
		}
	}
}
