package transform

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Lines whose results are asked for have the bits of those that are not, in either direction.
func TestClaimingBatchesKeepBits(t *testing.T) {
	claims := 0
	for _, level := range simd.Available() {
		for _, n := range []int{2048, 3125, 8192, 10000, 16384} {
			claims += checkClaims[complex64](t, level, n)
			claims += checkClaims[complex128](t, level, n)
		}
		checkFoldedClaims[float32, complex64](t, level, 8192)
		checkFoldedClaims[float64, complex128](t, level, 2048)
		checkFoldedClaims[float64, complex128](t, level, 16384)
	}
	if claims == 0 && slices.Contains(simd.Available(), simd.AVX512) {
		t.Error("no batch asks for its results")
	}
}

func checkClaims[C Complex](t *testing.T, level simd.Level, n int) int {
	p, err := New[C](recipe.For(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	p = p.Scaled(0.5)
	count := claimBatchFrom/(4*n*p.shape.size) + 1
	c, ok := p.batch.(*chain)
	if !ok || !c.claimsBatch(count) || c.claimsBatch(1) {
		return 0
	}
	rng := rand.New(rand.NewPCG(8, uint64(n)))
	src := make([]C, count*n)
	for i := range src {
		src[i] = C(complex(rng.Float64()-.5, rng.Float64()-.5))
	}
	scratch := make([]C, p.BatchScratchLen(count))
	want, got := make([]C, count*n), make([]C, count*n)
	for _, inverse := range []bool{false, true} {
		for i := range count {
			p.Batch(want[i*n:], src[i*n:], scratch, 1, n, n, inverse)
		}
		p.Batch(got, src, scratch, count, n, n, inverse)
		if !slices.Equal(got, want) {
			t.Errorf("%v %T n=%d inverse %t: other bits", level, C(0), n, inverse)
		}
	}
	return 1
}

func checkFoldedClaims[R Float, C Complex](t *testing.T, level simd.Level, n int) {
	p, err := NewReal[R, C](recipe.ForReal(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	p = p.Scaled(0.5)
	count := claimBatchFrom/(2*n*p.half.shape.size) + 1
	if p.folded == nil || !p.folded.chain.claimsBatch(count) {
		if level == simd.AVX512 {
			t.Errorf("%v %T n=%d: no batch asks for its results", level, R(0), n)
		}
		return
	}
	rng := rand.New(rand.NewPCG(9, uint64(n)))
	src := make([]R, count*n)
	for i := range src {
		src[i] = R(rng.Float64() - .5)
	}
	bins := p.Bins()
	scratch := make([]C, p.BatchScratchLen(count))
	want, got := make([]C, count*bins), make([]C, count*bins)
	for i := range count {
		p.ForwardBatch(want[i*bins:], src[i*n:], scratch, 1, bins, n)
	}
	p.ForwardBatch(got, src, scratch, count, bins, n)
	if !slices.Equal(got, want) {
		t.Errorf("%v %T n=%d: other bits", level, R(0), n)
	}
}
