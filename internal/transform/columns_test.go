package transform

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, level := range simd.Available() {
		for _, n := range []int{1, 2, 5, 16, 17, 34, 60, 64, 100, 128, 331} {
			for _, count := range []int{1, 3, 4, 7, 16, 31, 75} {
				checkColumns[complex64](t, n, count, level, rng)
				checkColumns[complex128](t, n, count, level, rng)
			}
		}
	}
}

// checkColumns compares columns with the transforms of their lines, in place
// and out of place.
func checkColumns[C Complex](t *testing.T, n, count int, level simd.Level, rng *rand.Rand) {
	t.Helper()
	p, err := New[C](recipe.For(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	p = p.Scaled(0.5)
	inStride, outStride := count+rng.IntN(4), count+rng.IntN(4)
	src := noise[C](rng, (n-1)*inStride+count)
	dst := make([]C, (n-1)*outStride+count)
	scratch := noise[C](rng, p.ColumnsScratchLen(count))
	p.Columns(dst, src, scratch, count, outStride, inStride, true)
	same := append([]C(nil), src...)
	p.Columns(same, same, scratch, count, inStride, inStride, true)
	line, want := make([]C, n), make([]C, n)
	for i := range count {
		for j := range line {
			line[j] = src[i+j*inStride]
		}
		p.Inverse(want, line, make([]C, p.ScratchLen()))
		for j := range line {
			line[j] = dst[i+j*outStride]
			if same[i+j*inStride] != line[j] {
				t.Fatalf("%T %v n=%d count=%d: in place differs at line %d, element %d", line, level, n, count, i, j)
			}
		}
		if d := distance(line, wide(want)); !(d <= 2*bar[C](p.recipe)) {
			t.Fatalf("%T %v n=%d count=%d: line %d is off by %.2f", line, level, n, count, i, d)
		}
	}
}

func TestBatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, level := range simd.Available() {
		for _, n := range []int{1, 7, 32, 64, 100, 256, 8192, 101} {
			checkBatch[complex64](t, n, level, rng)
			checkBatch[complex128](t, n, level, rng)
		}
	}
}

// checkBatch holds a batch to the bits of its lines.
func checkBatch[C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand) {
	t.Helper()
	p, err := New[C](recipe.For(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	const count = 5
	for _, gap := range []int{0, 3} {
		src, dst := noise[C](rng, count*(n+gap)), make([]C, count*(n+gap))
		p.Batch(dst, src, noise[C](rng, p.BatchScratchLen(count)), count, n+gap, n+gap, true)
		want := make([]C, n)
		for i := range count {
			p.Inverse(want, src[i*(n+gap):], make([]C, p.ScratchLen()))
			for j, w := range want {
				if got := dst[i*(n+gap)+j]; got != w {
					t.Fatalf("%T %v n=%d gap=%d: line %d element %d is %v, want %v", src, level, n, gap, i, j, got, w)
				}
			}
		}
	}
}
