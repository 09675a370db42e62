package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Zeros of either sign and NaN of any bits come out in the order they came in, on every
// level, for lines sorted whole and in part.
func TestBareSortIsStable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	inf := math.Inf(1)
	for _, l := range simd.Available() {
		for _, n := range []int{2, 20, 100, radixFrom + 1, 3000} {
			for _, keep := range []int{n, n/2 + 1} {
				for _, descending := range []bool{false, true} {
					line := make([]uint64, n)
					for i := range line {
						switch rng.IntN(4) {
						case 0:
							line[i] = uint64(rng.IntN(2)) << 63
						case 1:
							line[i] = uint64(rng.IntN(2))<<63 | 0x7ff<<52 | uint64(1+rng.IntN(100))
						default:
							line[i] = math.Float64bits([]float64{rng.NormFloat64(), 1, -1, inf, -inf}[rng.IntN(5)])
						}
					}
					want := slices.Clone(line)
					slices.SortStableFunc(want, func(a, b uint64) int {
						x, y := math.Float64frombits(a), math.Float64frombits(b)
						switch {
						case x != x || y != y:
							return btoi(x != x) - btoi(y != y)
						case descending:
							x, y = y, x
						}
						return btoi(x > y) - btoi(x < y)
					})
					w := &sortWork{length: n, keep: keep}
					w.step = []int{1, 1}
					flip := uint64(0)
					if descending {
						flip = ^flip
					}
					sort := bareSort(&Device{level: l}, w, true, flip)
					if sort == nil {
						continue
					}
					got := make([]uint64, keep)
					sort(w, sorted{values: unsafe.Pointer(&got[0]), step: 1}, unsafe.Pointer(&line[0]), &scratch{stash: &stash{}})
					if !slices.Equal(got, want[:keep]) {
						t.Fatalf("%v: %d of %d, descending %v: %x, want %x", l, keep, n, descending, got, want[:keep])
					}
				}
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
