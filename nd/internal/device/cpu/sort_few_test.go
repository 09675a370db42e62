package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// A few floats are found in the order of a stable sort: NaN last, zeros of either sign equal.
func TestFewFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	special := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1, 1, -1}
	for range 3000 {
		line := make([]float64, 1+r.IntN(200))
		some := r.Float64()
		for i := range line {
			if line[i] = r.NormFloat64(); r.Float64() < some {
				line[i] = special[r.IntN(len(special))]
			}
		}
		single := make([]float32, len(line))
		for i, v := range line {
			single[i] = float32(v)
		}
		keep := 1 + r.IntN(min(len(line), insertUpTo))
		for _, descending := range []bool{false, true} {
			order := make([]uint64, len(line))
			for i := range order {
				order[i] = uint64(i)
			}
			slices.SortStableFunc(order, func(i, j uint64) int {
				x, y := line[i], line[j]
				if x != x || y != y {
					return btoi(x != x) - btoi(y != y)
				}
				if descending {
					x, y = y, x
				}
				return btoi(x > y) - btoi(x < y)
			})
			got, short := make([]uint64, keep), make([]uint64, keep)
			fewFloats[float64](descending)(got, unsafe.Pointer(&line[0]), len(line))
			fewFloats[float32](descending)(short, unsafe.Pointer(&single[0]), len(line))
			if !slices.Equal(got, order[:keep]) || !slices.Equal(short, order[:keep]) {
				t.Fatalf("%d of %v, descending %v: %v and %v, want %v", keep, line, descending, got, short, order[:keep])
			}
		}
	}
}
