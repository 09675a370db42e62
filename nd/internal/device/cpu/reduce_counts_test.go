package cpu

import (
	"math/rand/v2"
	"testing"
)

// Truth values are bytes, of which only 0 is false.
func TestCountTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 7, 31, 32, 33, 100, 8159, 8160, 8161, 100003} {
		for _, some := range []int{1, 2, 50} {
			x, want := make([]uint8, n+3)[3:], 0
			for i := range x {
				if rng.IntN(some) == 0 {
					x[i] = uint8(1 + rng.IntN(255))
					want++
				}
			}
			if got := countTrue(x); got != want {
				t.Errorf("%d of %d are true, want %d", got, n, want)
			}
		}
	}
}
