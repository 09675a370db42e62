package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Doubled returns the kernel of exactly this level for a pass of the radix over split rows
// of half a vector, two of them in a vector, or nil. Cols counts the elements of all rows,
// which lie one behind the other: there are at least two. Its table is that of a lead, with
// the twiddle of its row for every element.
func Doubled[R Float](level simd.Level, radix int) Kernel {
	return vectorDoubled(level, 8*sizeof[R](), radix)
}

// PortableDoubled is the reference for the kernels of vectors of n components.
func PortableDoubled[R Float](n, radix int) Kernel {
	body, row := small[R](radix), n/2
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, _ float64) {
		var x legs[R]
		for tile, start := range Tiles(p.Cols, n) {
			for lane := range n {
				col := start + lane
				x.load(srcRe, srcIm, col, p.InLeg, radix)
				body(&x)
				for j := 1; j < radix; j++ {
					w := 2*(tile*(radix-1)+j-1)*n + lane
					x.times(j, *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+n))
				}
				x.store(dstRe, dstIm, col/row*row*radix+col%row, row, radix, 1)
			}
		}
	}
}
