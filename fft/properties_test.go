package fft

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/oracle"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// propertyLengths has every kind of recipe: butterflies, mixed radix, Rader,
// Bluestein and lines past the caches.
var propertyLengths = []int{1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 31, 32, 60, 64, 97, 100, 128, 179, 210, 243, 256, 359, 1000, 1024, 2039, 2310, 4096, 5087, 1 << 16}

// everyPlan runs a check for both precisions, all levels and all lengths.
func everyPlan(t *testing.T, check64 func(*testing.T, *Plan[complex64]), check128 func(*testing.T, *Plan[complex128])) {
	for _, level := range simd.Available() {
		for _, n := range propertyLengths {
			if testing.Short() && n > 5000 {
				continue
			}
			t.Run(fmt.Sprintf("%v/%d", level, n), func(t *testing.T) {
				single, err := NewPlan[complex64](n, Options{level: level + 1})
				if err != nil {
					t.Fatal(err)
				}
				check64(t, single)
				double, err := NewPlan[complex128](n, Options{level: level + 1})
				if err != nil {
					t.Fatal(err)
				}
				check128(t, double)
			})
		}
	}
}

func distanceOf[C Complex](got, want []C) float64 {
	return oracle.RelativeError(got, oracle.Exact(want))
}

// An impulse at j has the bins exp(-2*pi*i*j*k/n).
func TestImpulses(t *testing.T) {
	everyPlan(t, impulses[complex64], impulses[complex128])
}

func impulses[C Complex](t *testing.T, p *Plan[C]) {
	n := p.Len()
	for _, at := range []int{0, 1 % n, n / 2, n - 1} {
		x, y := make([]C, n), make([]C, n)
		x[at] = 1
		if err := p.Forward(y, x); err != nil {
			t.Fatal(err)
		}
		if e := oracle.RelativeError(y, oracle.FFT(x, false)); !(e <= bar[C](n, p.transform.Recipe())) {
			t.Errorf("impulse at %d: off by %.3g", at, e)
		}
	}
}

// Ergun's self-test: a program that is linear, right on impulses, and turns
// shifts into phases is right everywhere, but for a vanishing probability.
func TestErgun(t *testing.T) {
	everyPlan(t, ergun[complex64], ergun[complex128])
}

func ergun[C Complex](t *testing.T, p *Plan[C]) {
	n := p.Len()
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	tolerance := 4 * bar[C](n, p.transform.Recipe())
	random := func() []C {
		x := make([]C, n)
		for i := range x {
			x[i] = C(complex(rng.Float64()-0.5, rng.Float64()-0.5))
		}
		return x
	}
	forward := func(x []C) []C {
		y := make([]C, n)
		if err := p.Forward(y, x); err != nil {
			t.Fatal(err)
		}
		return y
	}
	a, b := random(), random()
	alpha, beta := C(complex(0.75, -0.5)), C(complex(-0.25, 1.25))
	mixed := make([]C, n)
	for i := range mixed {
		mixed[i] = alpha*a[i] + beta*b[i]
	}
	fa, fb, fm := forward(a), forward(b), forward(mixed)
	want := make([]C, n)
	for i := range want {
		want[i] = alpha*fa[i] + beta*fb[i]
	}
	if d := distanceOf(fm, want); !(d <= tolerance) {
		t.Errorf("linearity: off by %.3g, tolerance %.3g", d, tolerance)
	}

	shifted := make([]C, n)
	for i := range shifted {
		shifted[(i+1)%n] = a[i]
	}
	for k := range want {
		want[k] = fa[k] * C(cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n)))
	}
	if d := distanceOf(forward(shifted), want); !(d <= tolerance) {
		t.Errorf("shift: off by %.3g, tolerance %.3g", d, tolerance)
	}

	// An impulse hidden in noise: F(a + delta) - F(a) is all ones.
	hidden := append([]C(nil), a...)
	hidden[0]++
	for k := range want {
		want[k] = fa[k] + 1
	}
	if d := distanceOf(forward(hidden), want); !(d <= tolerance) {
		t.Errorf("hidden impulse: off by %.3g, tolerance %.3g", d, tolerance)
	}

	var samples, bins float64
	for i := range a {
		samples += math.Pow(cmplx.Abs(complex128(a[i])), 2)
		bins += math.Pow(cmplx.Abs(complex128(fa[i])), 2) / float64(n)
	}
	if d := math.Abs(samples-bins) / samples; !(d <= 2*tolerance) {
		t.Errorf("Parseval: off by %.3g", d)
	}
}

// Where the slices lie must not matter: not how they are aligned, not what the
// scratch held, not whether dst is src.
func TestPlacement(t *testing.T) {
	everyPlan(t, placement[complex64, float32], placement[complex128, float64])
}

func placement[C Complex, R Float](t *testing.T, p *Plan[C]) {
	n := p.Len()
	x := narrowed[C](uniform(n))
	want := make([]C, n)
	if err := p.Forward(want, x); err != nil {
		t.Fatal(err)
	}
	for offset := range 4 {
		// An odd number of parts off: as badly aligned as Go allows.
		src, dst := off[C, R](n, offset), off[C, R](n, 3-offset)
		copy(src, x)
		if err := p.ForwardScratch(dst, src, dirty[C](p.ScratchLen())); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("offset %d", offset), dst, want)
		same(t, "src after a transform out of place", src, x)
		if err := p.ForwardScratch(src, src, dirty[C](p.ScratchLen() + offset)[offset:]); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("in place, offset %d", offset), src, want)
	}
	back, backInPlace := make([]C, n), append([]C(nil), want...)
	if err := p.Inverse(back, want); err != nil {
		t.Fatal(err)
	}
	if err := p.InverseScratch(backInPlace, backInPlace, dirty[C](p.ScratchLen())); err != nil {
		t.Fatal(err)
	}
	same(t, "inverse in place", backInPlace, back)
}

// off is a slice that starts a number of parts behind an element boundary.
func off[C Complex, R Float](n, parts int) []C {
	memory := make([]R, 2*n+parts)
	return unsafe.Slice((*C)(unsafe.Pointer(&memory[parts])), n)
}

// same wants the same bits.
func same[C Complex](t *testing.T, what string, got, want []C) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: element %d is %v, want exactly %v", what, i, got[i], want[i])
		}
	}
}

// All instruction sets agree, to the last few bits.
func TestLevelsAgree(t *testing.T) {
	levels := simd.Available()
	if len(levels) == 1 {
		t.Skip("only one level on this machine")
	}
	for _, n := range propertyLengths {
		x := uniform(n)
		var first []complex128
		for _, level := range levels {
			p, err := NewPlan[complex128](n, Options{level: level + 1})
			if err != nil {
				t.Fatal(err)
			}
			y := make([]complex128, n)
			if err := p.Forward(y, x); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = y
			} else if d := distanceOf(y, first); !(d <= 2*bar[complex128](n, p.transform.Recipe())) {
				t.Errorf("n %d: %v differs from %v by %.3g", n, level, levels[0], d)
			}
		}
	}
}

// Not-a-number and infinity go in and come out; they never hang or panic, and
// an infinite sample never yields an all-finite spectrum.
func TestNotFinite(t *testing.T) {
	for _, n := range propertyLengths {
		p, err := NewPlan[complex64](n)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			x := make([]complex64, n)
			x[n/2] = complex(float32(bad), 0)
			if err := p.Forward(x, x); err != nil {
				t.Fatal(err)
			}
			if v := complex128(x[0]); !cmplx.IsNaN(v) && !cmplx.IsInf(v) {
				t.Errorf("n %d: %v came out as %v", n, bad, v)
			}
		}
	}
}
