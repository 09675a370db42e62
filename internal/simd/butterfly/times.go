package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Times returns the widest kernel of a level that multiplies a line of n
// elements by a table and by scale, and its lanes:
//
//	dst[q] = src[q] * Twiddle[q] * scale    for q < Cols
//
// The table has a block for each tile of the line, a vector of real parts and
// one of imaginary parts. dst and src do not overlap.
func Times[R Float](level simd.Level, load, store Form, n int) (Kernel, int) {
	bits := 8 * sizeof[R]()
	for l := level; l > simd.Portable; l-- {
		lanes := Lanes(l, bits)
		if k := vectorTimes(l, bits, load, store); k != nil && n >= lanes {
			return k, lanes
		}
	}
	return PortableTimes[R](1, load, store), 1
}

// PortableTimes is the reference for the times kernels of n lanes.
func PortableTimes[R Float](n int, load, store Form) Kernel {
	in, out := load.stride(), store.stride()
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		k, block := R(scale), 0
		for first := 0; first < p.Cols; first += n {
			start := min(first, p.Cols-n)
			for lane := range n {
				q := start + lane
				wr, wi := *at[R](p.Twiddle, block+lane), *at[R](p.Twiddle, block+n+lane)
				re, im := *at[R](srcRe, q*in), *at[R](srcIm, q*in)
				*at[R](dstRe, q*out), *at[R](dstIm, q*out) = (re*wr-im*wi)*k, (im*wr+re*wi)*k
			}
			block += 2 * n
		}
	}
}
