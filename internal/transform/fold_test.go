package transform

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Lines that are folded have the bins of those that are untangled, but for rounding, and the
// same bits in batches.
func TestFolded(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, level := range simd.Available()[1:] {
		found := 0
		for _, n := range []int{1024, 1280, 1536, 2048, 2560, 3072, 4096, 6144, 8192, 12288, 16384, 32768, 81920, 114688, 1 << 18} {
			found += checkFolded[float32, complex64](t, n, level, rng, 1e-6) + checkFolded[float64, complex128](t, n, level, rng, 2e-15)
		}
		if level == simd.AVX512 && found < 12 {
			t.Errorf("%v: %d lines are folded", level, found)
		}
	}
}

func checkFolded[R Float, C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand, tolerance float64) int {
	t.Helper()
	p, err := NewReal[R, C](recipe.ForReal(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.Alone(); err != nil {
		t.Fatal(err)
	}
	if p.single != nil {
		p = p.single
	}
	if p.folded == nil {
		return 0
	}
	p = p.Scaled(0.5)
	const count = 3
	bins, gap := p.Bins(), 5
	x := make([]R, count*(n+gap))
	for i := range x {
		x[i] = R(rng.Float64() - .5)
	}
	got := make([]C, count*(bins+gap))
	scratch := noise[C](rng, p.BatchScratchLen(count))
	p.ForwardBatch(got, x, scratch, count, bins+gap, n+gap)
	want, alone := make([]C, bins), make([]C, bins)
	for i := range count {
		line, in := got[i*(bins+gap):][:bins], x[i*(n+gap):][:n]
		p.Forward(alone, in, noise[C](rng, p.ScratchLen()))
		if !slices.Equal(line, alone) {
			t.Errorf("%T %v n=%d: line %d has other bits in a batch", x, level, n, i)
		}
		q := *p
		q.folded = nil
		q.Forward(want, in, noise[C](rng, q.ScratchLen()))
		var far, norm float64
		for k := range want {
			re, im := unpack[R](line[k])
			wantRe, wantIm := unpack[R](want[k])
			dr, di := float64(re-wantRe), float64(im-wantIm)
			far, norm = far+dr*dr+di*di, norm+float64(wantRe*wantRe+wantIm*wantIm)
		}
		if !(far <= tolerance*tolerance*norm) {
			t.Errorf("%T %v n=%d: line %d differs by %g of %g", x, level, n, i, far, norm)
		}
	}
	return 1
}
