package bench

import (
	"fmt"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	dsp "github.com/mjibson/go-dsp/fft"
	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/twiddle-go/twiddle/fft"
)

// lengths are powers of two, smooth lengths and primes.
var lengths = []int{64, 256, 1024, 4096, 65536, 1 << 20, 1000, 1536, 44100, 1009, 65537}

// slow are prime lengths above which a peer without a method for primes takes
// O(n^2), and is left out.
const slow = 10000

func isPrime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n > 1
}

func signal(n int) []complex128 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(rng.Float64()-0.5, rng.Float64()-0.5)
	}
	return x
}

// libraries make a forward transform of n complex numbers, or nil where one
// would take forever.
var libraries = []struct {
	name string
	make func(tb testing.TB, n int) func(dst, src []complex128)
}{
	{"twiddle", func(tb testing.TB, n int) func(dst, src []complex128) {
		p, err := fft.NewPlan[complex128](n)
		if err != nil {
			tb.Fatal(err)
		}
		return func(dst, src []complex128) {
			if err := p.Forward(dst, src); err != nil {
				tb.Fatal(err)
			}
		}
	}},
	{"gonum", func(_ testing.TB, n int) func(dst, src []complex128) {
		if isPrime(n) && n > slow {
			return nil
		}
		p := fourier.NewCmplxFFT(n)
		return func(dst, src []complex128) { p.Coefficients(dst, src) }
	}},
	{"go-dsp", func(testing.TB, int) func(dst, src []complex128) {
		return func(dst, src []complex128) { copy(dst, dsp.FFT(src)) }
	}},
}

func TestLibrariesAgree(t *testing.T) {
	for _, n := range lengths {
		src := signal(n)
		var first []complex128
		for _, l := range libraries {
			run := l.make(t, n)
			if run == nil {
				continue
			}
			dst := make([]complex128, n)
			run(dst, src)
			if first == nil {
				first = dst
				continue
			}
			for k := range dst {
				if d := cmplx.Abs(dst[k] - first[k]); !(d < 1e-8) {
					t.Fatalf("n %d: bin %d of %s is off by %g", n, k, l.name, d)
				}
			}
		}
	}
}

func BenchmarkComplex128(b *testing.B) {
	for _, n := range lengths {
		src, dst := signal(n), make([]complex128, n)
		for _, l := range libraries {
			run := l.make(b, n)
			if run == nil {
				continue
			}
			b.Run(fmt.Sprintf("n=%d/lib=%s", n, l.name), func(b *testing.B) {
				b.SetBytes(int64(16 * n))
				for b.Loop() {
					run(dst, src)
				}
			})
		}
	}
}

func BenchmarkReal64(b *testing.B) {
	for _, n := range lengths {
		src, dst := make([]float64, n), make([]complex128, n/2+1)
		for i, v := range signal(n) {
			src[i] = real(v)
		}
		b.Run(fmt.Sprintf("n=%d/lib=twiddle", n), func(b *testing.B) {
			p, err := fft.NewRealPlan[float64, complex128](n)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(8 * n))
			for b.Loop() {
				if err := p.Forward(dst, src); err != nil {
					b.Fatal(err)
				}
			}
		})
		if isPrime(n) && n > slow {
			continue
		}
		b.Run(fmt.Sprintf("n=%d/lib=gonum", n), func(b *testing.B) {
			p := fourier.NewFFT(n)
			b.SetBytes(int64(8 * n))
			for b.Loop() {
				p.Coefficients(dst, src)
			}
		})
	}
}
