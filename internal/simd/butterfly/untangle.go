package butterfly

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Untangle returns the widest kernel of a level that joins the bins k and m-k
// of a line, 1 <= k <= m/2, and the k in each of its lanes, counted from the first of a vector:
//
//	s, d = (a.re+z.re, a.im-z.im), (a.im+z.im, z.re-a.re)  where a, z = src[k], src[m-k]
//	t = d * twiddle(k)
//	dst[k], dst[m-k] = (scale*s.re+t.re, scale*s.im+t.im), (scale*s.re-t.re, t.im-scale*s.im)
//
// Both sides are interleaved, and may be the same. The table has a block for
// each tile of the m/2 values of k: a vector of real parts and one of
// imaginary parts. The pass holds the number of tiles less one in Rows, the k
// of the last tile in Cols and m in InLeg.
func Untangle[R Float](level simd.Level, m int) (Kernel, []int) {
	for l := level; l > simd.Portable; l-- {
		bits := 8 * sizeof[R]()
		if k := vectorUntangle(l, bits); k != nil && m/2 >= Lanes(l, bits) {
			return k, leadLanes(l, bits)
		}
	}
	lanes := inOrder(1)
	return PortableUntangle[R](lanes), lanes
}

// PortableUntangle is the reference for the untangle kernels of the given lanes.
func PortableUntangle[R Float](lanes []int) Kernel {
	n := len(lanes)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		m, h, next := p.InLeg, R(scale), 1
		for tile := range p.Rows + 1 {
			start := min(tile*n+1, p.Cols)
			for k := max(start, next); k < start+n; k++ { // those before were done by the tile before
				next = k + 1
				w := 2*tile*n + slices.Index(lanes, k-start)
				wr, wi := *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+n)
				ar, ai := *at[R](srcRe, 2*k), *at[R](srcIm, 2*k)
				zr, zi := *at[R](srcRe, 2*(m-k)), *at[R](srcIm, 2*(m-k))
				sr, si, dr, di := ar+zr, ai-zi, ai+zi, zr-ar
				tr, ti := dr*wr-di*wi, di*wr+dr*wi
				*at[R](dstRe, 2*k), *at[R](dstIm, 2*k) = h*sr+tr, h*si+ti
				*at[R](dstRe, 2*(m-k)), *at[R](dstIm, 2*(m-k)) = h*sr-tr, ti-h*si
			}
		}
	}
}

// UntanglePlanes returns the kernel of a level that does what [Untangle] does with a
// line of m elements in two planes, for bins 0 to m, and the bin in each lane of its vectors;
// nil where there is none, or where m is no multiple of twice the lanes. Bins are in the order
// that passes behind a lead of interleaved lines leave, if behind is true, else in order. The
// sums are halved, whatever the scale is. The table has a block for each vector of bins up to
// m/2, from bin 0 on. The vectors of a plane may lie in any order, see [Places]. The pass holds
// the number of blocks in Rows, m in InLeg and the places in Factors.
func UntanglePlanes[R Float](level simd.Level, m int, behind bool) (Kernel, []int) {
	bits := 8 * sizeof[R]()
	n := Lanes(level, bits)
	if m%(2*n) != 0 {
		return nil, nil
	}
	if k := vectorUntangleMixed(level, bits); k != nil && behind {
		return k, leadLanes(level, bits)
	}
	return vectorUntanglePlanes(level, bits), inOrder(n)
}

// Places is the Factors of a pass that untangles planes: at[i] is where, in elements of
// type R, vector i of a plane begins. They are kept in bytes, and in the order of use:
// first, last, second, last but one. In front of them is the first again, which the bins behind
// the last are.
func Places[R Float](at []int) unsafe.Pointer {
	bytes := []uint32{0, uint32(at[0] * sizeof[R]())}
	for i := range len(at) / 2 {
		bytes = append(bytes, uint32(at[i]*sizeof[R]()), uint32(at[len(at)-1-i]*sizeof[R]()))
	}
	return unsafe.Pointer(&bytes[2])
}

// PlacesFrom is the places from vector i on.
func PlacesFrom(places unsafe.Pointer, i int) unsafe.Pointer { return unsafe.Add(places, 8*i) }

// PortableUntanglePlanes is the reference for the kernels that untangle planes, with the given
// bins in their lanes.
func PortableUntanglePlanes[R Float](lanes []int) Kernel {
	n := len(lanes)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, _ float64) {
		m := p.InLeg
		places := unsafe.Slice((*uint32)(p.Factors), m/n)
		for k := range m {
			vector := k / n
			place := 2 * vector
			if vector >= m/n/2 {
				place = 2*(m/n-1-vector) + 1
			}
			from := int(places[place])/sizeof[R]() + slices.Index(lanes, k%n)
			*at[R](dstRe, 2*k), *at[R](dstIm, 2*k) = *at[R](srcRe, from), *at[R](srcIm, from)
		}
		packedBins[R](p.Twiddle, dstRe, dstIm, m, lanes)
	}
}

// UntangleSome returns the kernel of a level that does what that of [UntanglePlanes], with
// bins in order, does for some vectors of a line and those that mirror them, or nil. The pass
// holds their number in Rows. Its tables and dst begin with the first of them, and InLeg is the
// number of bins from its first to the one that mirrors it. The imaginary parts of bins 0 and m,
// which are zero, and bin m/2 are left to the caller.
func UntangleSome[R Float](level simd.Level) Kernel { return vectorUntangleSome(level, 8*sizeof[R]()) }

// PortableUntangleSome is the reference for the kernels of n lanes that untangle some vectors.
func PortableUntangleSome[R Float](n int) Kernel {
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, _ float64) {
		for vector := range p.Rows {
			places := (*[3]uint32)(unsafe.Add(PlacesFrom(p.Factors, vector), -4))
			for lane := range n {
				// The mirror of the first lane is the first one behind the far vector.
				k, near, far := vector*n+lane, int(places[1])/sizeof[R]()+lane, int(places[2])/sizeof[R]()+n-lane
				if lane == 0 {
					far = int(places[0]) / sizeof[R]()
				}
				wr, wi := *at[R](p.Twiddle, 2*vector*n+lane), *at[R](p.Twiddle, 2*vector*n+n+lane)
				ar, ai, zr, zi := *at[R](srcRe, near), *at[R](srcIm, near), *at[R](srcRe, far), *at[R](srcIm, far)
				sr, si, dr, di := ar+zr, ai-zi, ai+zi, zr-ar
				tr, ti := dr*wr-di*wi, di*wr+dr*wi
				*at[R](dstRe, 2*k), *at[R](dstIm, 2*k) = sr/2+tr, si/2+ti
				*at[R](dstRe, 2*(p.InLeg-k)), *at[R](dstIm, 2*(p.InLeg-k)) = sr/2-tr, ti-si/2
			}
		}
	}
}
