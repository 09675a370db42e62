package transform

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// longLengths are too long for the defining sum; every kind of recipe is here.
var longLengths = []int{512, 1000, 1009, 1024, 1536, 2048, 3125, 4096, 4099, 8192, 10000, 30030, 44100, 48000, 65536, 65537, 1 << 17, 1 << 18}

// TestLongFloat32 takes float64 for the truth.
func TestLongFloat32(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, n := range longLengths {
		x := noise[complex64](rng, n)
		exact, err := New[complex128](recipe.For(n, Target[complex128](simd.Active())), simd.Active())
		if err != nil {
			t.Fatal(err)
		}
		want := make([]complex128, n)
		exact.Forward(want, wide(x), make([]complex128, exact.ScratchLen()))
		for _, level := range simd.Available() {
			r := recipe.For(n, Target[complex64](level))
			p, err := New[complex64](r, level)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]complex64, n)
			p.Forward(got, x, noise[complex64](rng, p.ScratchLen()))
			if d := distance(got, want); !(d <= bar[complex64](r)) {
				t.Errorf("%v n=%d %v: error %.2f of eps*sqrt(log2 n)", level, n, r, d)
			}
		}
	}
}

// TestLongFloat64 transforms a few impulses, whose spectra are sums of a few
// roots of unity that are known to the last bit.
func TestLongFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, n := range longLengths {
		x, want := make([]complex128, n), make([]complex128, n)
		table := roots.Of(n)
		for range 6 {
			at, height := rng.IntN(n), complex(rng.Float64()-.5, rng.Float64()-.5)
			x[at] += height
			walk := table.Walk(0, at)
			for k := range want {
				re, im := walk.Next()
				want[k] += height * complex(re, im)
			}
		}
		for _, level := range simd.Available() {
			r := recipe.For(n, Target[complex128](level))
			p, err := New[complex128](r, level)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]complex128, n)
			p.Forward(got, x, noise[complex128](rng, p.ScratchLen()))
			if d := distance(got, want); !(d <= bar[complex128](r)) {
				t.Errorf("%v n=%d %v: error %.2f of eps*sqrt(log2 n)", level, n, r, d)
			}
		}
	}
}

// TestRecipesNotChosen runs recipes that users may ask for although no target is given them:
// a first pass of any radix before a turn, for short and long lines.
func TestRecipesNotChosen(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, lead := range []int{2, 3, 4, 5, 8, 10, 16} {
		for _, tail := range [][]int{{7}, {5, 7}, {3, 3, 16}, {16, 16, 16}, {15, 16, 16, 16}} {
			r := &recipe.Recipe{Kind: recipe.MixedRadix, N: lead * product(tail), Radices: append([]int{lead}, tail...), Turn: 1}
			x := noise[complex64](rng, r.N)
			exact, err := New[complex128](recipe.For(r.N, Target[complex128](simd.Portable)), simd.Portable)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]complex128, r.N)
			exact.Forward(want, wide(x), make([]complex128, exact.ScratchLen()))
			for _, level := range simd.Available() {
				asked[complex64](t, rng, r, level, x, want)
				asked(t, rng, r, level, wide(x), want)
			}
		}
	}
}

func asked[C Complex](t *testing.T, rng *rand.Rand, r *recipe.Recipe, level simd.Level, x []C, want []complex128) {
	t.Helper()
	p, err := New[C](r, level)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]C, r.N)
	p.Forward(got, x, noise[C](rng, p.ScratchLen()))
	if d := distance(got, want); !(d <= 2*bar[C](r)) { // the truth has its own error for complex128
		t.Errorf("%v %v: error %.2f of eps*sqrt(log2 n)", level, r, d)
	}
}
