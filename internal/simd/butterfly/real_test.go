package butterfly

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Kernels of real lines give what the sums give, there and back, with a window
// and without, and write nothing between rows.
func TestRealLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		for _, n := range []int{8, 16, 32, 64} {
			for _, inverse := range []bool{false, true} {
				realsAgree[float32](t, level, n, inverse, 0x1p-21)
				realsAgree[float64](t, level, n, inverse, 0x1p-48)
			}
		}
		if Real[float32](level, 24, false) != nil {
			t.Errorf("%v: a kernel of length 24", level)
		}
	}
}

func realsAgree[R Float](t *testing.T, level simd.Level, n int, inverse bool, eps float64) {
	kernel := Real[R](level, n, inverse)
	if kernel == nil {
		t.Fatalf("%v %T n=%d: no kernel", level, R(0), n)
	}
	rng := rand.New(rand.NewPCG(uint64(n), uint64(level)))
	lanes := Lanes(level, 8*sizeof[R]())
	random := func(n int) []R {
		x := make([]R, n)
		for i := range x {
			x[i] = R(rng.NormFloat64())
		}
		return x
	}
	address := func(x []R) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }
	for _, cols := range []int{lanes, 3 * lanes} {
		for _, scale := range []float64{1, 0.3} {
			for _, sampleStep := range []int{1, cols, cols + 3} {
				if sampleStep == 1 && inverse {
					continue // rows of the result overlap
				}
				for _, window := range [][]R{nil, random(n)} {
					binStep := cols + rng.IntN(3)
					var got, want [3][]R
					for i, size := range [3]int{(n/2+1)*binStep + 1, (n/2+1)*binStep + 1, (n-1)*sampleStep + cols + 1} {
						got[i] = random(size)
						want[i] = append([]R(nil), got[i]...)
					}
					run := func(k RealKernel, x *[3][]R) {
						var w unsafe.Pointer
						if window != nil {
							w = address(window)
						}
						k(address(x[0]), address(x[1]), address(x[2]), w, binStep, sampleStep, cols, scale)
					}
					run(kernel, &got)
					run(PortableReal[R](n, inverse), &want)
					for i := range got {
						for j := range got[i] {
							if d := math.Abs(float64(got[i][j] - want[i][j])); !(d <= eps*math.Sqrt(float64(n))*4) {
								t.Fatalf("%v %T n=%d inverse=%t cols=%d step=%d scale=%g window=%t: plane %d differs by %g at %d",
									level, R(0), n, inverse, cols, sampleStep, scale, window != nil, i, d, j)
							}
						}
					}
				}
			}
		}
	}
}

func BenchmarkReal(b *testing.B) {
	const n, cols = 64, 32
	for _, level := range simd.Available()[1:] {
		for _, inverse := range []bool{false, true} {
			b.Run(fmt.Sprintf("%v/inverse=%t", level, inverse), func(b *testing.B) {
				x, re, im, w := make([]float32, n*cols), make([]float32, n*cols), make([]float32, n*cols), make([]float32, n)
				p := func(s []float32) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }
				k := Real[float32](level, n, inverse)
				for b.Loop() {
					k(p(re), p(im), p(x), p(w), cols, cols, cols, 1)
				}
			})
		}
	}
}
