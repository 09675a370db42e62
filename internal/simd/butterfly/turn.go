package butterfly

import "unsafe"

// Tiles lists the starts of the tiles of n that cover total >= n: all but the
// last are multiples of n, the last ends with total.
func Tiles(total, n int) []int {
	var starts []int
	for at := 0; at < total; at += n {
		starts = append(starts, min(at, total-n))
	}
	return starts
}

// LeadKind is a variant of the lead kernels.
type LeadKind struct {
	Radix int // a multiple of the lanes, or half of them
	Load  Form
	// Product says that there is one block of twiddles, and a twiddle is its
	// entry times the leg's factor in the tile.
	Product bool
	// Half says that the upper half of the legs is zero; it is not read.
	Half bool
	// Spread says that the rows of a tile lie OutLeg components apart, from where Places says on,
	// and that their planes are woven. Cols is a multiple of the lanes.
	Spread bool
}

// PortableLead is the reference for the lead kernels whose vectors have the given
// columns in their lanes. Rows that it makes of interleaved lines have their elements in the
// same order, where they fill vectors: see [Mixed].
func PortableLead[R Float](lanes []int, v LeadKind) Kernel {
	in, n := v.Load.stride(), len(lanes)
	given := v.Radix
	if v.Half {
		given /= 2
	}
	body := small[R](v.Radix)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, _ float64) {
		var x legs[R]
		block, factor := 0, 0 // of the tables
		for first := 0; first < p.Cols; first += n {
			start := min(first, p.Cols-n)
			for lane, c := range lanes {
				col := start + c
				x.load(srcRe, srcIm, col*in, p.InLeg*in, given)
				clear(x.re[given:v.Radix])
				clear(x.im[given:v.Radix])
				body(&x)
				for j := 1; j < v.Radix; j++ {
					w := block + 2*(j-1)*n + lane
					wr, wi := *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+n)
					if v.Product {
						f := factor + 2*(j-1)
						fr, fi := *at[R](p.Factors, f), *at[R](p.Factors, f+1)
						wr, wi = wr*fr-wi*fi, wr*fi+wi*fr
					}
					x.times(j, wr, wi)
				}
				if v.Load == Interleaved && v.Radix >= n {
					x.mix(lanes, v.Radix)
				}
				x.store(dstRe, dstIm, col*v.Radix, 1, v.Radix, 1)
			}
			if v.Product {
				factor += 2 * (v.Radix - 1)
			} else {
				block += 2 * (v.Radix - 1) * n
			}
		}
	}
}

// mix has the legs in the given order, in every group of as many.
func (x *legs[R]) mix(lanes []int, radix int) {
	y := *x
	for j := range radix {
		from := j - j%len(lanes) + lanes[j%len(lanes)]
		x.re[j], x.im[j] = y.re[from], y.im[from]
	}
}

// PortableTurn is the reference for the turn kernels of n lanes; with product
// a twiddle is the table's, which is for one tile of columns, times the row's factor.
func PortableTurn[R Float](n int, product bool) Kernel {
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, _ float64) {
		block, factor := 0, 0 // of the tables
		for firstCol := 0; firstCol < p.Cols; firstCol += n {
			if product {
				block = 0
			}
			for firstRow := 0; firstRow < p.Rows; firstRow += n {
				col, row := min(firstCol, p.Cols-n), min(firstRow, p.Rows-n)
				for i := range n {
					for lane := range n {
						from, to := (row+i)*p.InLeg+col+lane, (col+lane)*p.OutLeg+row+i
						w := block + 2*i*n + lane
						wr, wi := *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+n)
						if product {
							fr, fi := *at[R](p.Factors, factor+2*i), *at[R](p.Factors, factor+2*i+1)
							wr, wi = wr*fr-wi*fi, wr*fi+wi*fr
						}
						re, im := *at[R](srcRe, from), *at[R](srcIm, from)
						*at[R](dstRe, to), *at[R](dstIm, to) = re*wr-im*wi, im*wr+re*wi
					}
				}
				block += 2 * n * n
				factor += 2 * n
			}
		}
	}
}
