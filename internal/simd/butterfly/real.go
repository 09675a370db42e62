package butterfly

import (
	"math"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// RealKernel transforms real lines that lie side by side, or its reverse: sample
// j of line i is at j*sampleStep+i, and its bins are at k*binStep+i of re and im.
// Samples are multiplied by the numbers of the window on their way, unless it is
// nil, and results of the transform by scale. The first and the last bin are
// real: their imaginary parts are written as zero and not read.
type RealKernel func(re, im, samples, window unsafe.Pointer, binStep, sampleStep, cols int, scale float64)

// Real returns the kernel of a level for lines of n samples, nil if there is
// none; cols is then a multiple of its lanes.
func Real[R Float](level simd.Level, n int, inverse bool) RealKernel {
	direction := 0
	if inverse {
		direction = 1
	}
	return vectorReals(level, 8*sizeof[R]())[n][direction]
}

// PortableReal is the reference for the real kernels.
func PortableReal[R Float](n int, inverse bool) RealKernel {
	cos, sin := make([]float64, n), make([]float64, n)
	for j := range n {
		sin[j], cos[j] = math.Sincos(2 * math.Pi * float64(j) / float64(n))
	}
	return func(re, im, samples, window unsafe.Pointer, binStep, sampleStep, cols int, scale float64) {
		factor := func(j int) R {
			if window == nil {
				return 1
			}
			return *at[R](window, j)
		}
		for i := range cols {
			if inverse {
				for j := range n {
					x := 0.0
					for k := range n/2 + 1 {
						a, b := float64(*at[R](re, k*binStep+i)), 0.0
						if k > 0 && 2*k != n {
							a, b = 2*a, 2*float64(*at[R](im, k*binStep+i))
						}
						x += a*cos[j*k%n] - b*sin[j*k%n]
					}
					*at[R](samples, j*sampleStep+i) = R(R(x)*R(scale)) * factor(j)
				}
				continue
			}
			for k := range n/2 + 1 {
				a, b := 0.0, 0.0
				for j := range n {
					x := float64(R(*at[R](samples, j*sampleStep+i) * factor(j)))
					a, b = a+x*cos[j*k%n], b-x*sin[j*k%n]
				}
				if k == 0 || 2*k == n {
					b = 0
				}
				*at[R](re, k*binStep+i), *at[R](im, k*binStep+i) = R(a)*R(scale), R(b)*R(scale)
			}
		}
	}
}
