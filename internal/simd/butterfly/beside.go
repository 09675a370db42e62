package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Beside returns the widest kernel of a level that joins rows of lines that lie
// side by side, cols of them: what Untangle does to bins k and m-k of a line, it
// does to rows p and InLeg-2*p*InRow behind it, for p < Rows. The planes are
// split; the table has a factor for each row. It may run in place where cols is
// a multiple of the lanes.
func Beside[R Float](level simd.Level, cols int) Kernel {
	return rowKernel[R](level, cols, func(f besides) Kernel { return f.join }, PortableBeside[R]())
}

// Ends returns the kernel of a level that adds and subtracts planes:
//
//	dst.re[q], dst.im[q] = src.re[q]+src.im[q], src.re[q]-src.im[q]    for q < Cols
func Ends[R Float](level simd.Level, cols int) Kernel {
	return rowKernel[R](level, cols, func(f besides) Kernel { return f.ends }, PortableEnds[R]())
}

// besides is the kernels on lines that lie side by side.
type besides struct{ join, ends Kernel }

func rowKernel[R Float](level simd.Level, cols int, pick func(besides) Kernel, portable Kernel) Kernel {
	bits := 8 * sizeof[R]()
	for l := level; l > simd.Portable; l-- {
		if k := pick(vectorBesides(l, bits)); k != nil && cols >= Lanes(l, bits) {
			return k
		}
	}
	return portable
}

// PortableBeside is the reference for the beside kernels.
func PortableBeside[R Float]() Kernel {
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		h := R(scale)
		for row := range p.Rows {
			wr, wi := *at[R](p.Twiddle, 2*row), *at[R](p.Twiddle, 2*row+1)
			a, z := row*p.InRow, p.InLeg-row*p.InRow
			to, back := row*p.OutRow, p.OutLeg-row*p.OutRow
			for q := range p.Cols {
				ar, ai := *at[R](srcRe, a+q), *at[R](srcIm, a+q)
				zr, zi := *at[R](srcRe, z+q), *at[R](srcIm, z+q)
				sr, si, dr, di := ar+zr, ai-zi, ai+zi, zr-ar
				tr, ti := dr*wr-di*wi, di*wr+dr*wi
				*at[R](dstRe, to+q), *at[R](dstIm, to+q) = h*sr+tr, h*si+ti
				*at[R](dstRe, back+q), *at[R](dstIm, back+q) = h*sr-tr, ti-h*si
			}
		}
	}
}

// PortableEnds is the reference for the ends kernels.
func PortableEnds[R Float]() Kernel {
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, _ float64) {
		for q := range p.Cols {
			x, y := *at[R](srcRe, q), *at[R](srcIm, q)
			*at[R](dstRe, q), *at[R](dstIm, q) = x+y, x-y
		}
	}
}
