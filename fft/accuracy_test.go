package fft

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/oracle"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// uniform is random input whose parts are uniform in [-0.5, 0.5) and exact in
// both precisions, so that one oracle serves all plans.
func uniform(n int) []complex128 {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(float64(rng.Float32()-0.5), float64(rng.Float32()-0.5))
	}
	return x
}

func narrowed[C Complex](x []complex128) []C {
	out := make([]C, len(x))
	for i, v := range x {
		out[i] = C(v)
	}
	return out
}

func realPart[R Float](x []complex128) []R {
	out := make([]R, len(x))
	for i, v := range x {
		out[i] = R(real(v))
	}
	return out
}

// bar is the error a transform may have: one unit times sqrt(log2 n), and four
// times that where it goes through a convolution.
func bar[C Complex](n int, r *recipe.Recipe) float64 {
	law := oracle.Law(n) * oracle.Epsilon[C]()
	if convolves(r) {
		law *= 4
	}
	return law
}

func convolves(r *recipe.Recipe) bool {
	return r != nil && (r.Kind == recipe.Rader || r.Kind == recipe.Bluestein || convolves(r.Columns) || convolves(r.Rows))
}

// tally keeps the worst error in units of the bar.
type tally struct {
	worst float64
	where string
}

func (w *tally) note(t *testing.T, e, bar float64, where string) {
	t.Helper()
	if !(e <= bar) {
		t.Errorf("%s: relative error %.3g, bar %.3g", where, e, bar)
	}
	if e/bar > w.worst {
		*w = tally{e / bar, where}
	}
}

// longAtEveryLevel is the longest line that is checked at every level. Beyond,
// nothing is new but the size, and the portable kernels take seconds.
const longAtEveryLevel = 1 << 18

// checkLength holds all plans of a length, at all levels, to the oracle.
func checkLength(t *testing.T, n int, worst *tally) {
	t.Helper()
	z := uniform(n)
	forward := oracle.FFT(z, false)
	half, _ := forward.Half()
	// The inverse transform of z is the forward one read backwards, so one
	// oracle run serves both.
	backwards := forward.Reversed()
	levels := simd.Available()
	if n > longAtEveryLevel {
		levels = levels[len(levels)-1:]
	}
	for _, level := range levels {
		single := checkComplex[complex64](t, z, forward, backwards, level, worst)
		double := checkComplex[complex128](t, z, forward, backwards, level, worst)
		if n%2 == 0 {
			single, double = "", "" // theirs is for another length
		}
		checkReal[float32, complex64](t, z, half, level, single, worst)
		checkReal[float64, complex128](t, z, half, level, double, worst)
	}
}

// checkComplex returns the recipe it used: choosing takes longer than a
// transform.
func checkComplex[C Complex](t *testing.T, z []complex128, forward, backwards oracle.Values, level simd.Level, worst *tally) string {
	t.Helper()
	n := len(z)
	p, err := NewPlan[C](n, Options{Norm: NormForward, level: level + 1})
	if err != nil {
		t.Fatal(err)
	}
	bar := bar[C](n, p.transform.Recipe())
	where := fmt.Sprintf("%T n %d %v %v", *new(C), n, level, p.Recipe())
	x, y := narrowed[C](z), make([]C, n)
	p.transform.Forward(y, x, dirty[C](p.ScratchLen()))
	worst.note(t, oracle.RelativeError(y, forward), bar, where+" forward")
	if err := p.Inverse(y, x); err != nil { // this norm leaves the inverse alone
		t.Fatal(err)
	}
	worst.note(t, oracle.RelativeError(y, backwards), bar, where+" inverse")
	// There and back, in place: both errors add up.
	if err := p.Forward(x, x); err != nil {
		t.Fatal(err)
	}
	if err := p.Inverse(x, x); err != nil {
		t.Fatal(err)
	}
	worst.note(t, oracle.RelativeError(x, oracle.Exact(z)), 2.5*bar, where+" round trip")
	return p.Recipe()
}

func checkReal[R Float, C Complex](t *testing.T, z []complex128, half oracle.Values, level simd.Level, recipe string, worst *tally) {
	t.Helper()
	n := len(z)
	p, err := NewRealPlan[R, C](n, Options{Recipe: recipe, level: level + 1})
	if err != nil {
		t.Fatal(err)
	}
	bar := bar[C](n, p.real.Recipe())
	where := fmt.Sprintf("%T n %d %v %v", *new(R), n, level, p.Recipe())
	x, y := realPart[R](z), make([]C, p.Bins())
	if err := p.ForwardScratch(y, x, dirty[C](p.ScratchLen())); err != nil {
		t.Fatal(err)
	}
	worst.note(t, oracle.RelativeError(y, half), bar, where+" forward")
	back := make([]R, n)
	if err := p.InverseScratch(back, y, dirty[C](p.ScratchLen())); err != nil {
		t.Fatal(err)
	}
	var difference, norm float64
	for i, v := range back {
		d := float64(v) - real(z[i])
		difference += d * d
		norm += real(z[i]) * real(z[i])
	}
	worst.note(t, math.Sqrt(difference/norm), 2.5*bar, where+" round trip")
}

// dirty is scratch whose content would show in any result that used it.
func dirty[C Complex](n int) []C {
	s := make([]C, n)
	for i := range s {
		s[i] = C(complex(math.NaN(), math.NaN()))
	}
	return s
}

func TestAccuracyOfEveryLength(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 31
	}
	// Two halves, so that two processors share the work.
	for start := 1; start <= 2; start++ {
		t.Run(fmt.Sprintf("from %d", start), func(t *testing.T) {
			t.Parallel()
			var worst tally
			for n := start; n <= 2048; n += 2 * step {
				checkLength(t, n, &worst)
			}
			t.Logf("closest to the bar: %.2f of it, %s", worst.worst, worst.where)
		})
	}
}

func TestAccuracyOfLongLines(t *testing.T) {
	lengths := []int{4099, 10007, 30030, 1 << 12, 1 << 14}
	if !testing.Short() {
		lengths = append(lengths, 44100, 48000, 65537, 2*99991, 1000003, 1<<13, 1<<15, 1<<16, 1<<17, 1<<18, 1<<19, 1<<20, 1<<21, 1<<22)
	}
	for _, n := range lengths {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			var worst tally
			checkLength(t, n, &worst)
			t.Logf("closest to the bar: %.2f of it, %s", worst.worst, worst.where)
		})
	}
}
