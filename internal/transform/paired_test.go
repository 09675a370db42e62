package transform

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Lines of a batch that go in pairs have the bits of lines by themselves, in either direction,
// in place too, and where one is left over.
func TestPairsKeepBits(t *testing.T) {
	pairs := 0
	for _, level := range simd.Available() {
		for _, n := range []int{200, 216, 360, 392, 600, 1000, 1400} {
			pairs += checkPairs[complex64](t, level, n)
			pairs += checkPairs[complex128](t, level, n/2)
		}
	}
	if pairs == 0 && slices.Contains(simd.Available(), simd.AVX512) {
		t.Error("no length has pairs")
	}
}

func checkPairs[C Complex](t *testing.T, level simd.Level, n int) int {
	rng := rand.New(rand.NewPCG(8, uint64(n)))
	p, err := New[C](recipe.For(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	p = p.Scaled(0.5)
	if p.pairs() == nil {
		return 0
	}
	const count = 5
	src := make([]C, count*n)
	for i := range src {
		src[i] = C(complex(rng.Float64()-.5, rng.Float64()-.5))
	}
	scratch := make([]C, max(p.ScratchLen(), p.BatchScratchLen(count)))
	for _, inverse := range []bool{false, true} {
		run := p.Forward
		if inverse {
			run = p.Inverse
		}
		want := make([]C, count*n)
		for i := range count {
			run(want[i*n:], src[i*n:], scratch)
		}
		for gap := range 3 {
			got := make([]C, count*(n+gap))
			p.Batch(got, src, scratch, count, n+gap, n, inverse)
			for i := range count {
				if at := i * (n + gap); !slices.Equal(got[at:at+n], want[i*n:i*n+n]) {
					t.Errorf("%v %T n=%d gap %d inverse %t: line %d has other bits", level, C(0), n, gap, inverse, i)
				}
			}
		}
		got := slices.Clone(src)
		p.Batch(got, got, scratch, count, n, n, inverse)
		if !slices.Equal(got, want) {
			t.Errorf("%v %T n=%d inverse %t: other bits in place", level, C(0), n, inverse)
		}
	}
	return 1
}
