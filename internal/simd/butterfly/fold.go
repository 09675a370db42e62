package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Fold returns the kernel of a level for the last pass of a line behind a lead of real columns,
// see [LeadKind], or nil. Its rows are one vector long, their legs side by side. Result j of a
// row goes to leg j of dstRe for j < radix/2, with element 0 of the row replaced by the bin of
// the lead's first result; the others go to leg radix-1-j of dstIm as conjugates, from the last
// element to the first, behind element 0. Both are interleaved. Rows of dstIm go down.
//
// The pass holds the distances of results in components. Those bins are in Twiddle, InLeg
// components apart from leg to leg, and Cols from row to row.
func Fold[R Float](level simd.Level, radix int) Kernel {
	return vectorFold(level, 8*sizeof[R](), radix)
}

// PortableFold is the reference for the fold kernels whose rows have the given elements in their
// lanes.
func PortableFold[R Float](lanes []int, radix int) Kernel {
	body, n := small[R](radix), len(lanes)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		var x legs[R]
		for row := range p.Rows {
			for i, lane := range lanes {
				x.load(srcRe, srcIm, row*p.InRow+i, n, radix)
				body(&x)
				for j := range radix {
					re, im := x.re[j]*R(scale), x.im[j]*R(scale)
					if 2*j >= radix {
						to := (radix-1-j)*p.OutLeg - row*p.OutRow + 2*((n-lane)%n)
						*at[R](dstIm, to), *at[R](dstIm, to+1) = re, -im
						continue
					}
					if lane == 0 {
						bin := row*p.Cols + j*p.InLeg
						re, im = *at[R](p.Twiddle, bin), *at[R](p.Twiddle, bin+1)
					}
					to := j*p.OutLeg + row*p.OutRow + 2*lane
					*at[R](dstRe, to), *at[R](dstRe, to+1) = re, im
				}
			}
		}
	}
}

// RealLead returns the kernel of a level for a lead over real columns, or nil. It has twice as
// many legs as a vector has lanes, of which the upper half is zero and not read with half. Its
// results from 1 up to the number of lanes are twiddled as those of [PortableLead] are, by products
// or not, and make the rows, in the order of the lanes of a lead; the last of them comes first.
// Result 0, which is real, is stored where the imaginary plane of the source would be. Leads of
// float64 multiply with vectors of 512 bits and not with others, of float32 only whole ones.
func RealLead[R Float](level simd.Level, half, product bool) Kernel {
	return vectorRealLead(level, 8*sizeof[R](), half, product)
}

// PortableRealLead is the reference for the kernels of RealLead for vectors of the given lanes.
func PortableRealLead[R Float](lanes []int, half, product bool) Kernel {
	n := len(lanes)
	body, given := small[R](2*n), 2*n
	if half {
		given = n
	}
	return func(p *Pass, dstRe, dstIm, src, first unsafe.Pointer, _ float64) {
		for col := range p.Cols {
			var x legs[R]
			for j := range given {
				x.re[j] = *at[R](src, j*p.InLeg+col)
			}
			body(&x)
			*at[R](first, col) = x.re[0]
			for j := 1; j <= n; j++ {
				w := 2*(j-1)*n + col%n
				if !product {
					w += col / n * 2 * n * n
				}
				wr, wi := *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+n)
				if product {
					f := col/n*2*n + 2*(j-1)
					fr, fi := *at[R](p.Factors, f), *at[R](p.Factors, f+1)
					wr, wi = wr*fr-wi*fi, wr*fi+wi*fr
				}
				x.times(j, wr, wi)
			}
			x.re[0], x.im[0] = x.re[n], x.im[n]
			x.mix(lanes, n)
			x.store(dstRe, dstIm, col*n, 1, n, 1)
		}
	}
}

// PortableFolded is the reference for the packed kernels that fold lines of n samples, whose columns
// are so many lanes, see [Packed].
func PortableFolded[R Float](n, lanes int) Kernel {
	radix := n / lanes
	columns, rows := small[R](radix), small[R](lanes)
	return func(p *Pass, dstRe, _, src, _ unsafe.Pointer, scale float64) {
		f := R(scale)
		for i := range p.Rows {
			put := func(bin int, re, im R) {
				*at[R](dstRe, 2*(i*p.OutRow+bin)), *at[R](dstRe, 2*(i*p.OutRow+bin)+1) = f*re, f*im
			}
			x := make([]legs[R], lanes)
			for col := range x {
				for j := range radix {
					x[col].re[j] = *at[R](src, i*p.InRow+j*lanes+col)
				}
				columns(&x[col])
				for j := 1; j <= radix/2; j++ {
					w := 2*(j-1)*lanes + col
					x[col].times(j, *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+lanes))
				}
			}
			for j := range radix/2 + 1 {
				var y legs[R]
				for col := range x {
					y.re[col], y.im[col] = x[col].re[j], x[col].im[j]
				}
				if j == 0 {
					y.im = legs[R]{}.im
				}
				rows(&y)
				for k := range lanes {
					switch bin := j + k*radix; {
					case bin == 0 || bin == n/2:
						put(bin, y.re[k], 0)
					case bin < n/2 && 2*j < radix:
						put(bin, y.re[k], y.im[k])
					case bin > n/2 && j > 0:
						put(n-bin, y.re[k], -y.im[k])
					}
				}
			}
		}
	}
}
