package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// MaxWhole is the longest line that some level transforms by one kernel.
const MaxWhole = 512

// Whole returns the kernel of a level, or of one below, that transforms whole
// lines of n elements in registers, and its lanes; nil where there is none. Both sides
// are interleaved, and Rows lines lie InRow and OutRow elements apart.
func Whole[R Float](level simd.Level, n int) (Kernel, int) {
	for l := level; l > simd.Portable; l-- {
		if k := vectorWhole(l, 8*sizeof[R](), n); k != nil {
			return k, Lanes(l, 8*sizeof[R]())
		}
	}
	return nil, 1
}

// PortableWhole is the reference for the whole-line kernels of n elements in
// rows of the given lanes. Its table is a vector of real and one of imaginary
// parts for each row but the first: root j*l of order n for row j, lane l.
func PortableWhole[R Float](n, lanes int) Kernel {
	rows := n / lanes
	down, along := small[R](rows), small[R](lanes)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		var x legs[R]
		var re, im [MaxWhole]R
		for line := range p.Rows {
			for l := range lanes {
				x.load(srcRe, srcIm, 2*(line*p.InRow+l), 2*lanes, rows)
				down(&x)
				for j := range rows {
					if j > 0 {
						w := 2*(j-1)*lanes + l
						x.times(j, *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+lanes))
					}
					re[j*lanes+l], im[j*lanes+l] = x.re[j], x.im[j]
				}
			}
			for j := range rows {
				copy(x.re[:lanes], re[j*lanes:])
				copy(x.im[:lanes], im[j*lanes:])
				along(&x)
				x.store(dstRe, dstIm, 2*(line*p.OutRow+j), 2*rows, lanes, R(scale))
			}
		}
	}
}
