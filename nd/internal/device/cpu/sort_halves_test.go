package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/order"
)

// Keys that are alike in one half, in both or in neither are sorted by all bits, and those that
// are equal stay in order, on every level.
func TestSortHalves(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	few := func() uint64 { return uint64(rng.IntN(3)) }
	for name, draw := range map[string]func() uint64{
		"random":        rng.Uint64,
		"equal":         func() uint64 { return 7 },
		"upper alike":   func() uint64 { return 5<<32 | uint64(rng.Uint32()) },
		"lower alike":   func() uint64 { return uint64(rng.Uint32())<<32 | 5 },
		"few":           func() uint64 { return few()<<32 | few() },
		"few in upper":  func() uint64 { return few()<<32 | uint64(rng.Uint32()) },
		"greatest":      func() uint64 { return ^few() },
		"pairs in part": func() uint64 { return uint64(rng.IntN(1000))<<32 | uint64(rng.Uint32()) },
	} {
		for _, l := range simd.Available() {
			for _, n := range []int{1, 2, 3, fewAlike, fewAlike + 1, 100, radixFrom + 1, 3000} {
				keys := make([]uint64, n)
				want := make([]int, n)
				for i := range keys {
					keys[i], want[i] = draw(), i
				}
				slices.SortStableFunc(want, func(a, b int) int {
					return btoi(keys[a] > keys[b]) - btoi(keys[a] < keys[b])
				})
				w := &sortWork{order: order.For[uint64](l)}
				places := make([]uint64, n)
				w.sortHalves(places, keys, &scratch{stash: &stash{}})
				for i, p := range places {
					if int(uint32(p)) != want[i] {
						t.Fatalf("%v, %s, %d keys: position %d is %d, want %d", l, name, n, i, uint32(p), want[i])
					}
				}
			}
		}
	}
}
