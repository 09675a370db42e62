package transform

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Lines that run in their destination have the bits of those that run in scratch, there and back.
func TestWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, level := range simd.Available()[1:] {
		found := 0
		for _, n := range []int{768, 1024, 1536, 2048, 3072, 4096, 8192, 32768} {
			found += checkWithin[float32, complex64](t, n, level, rng) + checkWithin[float64, complex128](t, n, level, rng)
		}
		if (level == simd.AVX2 || level == simd.AVX512) && found < 5 {
			t.Errorf("%v: %d lines run in their destination", level, found)
		}
	}
}

func checkWithin[R Float, C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand) int {
	t.Helper()
	r := recipe.For(n, Target[C](level))
	if r.Kind == recipe.Direct {
		r = recipe.ForHalf(2*n, Target[C](level)) // passes
	}
	p, err := New[C](r, level)
	if err != nil {
		t.Fatal(err)
	}
	real, err := NewReal[R, C](recipe.Pack(2*n, r), level)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := p.line.(*chain); !ok || c.within == nil {
		return 0
	}
	x := make([]R, 2*n)
	for i := range x {
		x[i] = R(rng.Float64() - .5)
	}
	z := unsafe.Slice((*C)(unsafe.Pointer(&x[0])), n)
	room := make([]C, n+1+cacheLine)
	got := unsafe.Slice((*C)(aligned(unsafe.Pointer(&room[0]))), n+1)
	want := make([]C, n+2)[1:] // between cache lines, so that batches run in scratch
	scratch := make([]C, max(p.BatchScratchLen(1), real.BatchScratchLen(1)))
	p = p.Scaled(0.75)
	for _, inverse := range []bool{false, true} {
		if inverse {
			p.Inverse(got, z, scratch)
		} else {
			p.Forward(got, z, scratch)
		}
		p.Batch(want, z, scratch, 1, n, n, inverse)
		if !slices.Equal(got[:n], want[:n]) {
			t.Errorf("%T %v n=%d: not the bits of scratch, inverse %t", z, level, n, inverse)
		}
		clear(got)
		p.Batch(got, z, scratch, 1, n, n, inverse)
		if !slices.Equal(got[:n], want[:n]) {
			t.Errorf("%T %v n=%d: a batch has not the bits of scratch, inverse %t", z, level, n, inverse)
		}
	}
	real.Forward(got, x, scratch)
	real.ForwardBatch(want, x, scratch, 1, n+1, 2*n)
	if !slices.Equal(got, want) {
		t.Errorf("%T %v n=%d: not the bits of scratch", x, level, 2*n)
	}
	return 1
}
