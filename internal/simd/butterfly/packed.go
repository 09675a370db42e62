package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// deepPacked is kernels for real lines of twice the length of those of [deep].
func deepPacked(lanes, first, second int, to, from Kernel) packed {
	return packed{kernel: [2]Kernel{to, from}, layout: deep(lanes, first, second, nil).layout}
}

// packed is kernels for real lines, see [Packed]: there and back.
type packed struct {
	kernel [2]Kernel
	layout Layout
	bins   [2][]int
}

// Packed returns the kernel of a level, or of one below, that transforms whole real
// lines of n samples to bins, or back: it sees them as complex lines of half the
// length, with the given layout, whose bins it untangles, or tangles. Rows lines lie
// InRow and OutRow samples or bins apart. It is nil where there is none.
//
// The table Factors has a vector of real and one of imaginary parts for each vector of
// bins up to n/4: for bin k half the root k of order n, or the root with its real part
// negative; bins[lane] is the bin in a lane, counted from the vector's first. Where there is
// no layout, the line begins with real columns instead and is folded: Twiddle is that of a
// [RealLead] over one vector of columns, without products, and there are no Factors. Nor are there where
// there are no bins: a [TiltedTable] has them.
func Packed[R Float](level simd.Level, n int, inverse bool) (kernel Kernel, layout Layout, bins []int) {
	direction := 0
	if inverse {
		direction = 1
	}
	for l := level; l > simd.Portable; l-- {
		if p := vectorPacked(l, 8*sizeof[R](), n); p.kernel[direction] != nil {
			if layout := p.layout; layout.Along != nil {
				layout.ToBins, layout.FromBins = !inverse, inverse
				return p.kernel[direction], layout, nil
			}
			if !inverse && vectorFolded(l, 8*sizeof[R]()) {
				return p.kernel[direction], Layout{}, nil
			}
			return p.kernel[direction], p.layout, p.bins[direction]
		}
		if vectorWhole(l, 8*sizeof[R](), n/2).kernel != nil {
			break // whose pass is faster than a packed kernel of fewer lanes
		}
	}
	return nil, Layout{}, nil
}

// PortablePacked is the reference for the packed kernels to bins.
func PortablePacked[R Float](n int, layout Layout, bins []int) Kernel {
	m := n / 2
	whole := PortableWhole[R](m, layout)
	return func(p *Pass, dstRe, dstIm, srcRe, _ unsafe.Pointer, scale float64) {
		line := Pass{Twiddle: p.Twiddle, Rows: 1}
		f := R(scale)
		for i := range p.Rows {
			src := unsafe.Pointer(at[R](srcRe, i*p.InRow))
			re, im := unsafe.Pointer(at[R](dstRe, 2*i*p.OutRow)), unsafe.Pointer(at[R](dstIm, 2*i*p.OutRow))
			whole(&line, re, im, src, unsafe.Pointer(at[R](src, 1)), 1)
			packedBins[R](p.Factors, re, im, m, bins)
			for k := range m + 1 {
				*at[R](re, 2*k), *at[R](im, 2*k) = f**at[R](re, 2*k), f**at[R](im, 2*k)
			}
		}
	}
}

// packedBins untangles the bins of a packed line in place.
func packedBins[R Float](factors, re, im unsafe.Pointer, m int, bins []int) {
	*at[R](re, 2*m), *at[R](im, 2*m) = *at[R](re, 0), *at[R](im, 0)
	tangle(factors, re, im, m, bins, R(0.5))
	*at[R](im, m) = -*at[R](im, m)
	*at[R](im, 0), *at[R](im, 2*m) = 0, 0
}

// PortableUnpacked is the reference for the packed kernels back to samples.
func PortableUnpacked[R Float](n int, layout Layout, bins []int) Kernel {
	m := n / 2
	whole := PortableWhole[R](m, layout)
	return func(p *Pass, dstRe, _, srcRe, srcIm unsafe.Pointer, scale float64) {
		line := Pass{Twiddle: p.Twiddle, Rows: 1}
		var x [2 * (MaxWhole + 1)]R
		re, im := unsafe.Pointer(&x[0]), unsafe.Pointer(&x[1])
		for i := range p.Rows {
			for k := range m + 1 {
				x[2*k], x[2*k+1] = *at[R](srcRe, 2*(i*p.InRow+k)), *at[R](srcIm, 2*(i*p.InRow+k))
			}
			x[1], x[2*m+1] = 0, 0
			tangle(p.Factors, re, im, m, bins, R(1))
			x[m], x[m+1] = 2*x[m], -2*x[m+1]
			dst := unsafe.Pointer(at[R](dstRe, i*p.OutRow))
			whole(&line, unsafe.Pointer(at[R](dst, 1)), dst, im, re, scale)
		}
	}
}

// tangle joins bins k and m-k of a line of m+1 in place, 0 <= k < m/2, as [Untangle]
// says.
func tangle[R Float](factors, re, im unsafe.Pointer, m int, bins []int, h R) {
	lanes := len(bins)
	for first := 0; first < m/2; first += lanes {
		for lane, bin := range bins {
			k, w := first+bin, 2*first+lane
			wr, wi := *at[R](factors, w), *at[R](factors, w+lanes)
			ar, ai := *at[R](re, 2*k), *at[R](im, 2*k)
			zr, zi := *at[R](re, 2*(m-k)), *at[R](im, 2*(m-k))
			sr, si, dr, di := ar+zr, ai-zi, ai+zi, zr-ar
			tr, ti := dr*wr-di*wi, di*wr+dr*wi
			*at[R](re, 2*k), *at[R](im, 2*k) = h*sr+tr, h*si+ti
			*at[R](re, 2*(m-k)), *at[R](im, 2*(m-k)) = h*sr-tr, ti-h*si
		}
	}
}
