package transform

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// dft is the defining sum in float64, with roots from a table that is right to
// the last bit.
func dft(x []complex128, inverse bool) []complex128 {
	n := len(x)
	w := make([]complex128, n)
	table := roots.Of(n)
	for k := range w {
		re, im := table.At(k)
		if inverse {
			im = -im
		}
		w[k] = complex(re, im)
	}
	y := make([]complex128, n)
	for k := range y {
		at := 0
		var sum, lost complex128 // Kahan: the reference must not be the noisy side
		for _, v := range x {
			t := v*w[at] - lost
			s := sum + t
			lost = (s - sum) - t
			sum = s
			if at += k; at >= n {
				at -= n
			}
		}
		y[k] = sum
	}
	return y
}

func noise[C Complex](rng *rand.Rand, n int) []C {
	x := make([]C, n)
	for i := range x {
		x[i] = C(complex(rng.Float64()-.5, rng.Float64()-.5))
	}
	return x
}

// distance is the relative L2 error of got in units of the bar, which is
// eps*sqrt(log2 n).
func distance[C Complex](got []C, want []complex128) float64 {
	eps := 0x1p-53
	if componentSize[C]() == 4 {
		eps = 0x1p-24
	}
	var num, den float64
	for i, w := range want {
		d := complex128(got[i]) - w
		num += real(d)*real(d) + imag(d)*imag(d)
		den += real(w)*real(w) + imag(w)*imag(w)
	}
	if num == 0 {
		return 0
	}
	return math.Sqrt(num/den) / (eps * math.Sqrt(math.Log2(float64(max(2, len(want))))))
}

// bar is the allowed distance: 1 for smooth lengths, 4 through a convolution.
// The reference is itself a float64, whose own error is granted on top.
func bar[C Complex](r *recipe.Recipe) float64 {
	grant := 0.0
	if componentSize[C]() == 8 {
		grant = 0.5
	}
	if r.Kind == recipe.Rader || r.Kind == recipe.Bluestein {
		return 4 + grant
	}
	return 1 + grant
}

func wide[C Complex](x []C) []complex128 {
	y := make([]complex128, len(x))
	for i, v := range x {
		y[i] = complex128(v)
	}
	return y
}

// check runs one plan forward and back, in place and out of place, with dirty
// scratch and an odd offset.
func check[C Complex](t *testing.T, n int, r *recipe.Recipe, level simd.Level, rng *rand.Rand) {
	t.Helper()
	p, err := New[C](r, level)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%T %v n=%d %v", C(0), level, n, r)
	x := noise[C](rng, n)
	scratch := make([]C, p.ScratchLen())
	for i := range scratch {
		scratch[i] = C(complex(math.NaN(), math.Inf(1)))
	}
	for _, inverse := range []bool{false, true} {
		want := dft(wide(x), inverse)
		do := p.Forward
		if inverse {
			do = p.Inverse
		}
		src, dst := append([]C{7}, x...)[1:], make([]C, n+1)[1:]
		do(dst, src, scratch)
		if d := distance(dst, want); !(d <= bar[C](r)) {
			t.Errorf("%s inverse=%v: error %.2f of eps*sqrt(log2 n)", name, inverse, d)
		}
		for i := range src {
			if src[i] != x[i] {
				t.Fatalf("%s: src[%d] changed", name, i)
			}
		}
		do(src, src, scratch)
		for i := range src {
			if src[i] != dst[i] {
				t.Fatalf("%s inverse=%v: in place differs at %d: %v, %v", name, inverse, i, src[i], dst[i])
			}
		}
	}
}

func TestEveryLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, level := range simd.Available() {
		for n := 1; n <= 300; n++ {
			check[complex64](t, n, recipe.For(n, Target[complex64](level)), level, rng)
			check[complex128](t, n, recipe.For(n, Target[complex128](level)), level, rng)
		}
	}
}

// TestAnyRecipe builds recipes that no cost model would pick.
func TestAnyRecipe(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, n := range []int{4, 24, 60, 64, 96, 210, 256, 34 * 19, 1001} {
		for range 6 {
			r := &recipe.Recipe{Kind: recipe.MixedRadix, N: n}
			for rest := n; rest > 1; {
				f := 2 + rng.IntN(recipe.MaxRadix-1)
				if rest%f == 0 {
					r.Radices, rest = append(r.Radices, f), rest/f
				}
			}
			r.Turn = rng.IntN(len(r.Radices))
			for _, level := range simd.Available() {
				check[complex64](t, n, r, level, rng)
				check[complex128](t, n, r, level, rng)
			}
		}
	}
	for _, text := range []string{
		"fourstep (direct 2) (direct 3)", "fourstep (mixed 5.3) (direct 31)", "fourstep (mixed 8.2) (mixed 8.4)", "fourstep (mixed 7.5) (mixed 11.3)",
		"bluestein 13 (fourstep (direct 5) (direct 6))", "rader 13 (bluestein 12 (mixed 3|8))",
		"direct 32", "direct 128",
	} {
		r, err := recipe.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range simd.Available() {
			check[complex64](t, r.N, r, level, rng)
			check[complex128](t, r.N, r, level, rng)
		}
	}
}

func TestReal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, level := range simd.Available() {
		for n := 1; n <= 200; n++ {
			checkReal[float32, complex64](t, n, level, rng)
			checkReal[float64, complex128](t, n, level, rng)
		}
	}
}

func checkReal[R Float, C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand) {
	t.Helper()
	r := recipe.For(recipe.RealLen(n), Target[C](level))
	p, err := NewReal[R, C](recipe.Pack(n, r), level)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]R, n)
	full := make([]complex128, n)
	for i := range x {
		x[i] = R(rng.Float64() - .5)
		full[i] = complex(float64(x[i]), 0)
	}
	scratch := make([]C, p.ScratchLen())
	for i := range scratch {
		scratch[i] = C(complex(math.NaN(), math.NaN()))
	}
	bins := make([]C, p.Bins())
	p.Forward(bins, x, scratch)
	// The untangling step rounds once more than the complex bar allows for.
	if d := distance(bins, dft(full, false)[:p.Bins()]); !(d <= 1.5*bar[C](r)) {
		t.Errorf("%T %v n=%d: forward error %.2f", x, level, n, d)
	}
	back := make([]R, n)
	bins[0] += C(complex(0, 1))
	if n%2 == 0 {
		bins[n/2] += C(complex(0, 1))
	}
	p.Scaled(1/float64(n)).Inverse(back, bins, scratch)
	got := make([]C, n)
	for i := range back {
		got[i] = pack[R, C](back[i], 0)
	}
	if d := distance(got, full); !(d <= 3*bar[C](r)) {
		t.Errorf("%T %v n=%d: round trip error %.2f", x, level, n, d)
	}
}
