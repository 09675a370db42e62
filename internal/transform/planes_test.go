package transform

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Bins that are untangled out of planes have the bits of those untangled in place.
func TestPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, level := range simd.Available()[1:] {
		found := 0
		for _, n := range []int{80, 480, 1000, 1920, 2000, 2048, 3000, 4096, 6000, 8192, 12288, 16384, 40000, 1 << 18} {
			found += checkPlanes[float32, complex64](t, n, level, rng) + checkPlanes[float64, complex128](t, n, level, rng)
		}
		if (level == simd.AVX2 || level == simd.AVX512) && found < 5 {
			t.Errorf("%v: %d lines go through planes", level, found)
		}
	}
}

func checkPlanes[R Float, C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand) int {
	t.Helper()
	p, err := NewReal[R, C](recipe.ForReal(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	if p.folded != nil {
		p.folded, p.planes = nil, newPlanes[R](p.half.line.(*chain))
	}
	if p.planes == nil {
		return 0
	}
	x := make([]R, n)
	for i := range x {
		x[i] = R(rng.Float64() - .5)
	}
	got, want := make([]C, p.Bins()), make([]C, p.Bins())
	scratch := make([]C, p.BatchScratchLen(1))
	p.ForwardBatch(got, x, scratch, 1, p.Bins(), n)
	p.planes = nil
	p.Forward(want, x, scratch)
	if !slices.Equal(got, want) {
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%T %v n=%d: bin %d is %v, in place %v", x, level, n, i, got[i], want[i])
				break
			}
		}
	}
	return 1
}
