package transform

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// spread runs every task on a goroutine of its own.
func spread(threads int) Parallel {
	return Parallel{threads, func(tasks int, run func(int)) {
		var wg sync.WaitGroup
		for i := range tasks {
			wg.Go(func() { run(i) })
		}
		wg.Wait()
	}}
}

func TestParallelSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, text := range []string{
		"mixed 16|16.8.8", "mixed 16|16.16.8.8", "mixed 8|16.16.8", "mixed 16|10.10.15", "mixed 16|5.5.5.9", "mixed 8|10.10.5.5",
		"mixed 12.7|15.7.5", "mixed 9.7|10.10.7", "mixed 10.7|15.7.3", "mixed 25|25.5.7", "mixed 5.3.3|15.7.5", "mixed 10.14|15.21", "mixed 15|14.10.21", "mixed 15|7.7.4.15", "mixed 15|10.7.21",
		"fourstep (mixed 16.8) (mixed 16.16)", "fourstep (mixed 15.9) (mixed 11.13)",
	} {
		r, err := recipe.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range simd.Available() {
			sameBits[complex64](t, r, level, rng)
			sameBits[complex128](t, r, level, rng)
		}
	}
}

func sameBits[C Complex](t *testing.T, r *recipe.Recipe, level simd.Level, rng *rand.Rand) {
	t.Helper()
	p, err := New[C](r, level)
	if err != nil {
		t.Fatal(err)
	}
	x := noise[C](rng, r.N)
	want, got := make([]C, r.N), make([]C, r.N)
	p.Forward(want, x, make([]C, p.ScratchLen()))
	for threads := 1; threads <= 3; threads++ {
		p.ForwardParallel(got, x, make([]C, p.ParallelScratchLen()), spread(threads))
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%T %v %v: element %d is %v on %d threads, %v alone", x[0], level, r, i, got[i], threads, want[i])
			}
		}
	}
	p.Scaled(1/float64(r.N)).InverseParallel(got, got, make([]C, p.ParallelScratchLen()), spread(2))
	if d := distance(got, wide(x)); !(d <= 2) {
		t.Errorf("%T %v %v: round trip error %.2f", x[0], level, r, d)
	}
}

// Real lines have the same bits in parts, there and back, whether or not vectors fill
// the half line.
func TestRealParallelSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{2, 4, 1000, 1 << 15, 1 << 16, 1 << 17, 5 << 15, 3 << 16, 1 << 18, 2 * 19683, 2 * 30030, 2 * 32805} {
		for _, level := range simd.Available() {
			for _, alone := range []bool{false, true} {
				sameRealBits[float32, complex64](t, n, level, alone, rng)
				sameRealBits[float64, complex128](t, n, level, alone, rng)
			}
		}
	}
}

func sameRealBits[R Float, C Complex](t *testing.T, n int, level simd.Level, single bool, rng *rand.Rand) {
	t.Helper()
	p, err := NewReal[R, C](recipe.ForReal(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	if single {
		all := p
		if p, err = p.Alone(); err != nil {
			t.Fatal(err)
		}
		if p == all {
			return
		}
	}
	x := make([]R, n)
	for i := range x {
		x[i] = R(rng.Float64() - 0.5)
	}
	want, got := make([]C, p.Bins()), make([]C, p.Bins())
	alone, parts := make([]C, p.ScratchLen()), make([]C, p.ParallelScratchLen())
	p.Forward(want, x, alone)
	for threads := 1; threads <= 3; threads++ {
		clear(got)
		p.ForwardParallel(got, x, parts, spread(threads))
		if !slices.Equal(got, want) {
			t.Errorf("%T %v n=%d: bins on %d threads differ", x, level, n, threads)
		}
	}
	back, backWant := make([]R, n), make([]R, n)
	p.Inverse(backWant, want, alone)
	p.InverseParallel(back, want, parts, spread(2))
	if !slices.Equal(back, backWant) {
		t.Errorf("%T %v n=%d: samples in parallel differ", x, level, n)
	}
}
