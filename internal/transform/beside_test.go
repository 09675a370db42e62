package transform

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// Lines side by side transform as one after the other, there and back.
func TestRealBeside(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, level := range simd.Available() {
		for _, n := range []int{4, 6, 8, 10, 12, 14, 16, 20, 28, 30, 32, 34, 46, 48, 60, 62, 64, 100, 120, 126, 128, 240, 256, 512, 1024} {
			checkBeside[float32, complex64](t, n, level, rng, 0x1p-22)
			checkBeside[float64, complex128](t, n, level, rng, 0x1p-50)
		}
	}
	for _, n := range []int{0, 1, 2, 63, 2 * 37} {
		if NewRealBeside[float32](n, 16, recipe.For(max(1, n/2), Target[complex64](simd.Active())), simd.Active(), false, 1) != nil {
			t.Errorf("n %d has a plan", n)
		}
	}
}

func checkBeside[R Float, C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand, eps float64) {
	t.Helper()
	r := recipe.For(n/2, Target[C](level))
	lanes := butterfly.Lanes(level, 8*int(unsafe.Sizeof(R(0))))
	line, err := NewReal[R, C](recipe.Pack(n, r), level)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{lanes, 3 * lanes} {
		there, back := NewRealBeside[R](n, width, r, level, false, 1), NewRealBeside[R](n, width, r, level, true, 0.5)
		if lanes == 1 {
			if there != nil || back != nil {
				t.Errorf("%v: a plan without vectors", level)
			}
			return
		}
		bins := n/2 + 1
		x, re, im, again := noisy[R](rng, n*width), noisy[R](rng, bins*width), noisy[R](rng, bins*width), noisy[R](rng, n*width)
		work := noisy[R](rng, there.WorkBytes()/int(unsafe.Sizeof(R(0)))+64)
		p := func(s []R) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }
		there.Run(p(x), p(re), p(im), aligned(p(work)))
		scratch := make([]C, line.ScratchLen())
		worst := 0.0
		for i := range width {
			in, out := make([]R, n), make([]C, bins)
			for j := range in {
				in[j] = x[j*width+i]
			}
			line.Forward(out, in, scratch)
			for k, z := range out {
				a, b := unpack[R](z)
				worst = max(worst, math.Hypot(float64(a-re[k*width+i]), float64(b-im[k*width+i])))
			}
		}
		if !(worst <= eps*math.Sqrt(float64(n))*4) {
			t.Errorf("%v %T n %d width %d: bins differ by %g", level, R(0), n, width, worst)
		}
		// The imaginary parts of the first and the last bin do not count.
		copy(im[:width], x)
		copy(im[n/2*width:], x[:width])
		back.Run(p(again), p(re), p(im), aligned(p(work)))
		worst = 0
		for i := range x {
			worst = max(worst, math.Abs(float64(again[i])/float64(n)*2-float64(x[i])))
		}
		if !(worst <= eps*4) {
			t.Errorf("%v %T n %d width %d: samples differ by %g", level, R(0), n, width, worst)
		}
	}
}

func noisy[R Float](rng *rand.Rand, n int) []R {
	x := make([]R, n)
	for i := range x {
		x[i] = R(rng.Float64() - 0.5)
	}
	return x
}

func BenchmarkRealBeside(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 10))
	level := simd.Active()
	for _, n := range []int{16, 32, 64, 128, 256, 512, 1024} {
		r := recipe.For(n/2, Target[complex64](level))
		const width = 64
		x, bins := noisy[float32](rng, n*width), noisy[float32](rng, 2*(n/2+1)*width)
		line, err := NewReal[float32, complex64](recipe.Pack(n, r), level)
		if err != nil {
			b.Fatal(err)
		}
		scratch := make([]complex64, line.BatchScratchLen(width))
		b.Run(fmt.Sprintf("n=%d/beside", n), func(b *testing.B) {
			p := NewRealBeside[float32](n, width, r, level, false, 1)
			work := make([]byte, p.WorkBytes()+64)
			re := unsafe.Pointer(&bins[0])
			for range b.N {
				p.Run(unsafe.Pointer(&x[0]), re, unsafe.Add(re, (n/2+1)*width*4), aligned(unsafe.Pointer(&work[0])))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/width, "ns/line")
		})
		b.Run(fmt.Sprintf("n=%d/lines", n), func(b *testing.B) {
			out := make([]complex64, width*(n/2+1))
			for range b.N {
				line.ForwardBatch(out, x, scratch, width, n/2+1, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/width, "ns/line")
		})
	}
}
