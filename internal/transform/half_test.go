package transform

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// A halved plan gives what the plan gives of the same line followed by zeros,
// and reads nothing behind the line.
func TestHalved(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, level := range simd.Available()[1:] {
		found := 0
		for _, n := range []int{16, 64, 72, 80, 256, 272, 1024, 2048, 2000, 4096, 1 << 15, 1 << 17} {
			found += checkHalved[complex64](t, n, level, rng)
			found += checkHalved[complex128](t, n, level, rng)
			found += checkRealHalved[float32, complex64](t, 2*n, level, rng)
			found += checkRealHalved[float64, complex128](t, 2*n, level, rng)
		}
		if found < 16 {
			t.Errorf("%v: only %d plans can be halved", level, found)
		}
	}
	if p, err := New[complex64](recipe.For(1024, Target[complex64](simd.Portable)), simd.Portable); err != nil || p.Halved() != nil {
		t.Errorf("a recipe without a lead is halved, %v", err)
	}
}

func checkHalved[C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand) int {
	t.Helper()
	p, err := New[C](recipe.For(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	half := p.Halved()
	if half == nil {
		return 0
	}
	x := make([]C, n)
	copy(x, noise[C](rng, n/2))
	want, got := make([]C, n), make([]C, n)
	scratch := make([]C, max(p.ScratchLen(), half.ParallelScratchLen(), half.BatchScratchLen(1)))
	same := func(what string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%T %v n=%d: %s differs", x, level, n, what)
		}
		clear(got)
	}
	in := x[:half.Given():half.Given()]
	p.Forward(want, x, scratch)
	half.Forward(got, in, scratch)
	same("forward")
	half.ForwardParallel(got, in, scratch, spread(2))
	same("parallel")
	half.Batch(got, in, scratch, 1, n, n/2, false)
	same("batch")
	p.Inverse(want, x, scratch)
	half.Inverse(got, in, scratch)
	same("inverse")
	return 1
}

func checkRealHalved[R Float, C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand) int {
	t.Helper()
	p, err := NewReal[R, C](recipe.ForReal(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	half := p.Halved()
	if half == nil {
		return 0
	}
	x := make([]R, n)
	for i := range n / 2 {
		x[i] = R(rng.Float64() - .5)
	}
	want, got := make([]C, p.Bins()), make([]C, p.Bins())
	scratch := make([]C, max(p.ScratchLen(), half.ParallelScratchLen()))
	p.Forward(want, x, scratch)
	half.Forward(got, x[:half.Given():half.Given()], scratch)
	if !slices.Equal(got, want) {
		t.Errorf("%T %v n=%d: real forward differs", x, level, n)
	}
	half.ForwardParallel(got, x[:half.Given():half.Given()], scratch, spread(2))
	if !slices.Equal(got, want) {
		t.Errorf("%T %v n=%d: real parallel differs", x, level, n)
	}
	const count = 19 // more than a vector of lines
	lines, bins := make([]R, count*half.Given()), make([]C, count*half.Bins())
	for i := range count {
		copy(lines[i*half.Given():], x)
	}
	half.ForwardBatch(bins, lines, make([]C, half.BatchScratchLen(count)), count, half.Bins(), half.Given())
	for i := range count {
		if !slices.Equal(bins[i*half.Bins():][:half.Bins()], want) {
			t.Errorf("%T %v n=%d: line %d of a real batch differs", x, level, n, i)
			break
		}
	}
	return 1
}
