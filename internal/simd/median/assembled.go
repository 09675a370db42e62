//go:build amd64 || arm64

package median

import (
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// kernel gives n medians: before each but the first, the window loses an element of
// old and gets one of v.
type kernel func(dst, old, v *float64, n int, window *float64)

// sized is a kernel for windows below so many elements.
type sized struct {
	elements int
	slide    kernel
}

func assembled(l simd.Level) Slide {
	all := kernels[l]
	if all == nil {
		return nil
	}
	return func(dst, x []float64, size int) {
		n := len(x) - size + 1
		which := slices.IndexFunc(all, func(s sized) bool { return size < s.elements })
		if which < 0 || hasNaN(x) {
			slide(dst, x, size)
			return
		}
		// The median is the first of the upper half of the registers.
		w := make([]float64, all[which].elements)
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
		k := all[which].slide
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
