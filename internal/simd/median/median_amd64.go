package median

import (
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// kernel gives n medians: before each but the first, the window loses an element of
// old and gets one of v.
type kernel func(dst, old, v *float64, n int, window *float64)

// kernels are those for windows below 16, 32, 48 and 64 elements.
var kernels = [...]kernel{slide16AVX512, slide32AVX512, slide48AVX512, slide64AVX512}

func assembled(l simd.Level) Slide {
	if l != simd.AVX512 {
		return nil
	}
	return func(dst, x []float64, size int) {
		n := len(x) - size + 1
		which := size / 16
		if which >= len(kernels) || hasNaN(x) {
			slide(dst, x, size)
			return
		}
		// The median is the first of the upper half of the registers.
		w := make([]float64, 16*(which+1))
		from := len(w)/2 - size/2
		for i := range w {
			w[i] = math.Inf(1)
			if i < from {
				w[i] = math.Inf(-1)
			}
		}
		copy(w[from:], x[:size])
		slices.Sort(w[from : from+size])
		// The step behind the last median reads one element more.
		k := kernels[which]
		if n > 1 {
			k(&dst[0], &x[0], &x[size], n-1, &w[0])
		}
		copy(w[from:], x[n-1:])
		slices.Sort(w[from : from+size])
		dst[n-1] = w[len(w)/2]
	}
}

func hasNaN(x []float64) bool {
	for _, v := range x {
		if v != v {
			return true
		}
	}
	return false
}
