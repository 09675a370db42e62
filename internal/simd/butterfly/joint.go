package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Joint kernels are for lines behind a lead of half the lanes. Complex numbers stay interleaved, so
// a row of the lead is a whole vector.

// JointLead returns the lead of exactly this level whose radix is half its lanes, or nil. It
// writes interleaved rows. Its table has the twiddles of half the lanes of columns in a vector of
// real parts, each of them twice, and one of imaginary parts. Cols is at least half the lanes.
func JointLead[R Float](level simd.Level) Kernel {
	lead, _ := vectorJoint(level, 8*sizeof[R](), 0)
	return lead
}

// Joint returns the kernel of exactly this level for a pass of the radix over interleaved rows of
// multiples of half the lanes, or nil. Only the planes of its result can be exchanged.
func Joint[R Float](level simd.Level, radix int) Kernel {
	_, pass := vectorJoint(level, 8*sizeof[R](), radix)
	return pass
}

// PortableJointLead is the reference for rows of n elements.
func PortableJointLead[R Float](n int) Kernel {
	body := small[R](n)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, _ float64) {
		var x legs[R]
		for tile, start := range Tiles(p.Cols, n) {
			for lane := range n {
				x.load(srcRe, srcIm, 2*(start+lane), 2*p.InLeg, n)
				body(&x)
				for j := 1; j < n; j++ {
					w := 4*(tile*(n-1)+j-1)*n + 2*lane
					x.times(j, *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+2*n))
				}
				x.store(dstRe, dstIm, 2*(start+lane)*n, 2, n, 1)
			}
		}
	}
}
