package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Short returns the kernel of a level, or of one below, for whole lines of n elements
// that needs no table; nil where there is none. Both sides are interleaved, with
// planes exchanged on both or on neither, and Rows lines lie InRow and OutRow elements
// apart.
func Short[R Float](level simd.Level, n int) Kernel {
	for l := level; l > simd.Portable; l-- {
		if k := vectorShort(l, 8*sizeof[R](), n); k != nil {
			return k
		}
	}
	return nil
}

// PortableShort is the reference for the kernels of short lines, by definition.
func PortableShort[R Float](n int) Kernel {
	table := roots.Of(n)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		re, im := make([]float64, n), make([]float64, n)
		for line := range p.Rows {
			clear(re)
			clear(im)
			for k := range n {
				for j := range n {
					wr, wi := table.At(j * k % n)
					x, y := float64(*at[R](srcRe, 2*(line*p.InRow+j))), float64(*at[R](srcIm, 2*(line*p.InRow+j)))
					re[k], im[k] = re[k]+x*wr-y*wi, im[k]+x*wi+y*wr
				}
			}
			for k := range n {
				*at[R](dstRe, 2*(line*p.OutRow+k)), *at[R](dstIm, 2*(line*p.OutRow+k)) = R(re[k]*scale), R(im[k]*scale)
			}
		}
	}
}
