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

// Composed returns the kernel of a level, or of one below, that is Short for lines whose length is the
// product of the radices: it does the operations of the two passes, in that order. It is nil where
// there is none.
func Composed[R Float](level simd.Level, radices []int) Kernel {
	if len(radices) != 2 {
		return nil
	}
	for l := level; l > simd.Portable; l-- {
		if k := vectorComposed(l, 8*sizeof[R](), [2]int(radices)); k != nil {
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

// ShortReal is Short for real lines: from n samples at srcRe to n/2+1 bins, or back
// to samples at dstRe. Imaginary parts of bins that are real are written as zero and
// not read. Lines lie so many samples and bins apart.
func ShortReal[R Float](level simd.Level, n int, inverse bool) Kernel {
	return shortReal[R](level, n, inverse, vectorShortReal)
}

// ComposedReal is ShortReal for lines of which half is one or two passes: the kernel does their
// operations, and those of Beside.
func ComposedReal[R Float](level simd.Level, n int, inverse bool) Kernel {
	return shortReal[R](level, n, inverse, vectorComposedReal)
}

func shortReal[R Float](level simd.Level, n int, inverse bool, kernels func(l simd.Level, bits, n int) [2]Kernel) Kernel {
	direction := 0
	if inverse {
		direction = 1
	}
	for l := level; l > simd.Portable; l-- {
		if k := kernels(l, 8*sizeof[R](), n)[direction]; k != nil {
			return k
		}
	}
	return nil
}

// PortableShortReal is the reference for the kernels of short real lines.
func PortableShortReal[R Float](n int, inverse bool) Kernel {
	whole := PortableReal[R](n, inverse)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		re, im, x := make([]R, n/2+1), make([]R, n/2+1), make([]R, n)
		bins, samples := [2]unsafe.Pointer{dstRe, dstIm}, srcRe
		binRow, sampleRow := p.OutRow, p.InRow
		if inverse {
			bins, samples = [2]unsafe.Pointer{srcRe, srcIm}, dstRe
			binRow, sampleRow = p.InRow, p.OutRow
		}
		for line := range p.Rows {
			for k := range re {
				re[k], im[k] = *at[R](bins[0], 2*(line*binRow+k)), *at[R](bins[1], 2*(line*binRow+k))
			}
			for j := range x {
				x[j] = *at[R](samples, line*sampleRow+j)
			}
			whole(unsafe.Pointer(&re[0]), unsafe.Pointer(&im[0]), unsafe.Pointer(&x[0]), nil, 1, 1, 1, scale)
			for k := range re {
				*at[R](bins[0], 2*(line*binRow+k)), *at[R](bins[1], 2*(line*binRow+k)) = re[k], im[k]
			}
			for j := range x {
				*at[R](samples, line*sampleRow+j) = x[j]
			}
		}
	}
}
