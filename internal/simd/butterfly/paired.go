package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Paired kernels transform two interleaved lines at once, the second one Beside elements
// behind the first: half of every vector is one line and half the other. So lines whose rows
// are half a vector long have whole ones.

// PairedLead returns the lead of exactly this level whose radix is half its lanes, or nil. It
// writes rows of a vector, of which each line has half. Cols, at least half the lanes, counts
// the columns of one line. Its table is that of a lead of half the lanes.
func PairedLead[R Float](level simd.Level) Kernel {
	lead, _ := vectorPaired(level, 8*sizeof[R](), 0)
	return lead
}

// Paired returns the kernel of exactly this level for a last pass of the radix over such
// rows, or nil. OutRow and OutLeg count the elements of one line, Cols is the lanes.
func Paired[R Float](level simd.Level, radix int) Kernel {
	_, last := vectorPaired(level, 8*sizeof[R](), radix)
	return last
}

// PortablePairedLead is the reference for vectors of n components.
func PortablePairedLead[R Float](n int) Kernel {
	row := n / 2
	body := small[R](row)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, _ float64) {
		var x legs[R]
		for tile, start := range Tiles(p.Cols, row) {
			for lane := range n {
				col := start + lane%row
				x.load(srcRe, srcIm, 2*(lane/row*p.Beside+col), 2*p.InLeg, row)
				body(&x)
				for j := 1; j < row; j++ {
					w := 2*(tile*(row-1)+j-1)*row + lane%row
					x.times(j, *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+row))
				}
				x.store(dstRe, dstIm, col*n+lane/row*row, 1, row, 1)
			}
		}
	}
}

// PortablePaired is the reference for vectors of n components.
func PortablePaired[R Float](n, radix int) Kernel {
	body, row := small[R](radix), n/2
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		var x legs[R]
		for i := range p.Rows {
			for lane := range n {
				x.load(srcRe, srcIm, i*p.InRow+lane, p.InLeg, radix)
				body(&x)
				x.store(dstRe, dstIm, 2*(i*p.OutRow+lane/row*p.Beside+lane%row), 2*p.OutLeg, radix, R(scale))
			}
		}
	}
}
